import FaketrackSupport
import Foundation
import Testing

@testable import Geodesy

@Suite struct TimeLineTests {
  private static let start = Date(timeIntervalSinceReferenceDate: 360_000_000)

  private func fixes(_ segments: [[Double]]) throws -> [Fix] {
    try segments.enumerated().flatMap { segment, times in
      try times.map { time in
        Fix(
          try Coordinate(latitude: 10, longitude: 20),
          time: time.isNaN ? nil : Self.start.addingTimeInterval(time), segment: segment)
      }
    }
  }

  private func judged(
    _ segments: [[Double]], _ lookahead: TimeLine.Lookahead = .file, batch: Int = .max
  ) throws -> [Fix] {
    var line = TimeLine(lookahead)
    var judged: [Fix] = []
    var rest = try fixes(segments)[...]
    while !rest.isEmpty {
      judged += line.judge(Array(rest.prefix(batch)))
      rest = rest.dropFirst(batch)
    }
    line.finish(&judged)
    return judged
  }

  /// The numbers of fixes with each verdict but ``FixOrigin/Verdict/usable``.
  private func verdicts(
    _ segments: [[Double]], _ lookahead: TimeLine.Lookahead = .file
  ) throws -> [FixOrigin.Verdict: Int] {
    let verdicts = try judged(segments, lookahead).map(\.origin.verdict)
    return Dictionary(verdicts.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.key != .usable }
  }

  /// A fix every five seconds.
  private static func walk(_ count: Int = 120, from start: Double = 0) -> [Double] {
    (0..<count).map { start + 5 * Double($0) }
  }

  @Test(arguments: [0.1, 1, 3, 15, 48])
  func jitterIsKept(seconds: Double) throws {
    var times = Self.walk()
    for index in stride(from: 7, to: 120, by: 10) { times[index] = times[index - 1] - seconds }
    #expect(try verdicts([times]) == [:])
  }

  @Test(arguments: [3_600.0, -3_600, -1e9, 1e9, 2e11, -6e10], [1, 5, 32, 33, 100])
  func aRunThatComesBackIsOutOfLineUpTo32Fixes(shift: Double, count: Int) throws {
    var times = Self.walk(300)
    for index in 100..<100 + count { times[index] += shift }
    let isLeap = abs(shift) > TimeLine.longestStep
    #expect(
      try verdicts([times])
        == (count <= 32 ? [.outOfLine: count] : isLeap ? [.leap: 2] : [.stepBack: 1]))
    let known = try judged([times]).map { $0.time != nil }
    #expect(known[..<100].allSatisfy(\.self) && known[(100 + count)...].allSatisfy(\.self))
  }

  @Test(arguments: [-1e9, 1e9, 2e11], [1, 5, 32, 33])
  func aSmallGroupYearsAwayIsOutOfLineAtBothEnds(shift: Double, count: Int) throws {
    let expected: [FixOrigin.Verdict: Int] = count <= 32 ? [.outOfLine: count] : [.leap: 1]
    var times = Self.walk()
    for index in 0..<count { times[index] += shift }
    #expect(try verdicts([times]) == expected)
    times = Self.walk()
    for index in 120 - count..<120 { times[index] += shift }
    #expect(try verdicts([times]) == expected)
  }

  struct Track: CustomTestStringConvertible, Sendable {
    let name: String
    let segments: [[Double]]
    let expected: [FixOrigin.Verdict: Int]

    init(
      _ name: String, _ segments: [Double]..., expected: [FixOrigin.Verdict: Int] = [:]
    ) {
      (self.name, self.segments, self.expected) = (name, segments, expected)
    }

    var testDescription: String { name }
  }

  private static func joined(_ parts: [Double]...) -> [Double] { parts.flatMap(\.self) }

  private static let sparse = (0..<60).map { 300 * Double($0) - ($0 < 30 ? 0 : 3_600) }

  private static let tracks: [Track] = [
    Track("a pause of eight hours", joined(walk(60), walk(60, from: 30_000))),
    Track("the start of daylight saving", joined(walk(60), walk(60, from: 3_900))),
    Track("its end", joined(walk(60), walk(60, from: -3_300)), expected: [.stepBack: 1]),
    Track("its end, a fix every five minutes", sparse, expected: [.stepBack: 1]),
    Track("three days between segments", walk(60), walk(60, from: 260_000)),
    Track("thirty years between segments", walk(60), walk(60, from: 1e9), expected: [.leap: 1]),
    Track(
      "the newest segment first", walk(60, from: 9_000), walk(60), expected: [.earlierSegment: 1]),
    Track("a segment begins before the last one ends", walk(60), walk(60, from: 280)),
    Track("two recorders", walk(), walk(), expected: [.earlierSegment: 1]),
    Track("all descending", walk().reversed(), expected: [.stepBack: 119]),
    Track("all equal", Array(repeating: 0, count: 100)),
    Track("no times", [.nan, .nan, .nan]),
    Track("one of two fixes years ahead", [0, 1e9], expected: [.leap: 1]),
    Track(
      "years away at the end", joined(walk(40), walk(3, from: 1e9)), expected: [.outOfLine: 3]),
    Track(
      "a stale time after a pause",
      joined(walk(60), walk(10, from: 30_000), [296], walk(60, from: 30_050)),
      expected: [.outOfLine: 1]),
    Track(
      "a time of the clock before it was set",
      joined(walk(60), walk(10, from: -9_000), [350], walk(60, from: -8_950)),
      expected: [.stepBack: 1, .outOfLine: 1]),
    Track(
      "one stale time after a pause", joined(walk(60), [30_000, 296], walk(60, from: 30_005)),
      expected: [.outOfLine: 1]),
    Track(
      "a fix every two minutes, one five minutes early",
      (0..<60).map { 120 * Double($0) - ($0 == 30 ? 300 : 0) }, expected: [.outOfLine: 1]),
    Track(
      "wild times", joined(walk(50), [1e9, -1e9, .nan, 4e10, -3e8], walk(50, from: 280)),
      expected: [.outOfLine: 4]),
  ]

  @Test(arguments: tracks)
  func whatIsRecordedStays(track: Track) throws {
    #expect(try verdicts(track.segments) == track.expected)
  }

  /// The good fixes are those before and after the one that is behind them.
  @Test(arguments: [(120.0, 3_300.0), (180, 5_010)])
  func aTimeBehindIsLeftOutNotTheOneBefore(interval: Double, wrong: Double) throws {
    var times = (0..<60).map { interval * Double($0) }
    times[30] = wrong
    let unknown = try judged([times]).indices { $0.time == nil }
    #expect(unknown.ranges.map(\.lowerBound) == [30])
  }

  @Test func fixesWithoutTimesAreNotHeldForever() throws {
    var line = TimeLine(.file)
    let start: [Double] = Self.walk(40) + [4_000, 4_005, 215]
    let untimed = Array(repeating: Double.nan, count: 200)
    #expect(line.judge(try fixes([start + untimed])).count > 150)
  }

  @Test func waypointsAreInNoSegment() throws {
    var line = TimeLine(.file)
    let places = try fixes([[0, 9_000, 60, 1e9, 120]]).map { fix in
      var fix = fix
      fix.segment = -1
      return fix
    }
    let verdicts = line.judge(places).map(\.origin.verdict)
    #expect(verdicts == [.usable, .usable, .stepBack, .leap, .leap])
  }

  @Test func liveTimesAreNotHeldWhileTheyAdvance() throws {
    var line = TimeLine(.stream)
    for seconds in [0, 1, 2, 21_600, 21_601.0] {
      #expect(line.judge(try fixes([[seconds]])).count == 1)
    }
    #expect(line.judge(try fixes([[21_500]])).isEmpty)
    #expect(line.judge(try fixes([[21_602]])).isEmpty)
    let judged = line.judge(try fixes([[21_603]])).map(\.time)
    #expect(judged == [nil, Self.start + 21_602, Self.start + 21_603])
    #expect(line.judge(try fixes([[90_000]])).isEmpty)
  }

  @Test func aReceiverIsNeverHeld() throws {
    var line = TimeLine(.none)
    let times: [Double] = [0, 100, 50, 0, 1e9, 1e9 + 1]
    let verdicts = try times.map { time in
      let judged = line.judge(try fixes([[time]]))
      #expect(judged.map { $0.time != nil } == [true])
      return judged[0].origin.verdict
    }
    #expect(verdicts == [.usable, .usable, .usable, .stepBack, .leap, .usable])
  }

  /// Times in any order, with any gap, of any year.
  private static func wild(_ random: inout some RandomNumberGenerator) -> [[Double]] {
    let steps: [ClosedRange<Double>] = [1...1, 1...1, -60...60, -9_000...90_000, -6e10...2e11]
    var time = 0.0
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in
      (0..<Int.random(in: 0...200, using: &random)).map { _ in
        let step = Double.random(in: steps.randomElement(using: &random) ?? 1...1, using: &random)
        if Bool.random(using: &random) { return time + step }
        time += step
        return Int.random(in: 0..<9, using: &random) == 0 ? .nan : time
      }
    }
  }

  @Test(arguments: 0..<60)
  func everyTimeIsTheRecordedOneOrNone(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let segments = Self.wild(&random)
    let recorded = try fixes(segments)
    for lookahead in [TimeLine.Lookahead.file, .stream, .none] {
      let judged = try judged(segments, lookahead)
      #expect(judged.count == recorded.count)
      for (fix, original) in zip(judged, recorded) {
        #expect(fix.time == original.time || fix.origin.verdict == .outOfLine && fix.time == nil)
        #expect(fix.origin.verdict != .open)
      }
      // Batches make no difference.
      let inParts = try self.judged(segments, lookahead, batch: 1 + Int(seed % 7))
      #expect(inParts.map(\.time) == judged.map(\.time))
      #expect(inParts.map(\.origin.verdict) == judged.map(\.origin.verdict))
    }
  }

  @Test func anOriginKeepsItsLineAndIsNoPartOfAFix() throws {
    var fix = try fixes([[0]])[0]
    let other = fix
    #expect(fix.origin.line == nil)
    fix.origin = FixOrigin(line: 500_000_000)
    fix.origin.verdict = .leap
    #expect(fix.origin.line == 500_000_000)
    #expect(fix.origin.verdict == .leap)
    #expect(fix == other && fix.hashValue == other.hashValue)
  }
}
