import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackServices

@Suite struct TimeoutTests {
  private let answer = ServiceRequest(URL(literal: "http://service.example/"))
  private let file = ServiceRequest.file(URL(literal: "http://service.example/"), maximumSize: .max)
  private let clock = RecordingClock()

  /// The failure of a request, and the times at which it was checked.
  private func timeout(
    of request: ServiceRequest, after start: Duration = .seconds(100),
    receivedBytes: @escaping @Sendable (_ period: Int) -> Int = { _ in 1 << 20 }
  ) async throws -> (failure: HTTPFailure, checkpoints: [Duration]) {
    let clock = AnyClock(self.clock)
    self.clock.advance(by: start)
    let checkpoints = Locked<[Duration]>([])
    let failure = try await request.timeout(from: clock.now, on: clock) {
      let period = checkpoints.withLock { checkpoints in
        checkpoints.append(clock.now)
        return checkpoints.count
      }
      return receivedBytes(period)
    }
    return (failure, checkpoints.withLock(\.self) + [clock.now])
  }

  @Test func anAnswerHasThirtySecondsWhateverComes() async throws {
    let (failure, checkpoints) = try await timeout(of: answer)
    #expect(checkpoints == [.seconds(130)])
    #expect(failure == .overdue(limit: .seconds(30)))
  }

  @Test func aFileHasAnHourAsLongAsItComesFastEnough() async throws {
    let (failure, checkpoints) = try await timeout(of: file) { $0 * (32 << 10) }
    #expect(checkpoints == (1...120).map { .seconds(100 + 30 * $0) })
    #expect(failure == .overdue(limit: .seconds(3600)))
  }

  @Test func aFileThatStallsIsTooSlowHoweverFastItWas() async throws {
    let (failure, checkpoints) = try await timeout(of: file) { period in
      100 << 20 + (period == 1 ? 0 : 32 << 10 - 1)
    }
    #expect(checkpoints.last == .seconds(160))
    #expect(failure == .tooSlow(bytes: 32 << 10, interval: .seconds(30)))
  }

  @Test func aTimeoutShorterThanAPeriodCounts() async throws {
    var request = file
    request.timeout = .seconds(7)
    let (failure, checkpoints) = try await timeout(of: request)
    #expect(checkpoints == [.seconds(107)])
    #expect(failure == .overdue(limit: .seconds(7)))
  }

  @Test(arguments: [(30, "30 s"), (599, "599 s"), (600, "10 min"), (3600, "60 min")])
  func durationsReadWell(seconds: Int, words: String) {
    #expect(Duration.seconds(seconds).rounded == words)
  }
}
