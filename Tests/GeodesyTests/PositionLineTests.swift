import Foundation
import Geodesy
import Testing

@Suite struct PositionLineTests {
  /// A walk of a point a second along a meridian, with other positions in places, and 0, 0 for `nil`.
  static func walk(
    _ count: Int = 80, seconds: Double? = 1, away: [Int: Double?] = [:], segments: [Int] = []
  ) -> [Fix] {
    (0..<count).map { index in
      let latitude: Double
      if let other = away[index] {
        latitude = other ?? 0
      } else {
        latitude = 52 + Double(index) * 1e-5
      }
      let time = seconds.map { Date(timeIntervalSinceReferenceDate: Double(index) * $0) }
      return Fix(
        .clamped(latitude: latitude, longitude: latitude == 0 ? 0 : 13), time: time,
        segment: segments.count { $0 <= index })
    }
  }

  /// A flight with a position a second along a meridian.
  private static func flight(longitude: Double = 13, _ latitude: (Int) -> Double) -> [Fix] {
    (0..<80).map { index -> Fix in
      Fix(
        .clamped(latitude: latitude(index), longitude: longitude),
        time: Date(timeIntervalSinceReferenceDate: Double(index)))
    }
  }

  private static let overNullIsland: [Fix] = (-40..<40).map { index -> Fix in
    let degrees = Double(index) * 0.2
    return Fix(
      .clamped(latitude: degrees, longitude: degrees),
      time: Date(timeIntervalSinceReferenceDate: Double(index) * 150))
  }

  private static func run(_ range: Range<Int>, _ latitude: Double?) -> [Int: Double?] {
    .init(uniqueKeysWithValues: range.map { ($0, latitude) })
  }

  private static func judge(_ fixes: [Fix], batch: Int) -> (kept: [Fix], PositionOutliers) {
    var line = PositionLine()
    var kept: [Fix] = []
    for start in stride(from: 0, to: fixes.count, by: batch) {
      kept += line.judge(Array(fixes[start..<min(fixes.count, start + batch)]))
    }
    line.finish(&kept)
    return (kept, line.outliers)
  }

  struct Track: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fixes: [Fix]
    let outliers: Int

    init(_ name: String, _ fixes: [Fix], _ outliers: Int) {
      (testDescription, self.fixes, self.outliers) = (name, fixes, outliers)
    }
  }

  static let elsewhere: [Track] = [
    Track("a walk", walk(), 0),
    Track("one point far away", walk(away: [40: 53]), 1),
    Track(
      "32 points far away", walk(away: run(20..<52, 53)), 32),
    Track(
      "33 points far away", walk(away: run(20..<53, 53)), 0),
    Track(
      "a jump that stays", walk(away: run(40..<80, 53)), 0),
    Track("a jump at the end", walk(away: [79: 53]), 0),
    Track("a jump at the end of a segment", walk(away: [39: 53], segments: [40]), 0),
    Track("another segment far away", walk(away: [39: 53, 40: 53], segments: [39, 41]), 0),
    Track("a point 300 m away", walk(away: [40: 52.0031]), 0),
    Track("a point 900 m away", walk(away: [40: 52.0085]), 1),
    Track("two excursions", walk(away: [10: 53, 12: 54, 13: 55]), 3),
    Track("a flight of 250 m/s", flight { 52 + Double($0) * 0.00225 }, 0),
    Track("a flight by a clock of whole seconds", flight { 52 + Double($0 + $0 % 2) * 0.00225 }, 0),
    Track("no times", walk(seconds: nil, away: [40: 53]), 0),
    Track("far away after an hour", walk(seconds: 3_600, away: [40: 53]), 0),
    Track("one time for all", walk(seconds: 0, away: [10: 53, 20: 53, 30: 53]), 0),
    Track("null island at one time", walk(seconds: 0, away: [40: nil]), 1),
    Track(
      "null island for a minute at the start",
      walk(away: run(0..<60, nil)), 60),
    Track("a flight over null island", overNullIsland, 0),
  ]

  static let nullIslands: [Track] = [
    Track("null island", walk(away: [40: nil]), 1),
    Track("null island, no times", walk(seconds: nil, away: [40: nil, 41: nil, 60: nil]), 3),
    Track("null island at the start", walk(away: [0: nil, 1: nil]), 2),
    Track("null island at the end", walk(away: [79: nil]), 1),
    Track(
      "null island for long", walk(away: run(20..<70, nil)),
      50),
    Track(
      "nothing but null island",
      walk(away: run(0..<80, nil)), 0),
    Track("a ship at null island", flight(longitude: 0) { Double($0 - 40) * 1e-5 }, 0),
  ]

  @Test(arguments: elsewhere + nullIslands, [1, 7, 1_000])
  func findsWhereTheTrackWasNot(
    track: Track, batch: Int
  ) {
    let (kept, outliers) = Self.judge(track.fixes, batch: batch)
    #expect(outliers.count == track.outliers)
    #expect(kept.count == track.fixes.count - track.outliers)
    #expect(kept == track.fixes.filter(kept.contains))
  }

  @Test(arguments: elsewhere + nullIslands)
  func theDetourIsTheDifferenceOfTheLengths(track: Track) {
    func length(_ fixes: [Fix]) -> Double {
      zip(fixes, fixes.dropFirst()).reduce(0) { sum, leg in
        leg.0.segment == leg.1.segment
          ? sum + leg.0.coordinate.distance(to: leg.1.coordinate) : sum
      }
    }
    let (kept, outliers) = Self.judge(track.fixes, batch: 3)
    #expect(abs(length(track.fixes) - length(kept) - outliers.detour) < 1e-3)
  }
}
