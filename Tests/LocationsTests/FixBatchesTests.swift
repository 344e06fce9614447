import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct FixBatchesTests {
  private struct Broken: Error {}

  private func sizes(_ batches: FixBatches) async throws -> [Int] {
    let next = batches.start()
    var sizes: [Int] = []
    while let batch = try await next(nil) { sizes.append(batch.count) }
    return sizes
  }

  private func fixes(_ batches: FixBatches) async throws -> [Fix] {
    let next = batches.start()
    var fixes: [Fix] = []
    while let batch = try await next(nil) { fixes += batch }
    return fixes
  }

  /// Batches of these sizes, and then this error.
  private func source(_ sizes: [Int], then error: (any Error)? = nil) throws -> FixBatches {
    let fixes = try Walks.north(seconds: sizes.reduce(0, +))
    return FixBatches {
      var rest = fixes[...]
      var sizes = sizes[...]
      return { _ in
        guard let size = sizes.popFirst() else {
          if let error { throw error }
          return nil
        }
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
    }
  }

  @Test(
    arguments: [
      (0, [1]), (254, [255]), (255, [256]), (256, [256, 1]), (700, [256, 256, 189]),
    ])
  func aSequenceIsCutIntoBatches(seconds: Int, expected: [Int]) async throws {
    let batches = FixBatches(try Walks.north(seconds: seconds))
    #expect(try await sizes(batches) == expected)
    #expect(try await sizes(batches) == expected)
  }

  @Test func aSequenceMayMakeItsFixesAsItGoes() async throws {
    let coordinate = try Coordinate(latitude: 1, longitude: 2)
    let made = (0..<1_000).lazy.map { _ in Fix(coordinate) }
    #expect(try await sizes(FixBatches(Array(made))) == [256, 256, 256, 232])
    #expect(try await sizes(FixBatches([])) == [])
  }

  @Test func reversingKeepsTheDurationsAndTurnsTheCourse() async throws {
    var track = try Walks.north(seconds: 3)
    track[2].time = Walks.start.addingTimeInterval(2.5)
    track[0].course = 10
    track[1].course = 190
    let reversed = try await fixes(FixBatches(track).reversed())
    #expect(reversed.map(\.coordinate) == track.reversed().map(\.coordinate))
    #expect(
      reversed.map { $0.time?.timeIntervalSince(Walks.start) } == [0, 0.5, 2, 3])
    #expect(reversed.map(\.course) == [nil, nil, 10, 190])
  }

  @Test func reversingLeavesWhatHasNoTimeWithoutOne() async throws {
    var track = try Walks.north(seconds: 2)
    track[0].time = nil
    let reversed = try await fixes(FixBatches(track).reversed())
    #expect(
      reversed.map { $0.time?.timeIntervalSince(Walks.start) } == [1, 2, nil])
  }

  @Test func reversingTwiceIsNoChange() async throws {
    let track = try Walks.north(seconds: 600)
    #expect(try await fixes(FixBatches(track).reversed().reversed()) == track)
  }

  @Test func anErrorComesAfterTheReversedFixesBeforeIt() async throws {
    let next = try source([5, 7], then: Broken()).reversed().start()
    #expect(try await next(nil)?.count == 12)
    await #expect(throws: Broken.self) { try await next(nil) }
  }

  @Test func anErrorBeforeAnyFixComesAtOnce() async throws {
    let next = try source([], then: Broken()).reversed().start()
    await #expect(throws: Broken.self) { try await next(nil) }
  }

  @Test func aCancelledReversalThrowsAtOnce() async throws {
    let next = try source([5], then: CancellationError()).reversed().start()
    await #expect(throws: CancellationError.self) { try await next(nil) }
  }
}
