import Foundation
import Geodesy
import Testing

@testable import Locations

@Suite struct FixSourceTests {
  private struct Broken: Error {}

  private func sizes(_ batches: FixSource) async throws -> [Int] {
    let next = batches.start()
    var sizes: [Int] = []
    while let batch = try await next(nil) { sizes.append(batch.count) }
    return sizes
  }

  private func fixes(_ batches: FixSource) async throws -> [Fix] {
    let next = batches.start()
    var fixes: [Fix] = []
    while let batch = try await next(nil) { fixes += batch }
    return fixes
  }

  /// Batches of these sizes, then an error, if any.
  private func source(_ sizes: [Int], then error: (any Error)? = nil) throws -> FixSource {
    let fixes = try SampleTracks.north(seconds: sizes.reduce(0, +))
    return FixSource(.file) {
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
    let batches = FixSource(try SampleTracks.north(seconds: seconds))
    #expect(try await sizes(batches) == expected)
    #expect(try await sizes(batches) == expected)
  }

  @Test func aSequenceMayMakeItsFixesAsItGoes() async throws {
    let coordinate = try Coordinate(latitude: 1, longitude: 2)
    let made = (0..<1_000).lazy.map { _ in Fix(coordinate) }
    #expect(try await sizes(FixSource(Array(made))) == [256, 256, 256, 232])
    #expect(try await sizes(FixSource([])) == [])
  }

  @Test func fixesThatAreHeldToJudgeThemComeBeforeAnError() async throws {
    var batches = try source([3, 2], then: Broken()).judged().start()
    #expect(try await batches(nil)?.count == 5)
    await #expect(throws: Broken.self) { try await batches(nil) }
    batches = try source([100, 2]).judged().start()
    #expect(try await batches(nil)?.count == 100)
    #expect(try await batches(nil)?.count == 2)
    #expect(try await batches(nil) == nil)
  }

  @Test func reversingKeepsTheDurationsAndTurnsTheCourse() async throws {
    var track = try SampleTracks.north(seconds: 3)
    track[2].time = SampleTracks.start.addingTimeInterval(2.5)
    track[0].course = 10
    track[1].course = 190
    let reversed = try await fixes(FixSource(track).reversed())
    #expect(reversed.map(\.coordinate) == track.reversed().map(\.coordinate))
    #expect(
      reversed.map { $0.time?.timeIntervalSince(SampleTracks.start) } == [0, 0.5, 2, 3])
    #expect(reversed.map(\.course) == [nil, nil, 10, 190])
  }

  @Test func reversingLeavesWhatHasNoTimeWithoutOne() async throws {
    var track = try SampleTracks.north(seconds: 2)
    track[0].time = nil
    let reversed = try await fixes(FixSource(track).reversed())
    #expect(
      reversed.map { $0.time?.timeIntervalSince(SampleTracks.start) } == [1, 2, nil])
  }

  @Test func reversingAnEmptyTrackGivesNothing() async throws {
    #expect(try await fixes(FixSource([]).reversed()).isEmpty)
  }

  @Test func reversingATrackWithoutTimesInventsNone() async throws {
    let track = try SampleTracks.north(seconds: 5, isTimed: false)
    let reversed = try await fixes(FixSource(track).reversed())
    #expect(reversed == track.reversed())
  }

  @Test func reversingKeepsSegmentsApart() async throws {
    let track =
      try SampleTracks.north(seconds: 2) + SampleTracks.north(seconds: 1, segment: 1)
    let reversed = try await fixes(FixSource(track).reversed())
    #expect(reversed.map(\.segment) == [1, 1, 0, 0, 0])
  }

  @Test(arguments: [(0.0, 180.0), (180, 0), (359.5, 179.5), (90, 270), (270, 90)])
  func aReversedCourseIsTheOppositeOne(course: Double, opposite: Double) async throws {
    var track = try SampleTracks.north(seconds: 0)
    track[0].course = course
    #expect(try await fixes(FixSource(track).reversed()).map(\.course) == [opposite])
  }

  @Test func eachIterationOfAReversedTrackReadsItAnew() async throws {
    let reversed = FixSource(try SampleTracks.north(seconds: 300)).reversed()
    #expect(try await sizes(reversed) == [301])
    #expect(try await sizes(reversed) == [301])
  }

  @Test func batchesOfAnotherSequenceStayAsTheyAre() async throws {
    let track = try SampleTracks.north(seconds: 9)
    let (batches, continuation) = AsyncThrowingStream<[Fix], any Error>.makeStream()
    for size in [1, 0, 4, 5] { continuation.yield(Array(track.prefix(size))) }
    continuation.finish()
    #expect(try await sizes(FixSource(batches: batches)) == [1, 0, 4, 5])
  }

  @Test func reversingTwiceIsNoChange() async throws {
    let track = try SampleTracks.north(seconds: 600)
    #expect(try await fixes(FixSource(track).reversed().reversed()) == track)
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

  @Test func aCanceledReversalThrowsAtOnce() async throws {
    let next = try source([5], then: CancellationError()).reversed().start()
    await #expect(throws: CancellationError.self) { try await next(nil) }
  }
}
