import FaketrackSupport
import Foundation
import Geodesy
import Locations
import Testing

/// Recordings that are the same walk, and recordings that are not.
@Suite struct MatchTests {
  /// A walk of a kilometer to the north, a pause of a minute, and a kilometer to the east, at a meter a second.
  private static func walk(every step: Double = 1) throws -> [Fix] {
    let start = try Coordinate(latitude: 52, longitude: 13)
    let corner = start.destination(distance: 1_000, bearing: 0)
    return stride(from: 0.0, through: 2_060, by: step).map { second in
      let place =
        second <= 1_000
        ? start.destination(distance: second, bearing: 0)
        : corner.destination(distance: max(0, second - 1_060), bearing: 90)
      var fix = Fix(place, time: SampleTracks.start + second)
      fix.distance = min(second, max(1_000, second - 60))
      return fix
    }
  }

  /// The locations of a distance filter of 100 m.
  private static func golden() throws -> [Fix] {
    var last: Fix?
    return try walk().filter { fix in
      if let last, last.coordinate.distance(to: fix.coordinate) < 100 { return false }
      last = fix
      return true
    }
  }

  private static func moved(
    _ fixes: [Fix], by meters: (Int) -> Double, bearing: Double
  ) -> [Fix] {
    fixes.enumerated().map { index, fix in
      var fix = fix
      fix.coordinate = fix.coordinate.destination(distance: meters(index), bearing: bearing)
      return fix
    }
  }

  private static func late(_ fixes: [Fix], by seconds: Double, from index: Int = 0) -> [Fix] {
    fixes.enumerated().map { number, fix in
      var fix = fix
      if number >= index { fix.time?.addTimeInterval(seconds) }
      return fix
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var tolerance = 12.0
    var times = WalkExpectation.TimeTolerance.automatic
    let isMet: Bool
    let recording: @Sendable () throws -> [Fix]

    init(
      _ name: String, isMet: Bool, tolerance: Double = 12,
      times: WalkExpectation.TimeTolerance = .automatic,
      _ recording: @escaping @Sendable () throws -> [Fix]
    ) {
      (testDescription, self.isMet, self.recording) = (name, isMet, recording)
      (self.tolerance, self.times) = (tolerance, times)
    }
  }

  private static let same: [Case] = [
    Case("the same", isMet: true, tolerance: 0) { try walk() },
    Case("moved aside", isMet: true) { moved(try walk(), by: { _ in 11 }, bearing: 45) },
    Case("noise along the way", isMet: true) {
      moved(try walk(), by: { $0 % 2 == 0 ? 6 : -6 }, bearing: 0)
    },
    Case("a fix each 20 s", isMet: true, tolerance: 2) { try walk(every: 20) },
    Case("a start 2 s late", isMet: true, tolerance: 5) { Array(try walk().dropFirst(2)) },
    Case("on another day", isMet: true) { late(try walk(), by: 86_400) },
    Case("10 s late from the corner on", isMet: true) { late(try walk(), by: 10, from: 1_010) },
    Case("at any time", isMet: true, times: .off) { late(try walk(), by: 600, from: 500) },
    Case("within a minute", isMet: true, times: .within(.seconds(60))) {
      late(try walk(), by: 59, from: 500)
    },
    Case("without times", isMet: true) {
      try walk().map { fix in
        var fix = fix
        fix.time = nil
        return fix
      }
    },
  ]

  private static let others: [Case] = [
    Case("the first half", isMet: false) { Array(try walk().prefix(1_000)) },
    Case("the second half", isMet: false) { Array(try walk().dropFirst(1_060)) },
    Case("reversed", isMet: false, times: .off) { Array(try walk().reversed()) },
    Case("more than the walk", isMet: false) {
      let all = try walk()
      let end = try #require(all.last)
      return all
        + (1...130).map { meters in
          Fix(
            end.coordinate.destination(distance: Double(meters), bearing: 90),
            time: end.time.map { $0 + Double(meters) })
        }
    },
    Case("a detour of 60 m", isMet: false, tolerance: 5, times: .off) {
      moved(try walk(), by: { 400..<500 ~= $0 ? 60 : 0 }, bearing: 90)
    },
    Case("a minute late from the middle on", isMet: false) { late(try walk(), by: 60, from: 500) },
    Case("a minute early from the corner on", isMet: false) {
      late(try walk(), by: -60, from: 1_060)
    },
    Case("later than a minute", isMet: false, times: .within(.seconds(60))) {
      late(try walk(), by: 80, from: 500)
    },
    Case("moved aside too far", isMet: false) {
      moved(try walk(), by: { _ in 13 }, bearing: 45)
    },
    Case("a gap in the recording", isMet: false) {
      try walk().enumerated().filter { !(250..<450 ~= $0.offset) }.map { index, fix in
        var fix = fix
        fix.segment = index < 250 ? 0 : 1
        return fix
      }
    },
  ]

  @Test(arguments: same + others)
  func tellsARecordingOfAWalkFromOthers(of recording: Case) async throws {
    for expected in [try Self.golden(), try Self.walk()] {
      let provider = ReplayLocationProvider(
        try recording.recording(), distanceFilter: 0, speed: .max,
        options: ReplayOptions(interpolation: .off))
      let outcomes = try await provider.outcomes(of: [
        .matches(expected, tolerance: recording.tolerance, times: recording.times)
      ])
      #expect(
        (outcomes[0].difference == nil) == recording.isMet,
        "\(expected.count): \(String(describing: outcomes[0].difference))")
    }
  }

  @Test func lapsAreCounted() async throws {
    let start = try Coordinate(latitude: 52, longitude: 13)
    func laps(_ count: Int) -> [Fix] {
      (0...600 * count).map { second in
        let angle = Double(second) / 600 * 360
        return Fix(
          start.destination(distance: 95, bearing: angle),
          time: SampleTracks.start + Double(second))
      }
    }
    for times in [WalkExpectation.TimeTolerance.automatic, .off] {
      for (walked, expected) in [(1, 1), (2, 2), (1, 2), (2, 1)] {
        let outcomes = try await ReplayLocationProvider(
          laps(walked), distanceFilter: 0, speed: .max, options: ReplayOptions(interpolation: .off)
        ).outcomes(of: [.matches(laps(expected), tolerance: 5, times: times)])
        #expect((outcomes[0].difference == nil) == (walked == expected), "\(walked) \(expected)")
      }
    }
  }

  @Test func aDifferenceNamesItsLocation() async throws {
    let walk = try Self.walk()
    let outcomes = try await ReplayLocationProvider(
      Self.late(walk, by: 60, from: 500), distanceFilter: 0, speed: .max,
      options: ReplayOptions(interpolation: .off)
    ).outcomes(of: [.matches(walk, tolerance: 1)])
    guard case .atAnotherTime(500...503, let time, _) = outcomes[0].difference?.kind else {
      Issue.record("\(String(describing: outcomes[0].difference))")
      return
    }
    #expect(abs(time.seconds - 561) < 3)
  }

  @Test(arguments: [(10.0, true), (30, true), (31, false), (100_000, false)])
  func aCorridorHasAWidth(meters: Double, isMet: Bool) async throws {
    let walk = try Self.walk()
    let outcomes = try await ReplayLocationProvider(
      Self.moved(walk, by: { $0 == 300 ? meters : 0 }, bearing: 90), distanceFilter: 0, speed: .max,
      options: ReplayOptions(interpolation: .off)
    ).outcomes(of: [.corridor(along: walk, width: 30.05)])
    #expect(
      (outcomes[0].difference == nil) == isMet, "\(String(describing: outcomes[0].difference))")
    guard case .outside(let away) = outcomes[0].difference?.kind else { return }
    #expect(abs(away - meters) < max(1, meters / 50))
  }
}
