import Geodesy
import Testing

@testable import GPX

@Suite struct ReadShareTests {
  /// Fixes on the equator, a thousandth of a degree or 111.3 m apart.
  private func fixes(_ numbers: Range<Int>, segment: Int = 0) throws -> [Fix] {
    try numbers.map {
      Fix(try Coordinate(latitude: 0, longitude: Double($0) / 1_000), segment: segment)
    }
  }

  private let step = 111.319_490_793

  private func isAbout(_ share: Double?, _ expected: Double) -> Bool {
    share.map { abs($0 - expected) < 1e-6 } ?? false
  }

  @Test func nothingIsKnownBeforeAnythingIsRead() {
    var share = ReadShare()
    #expect(share.share(at: 0, laps: 1) == nil)
  }

  @Test func followsTheWalkerThroughWhatWasRead() throws {
    var share = ReadShare()
    share.add(try fixes(0..<11), fraction: 0.1)
    share.add(try fixes(11..<21), fraction: 0.4)
    #expect(isAbout(share.share(at: 0, laps: 1), 0))
    #expect(isAbout(share.share(at: 5 * step, laps: 1), 0.05))
    #expect(isAbout(share.share(at: 10 * step, laps: 1), 0.1))
    #expect(isAbout(share.share(at: 15 * step, laps: 1), 0.25))
    #expect(isAbout(share.share(at: 99 * step, laps: 1), 0.4), "no more than has been read")
  }

  @Test func countsByLengthOnceAllIsRead() throws {
    var share = ReadShare()
    share.add(try fixes(0..<11), fraction: 0.9)
    share.finish()
    #expect(isAbout(share.share(at: 5 * step, laps: 1), 0.5))
    #expect(isAbout(share.share(at: 5 * step, laps: 2), 0.25))
    #expect(share.share(at: 50 * step, laps: 1) == 1)
  }

  @Test func aGapAddsNothing() throws {
    var share = ReadShare()
    share.add(try fixes(0..<11), fraction: 0.5)
    share.add(try fixes(500..<511, segment: 1), fraction: 1)
    share.finish()
    #expect(isAbout(share.share(at: 10 * step, laps: 1), 0.5))
  }

  @Test func aPipeIsKnownOnceAllOfItIsRead() throws {
    var share = ReadShare()
    share.add(try fixes(0..<11), fraction: nil)
    #expect(share.share(at: step, laps: 1) == nil)
    share.finish()
    #expect(isAbout(share.share(at: step, laps: 1), 0.1))
  }

  @Test func aTrackWithoutLengthIsDone() throws {
    var share = ReadShare()
    share.add(try fixes(0..<1), fraction: 1)
    #expect(share.share(at: 0, laps: 3) != nil)
    share.finish()
    #expect(share.share(at: 0, laps: 3) == 1)
  }
}
