import Dispatch
import FaketrackSupport
import Testing

@Suite struct BlockingTests {
  private struct Refusal: Error {}

  @Test func returnsTheResultOfTheWork() async throws {
    let queue = DispatchQueue(label: "test")
    #expect(try await queue.blocking { 7 } == 7)
    await #expect(throws: Refusal.self) { try await queue.blocking { throw Refusal() } }
  }

  @Test func aCanceledTaskWaitsForNoWork() async throws {
    let queue = DispatchQueue(label: "test")
    let (hasBegun, mayEnd) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
    let begun = Task {
      try await queue.blocking {
        hasBegun.continuation.yield()
        mayEnd.wait()
      }
    }
    for await _ in hasBegun.stream { break }
    let isRun = Locked(false)
    let queued = Task { try await queue.blocking { isRun.withLock { $0 = true } } }
    for task in [begun, queued] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    mayEnd.signal()
    #expect(try await queue.blocking { isRun.withLock(\.self) } == false)
  }
}
