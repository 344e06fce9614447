import Foundation
import Geodesy
import Locations
import Testing

@Suite struct LocationUpdatesTests {
  private struct Broken: Error {}

  private func updates(_ count: Int, then error: (any Error)? = nil) -> LocationUpdates {
    LocationUpdates {
      var left = count
      return { _ in
        if left == 0, let error { throw error }
        left -= 1
        return left >= 0 ? .unavailable : nil
      }
    }
  }

  @Test func handsOnWhatTheFunctionMakes() async throws {
    var count = 0
    for try await update in updates(3) {
      #expect(update == .unavailable)
      count += 1
    }
    #expect(count == 3)
  }

  @Test func eachIterationStartsAnew() async throws {
    let updates = updates(2)
    for _ in 0..<2 {
      var count = 0
      for try await _ in updates { count += 1 }
      #expect(count == 2)
    }
  }

  @Test func afterTheEndTheFunctionIsNotCalled() async throws {
    let updates = LocationUpdates {
      var hasEnded = false
      return { _ in
        defer { hasEnded = true }
        return hasEnded ? .unavailable : nil
      }
    }
    var iterator = updates.makeAsyncIterator()
    for _ in 0..<3 { #expect(try await iterator.next() == nil) }
  }

  @Test func afterAnErrorThereIsNothing() async throws {
    var iterator = updates(1, then: Broken()).makeAsyncIterator()
    #expect(try await iterator.next() == .unavailable)
    await #expect(throws: Broken.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func theFunctionIsReleasedWithTheIteration() async throws {
    final class Token: Sendable {
      let released: AsyncStream<Void>.Continuation
      init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
      deinit { released.finish() }
    }
    let (stream, released) = AsyncStream<Void>.makeStream()
    let updates = LocationUpdates {
      let token = Token(released)
      return { _ in
        withExtendedLifetime(token) { .unavailable }
      }
    }
    for try await _ in updates { break }
    for await _ in stream {}
  }

  @Test @MainActor func theFunctionRunsWhereItIsAskedFrom() async throws {
    let updates = LocationUpdates {
      { isolation in
        #expect(isolation === MainActor.shared)
        return nil
      }
    }
    for try await _ in updates {}
  }

  @Test func anotherSequenceWillDo() async throws {
    let (stream, continuation) = AsyncStream<LocationUpdate>.makeStream()
    let expected: [LocationUpdate] = [.authorization(.denied), .unavailable]
    for update in expected { continuation.yield(update) }
    continuation.finish()
    var seen: [LocationUpdate] = []
    for try await update in LocationUpdates(stream) { seen.append(update) }
    #expect(seen == expected)
  }

  @Test func theErrorOfAnotherSequenceComesThrough() async {
    let stream = AsyncThrowingStream<LocationUpdate, any Error> { $0.finish(throwing: Broken()) }
    await #expect(throws: Broken.self) {
      for try await _ in LocationUpdates(stream) {}
    }
  }

  @Test(arguments: [
    LocationUpdate.authorization(.denied), .unavailable,
    LocationUpdate(
      location: Fix(Coordinate(validLatitude: 1, longitude: 2)), accuracyLimited: true,
      isStationary: true, insufficientlyInUse: true),
  ])
  func anUpdateComesBackFromJSON(update: LocationUpdate) throws {
    let data = try JSONEncoder().encode(update)
    #expect(try JSONDecoder().decode(LocationUpdate.self, from: data) == update)
  }
}
