import Foundation
import GPX
import Geodesy
import Testing

@Suite struct ElevationLineTests {
  /// A walk of a point a second at a level, with other elevations in places.
  static func walk(
    _ others: [Int: Double] = [:], level: Double = 520, seconds: Double? = 1
  ) -> [Fix] {
    (0..<100).map { index in
      Fix(
        .clamped(latitude: 52 + Double(index) * 1e-5, longitude: 13),
        time: seconds.map { Date(timeIntervalSinceReferenceDate: Double(index) * $0) },
        elevation: others[index] ?? level)
    }
  }

  private static func runs(_ range: Range<Int>, _ elevation: Double) -> [Int: Double] {
    .init(uniqueKeysWithValues: range.map { ($0, elevation) })
  }

  private static let fall: [Int: Double] = .init(
    uniqueKeysWithValues: (40..<100).map { ($0, Double(4_000 - 55 * (min($0, 90) - 40))) })

  struct Track: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fixes: [Fix]
    let outliers: Int

    init(_ name: String, _ fixes: [Fix], _ outliers: Int) {
      (testDescription, self.fixes, self.outliers) = (name, fixes, outliers)
    }
  }

  static let tracks: [Track] = [
    Track("level", walk(), 0),
    Track("two bad points", walk([50: 3_000, 51: 3_100]), 2),
    Track("32 bad points", walk(runs(40..<72, 3_000)), 32),
    Track("33 bad points", walk(runs(40..<73, 3_000)), 0),
    Track("three zeros at the start", walk(runs(0..<3, 0)), 3),
    Track("40 zeros at the start", walk(runs(0..<40, 0)), 0),
    Track("zeros at the end", walk(runs(97..<100, 0)), 3),
    Track("zeros without times", walk([3: 0, 4: 0, 99: 0], seconds: nil), 3),
    Track("zeros in the middle without times", walk([50: 0, 51: 0], seconds: nil), 0),
    Track("zeros in the middle", walk([50: 0, 51: 0]), 2),
    Track("the sea", walk(runs(0..<3, 0), level: 40), 0),
    Track("a sensor that reports −32,768", walk([0: -32_768, 99: -32_768], level: 12), 2),
    Track("a gondola with a paused recorder", walk(runs(50..<100, 1_780)), 0),
    Track("a gondola at the end", walk(runs(98..<100, 1_780)), 0),
    Track("a fall of 55 m/s", walk(fall), 0),
    Track("a hill a minute apart", walk([50: 900], seconds: 60), 0),
    Track("a hill at one time", walk([50: 900, 51: 1_300, 52: 900], seconds: 0), 0),
    Track("all zeros", walk(level: 0), 0),
  ]

  @Test(arguments: tracks)
  func removesElevationsThatAreNotOfTheTrack(
    track: Track
  ) {
    var line = ElevationLine()
    var judged = line.judge(track.fixes)
    line.finish(&judged)
    #expect(line.outliers.count == track.outliers)
    #expect(judged.count { $0.elevation == nil } == track.outliers)
    #expect(judged.map(\.coordinate) == track.fixes.map(\.coordinate))
  }

  @Test func segmentsAreJudgedAlone() {
    var fixes = Self.walk()
    for index in 50..<100 { fixes[index].segment = 1 }
    for index in 50..<53 { fixes[index].elevation = 0 }
    var line = ElevationLine()
    var judged = line.judge(fixes)
    line.finish(&judged)
    #expect(line.outliers.count == 3)
  }

  @Test(arguments: tracks)
  func outliersAreNoAscent(track: Track) {
    let statistics = TrackStatistics(track.fixes)
    #expect(statistics.elevationOutliers.count == track.outliers)
    if track.outliers > 0 { #expect(statistics.ascent < 5 && statistics.descent < 5) }
  }
}
