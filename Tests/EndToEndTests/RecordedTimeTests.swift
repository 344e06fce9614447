import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

/// Recorded times that are wrong, in any order, and of any year.
@Suite struct RecordedTimeTests {
  private static let start = Date(timeIntervalSince1970: 1_338_544_800)
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  /// Points 6.7 m apart on a meridian; nil is a point without a time, in seconds from the start.
  private static func gpx(_ segments: [[Double?]]) -> String {
    var number = 0
    let parts: [String] = segments.map { times in
      times.map { time -> String in
        number += 1
        let moment = time.map { "<time>\(text($0))</time>" } ?? ""
        return "<trkpt lat=\"\(52 + Double(number) * 6e-5)\" lon=\"13\">\(moment)</trkpt>\n"
      }.joined()
    }
    return "<gpx><trk>\n" + parts.map { "<trkseg>\n\($0)</trkseg>\n" }.joined() + "</trk></gpx>\n"
  }

  private static func text(_ seconds: Double) -> String {
    let style = Date.ISO8601FormatStyle(timeZone: .gmt)
    return start.addingTimeInterval(seconds.rounded()).formatted(style)
  }

  /// A point every five seconds.
  private static let walk: [Double?] = (0..<120).map { Double(5 * $0) }

  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let segments: [[Double?]]
    /// The numbers of the points without a time in the output.
    var unknown: Range<Int> = 0..<0
    let elapsed: Double
    /// The beginning of the note.
    let note: String?
  }

  static let kinds = [
    Kind(testDescription: "in order", segments: [walk], elapsed: 595, note: nil),
    Kind(
      testDescription: "an hour behind, three points", segments: [shifted(60..<63, by: -3_600)],
      unknown: 60..<63, elapsed: 595, note: "3 times out of line, the first in line 63"
    ),
    Kind(
      testDescription: "an hour ahead, 32 points", segments: [shifted(60..<92, by: 3_600)],
      unknown: 60..<92, elapsed: 595,
      note: "32 times out of line, the first in line 63"),
    Kind(
      testDescription: "a cold receiver", segments: [shifted(0..<5, by: -1e9)],
      unknown: 0..<5, elapsed: 595.7, note: "5 times out of line, the first in line 3"),
    Kind(
      testDescription: "the wrong year at the end", segments: [shifted(100..<120, by: 1e11)],
      unknown: 100..<120, elapsed: 595,
      note: "20 times out of line, the first in line 103"),
    Kind(
      testDescription: "the wrong year, 33 points", segments: [shifted(40..<73, by: 1e9)],
      elapsed: 595.3, note: "2 steps of more than 366 days"),
    Kind(
      testDescription: "jitter", segments: [shifted(60..<61, by: -48)], elapsed: 595, note: nil),
    Kind(
      testDescription: "the end of daylight saving", segments: [shifted(60..<120, by: -3_600)],
      elapsed: 595.1, note: "1 step back in time"),
    Kind(
      testDescription: "the newest segment first",
      segments: [Array(walk[60...]), Array(walk[..<60])], elapsed: 590, note: "1 step back in time"),
    Kind(
      testDescription: "a pause of eight hours", segments: [shifted(60..<120, by: 28_800)],
      elapsed: 29_395, note: nil),
  ]

  private static func shifted(_ range: Range<Int>, by seconds: Double) -> [Double?] {
    walk.enumerated().map { range.contains($0) ? $1.map { $0 + seconds } : $1 }
  }

  @Test(arguments: kinds)
  func aTimeIsTheRecordedOneOrNone(kind: Kind) async throws {
    try home.file("walk.gpx", Self.gpx(kind.segments))
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--format", "ndjson", "--distance-filter", "0")
    let records = try run.records
    let recorded = kind.segments.joined().map { $0.map(Self.text) }
    let expected = recorded.enumerated().map { kind.unknown.contains($0) ? nil : $1 }
    #expect(records.map(\.time) == expected)
    #expect(abs((records.last?.elapsed ?? 0) - kind.elapsed) < 0.1)
    let notes = run.errorLines.filter { $0.hasPrefix("note: ") && $0.contains(/time|days/) }
    #expect(notes.count == (kind.note == nil ? 0 : 1))
    #expect(kind.note.map { notes.first?.hasPrefix("note: " + $0) == true } ?? true)
    let info = try await home.run("info", "walk.gpx", "--format", "ndjson", "--no-cities").object
    let duration = try #require(info["duration"] as? Double)
    #expect(duration < 40_000)
    #expect(try #require(info["movingTime"] as? Double) <= duration)
  }

  /// Times in any order, with gaps and of years of all kinds.
  private static func wild(_ seed: UInt64) -> [[Double?]] {
    var random = SplitMix64(seed: seed)
    var time = 0.0
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in
      (0..<Int.random(in: 1...60, using: &random)).map { _ in
        let steps = [1, 1, 1, -7, -70, 30_000, -30_000, 4e7, -4e7, 2e11, -6e10] as [Double]
        let step = steps.randomElement(using: &random) ?? 1
        if Bool.random(using: &random) { return min(max(time + step, -6e10), 2.5e11) }
        time = min(max(time + step, -6e10), 2.5e11)
        return Int.random(in: 0..<9, using: &random) == 0 ? nil : time
      }
    }
  }

  @Test(arguments: 0..<8)
  func anyTimesLeadToAnOutputInBounds(seed: UInt64) async throws {
    let segments = Self.wild(seed)
    let count = segments.joined().count
    let recorded = Set(segments.joined().compactMap { $0.map(Self.text) })
    try home.file("walk.gpx", Self.gpx(segments))
    for options in ["", "--distance-filter 5", "--interval 10", "--reverse", "--loop 2"] {
      let run = try await home.run(
        ["replay", "walk.gpx", "--photos", "none", "--format", "ndjson"]
          + options.split(separator: " ").map(String.init))
      #expect(run.code == 0)
      let records = try run.records
      #expect(zip(records, records.dropFirst()).allSatisfy { $0.elapsed <= $1.elapsed })
      #expect(records.count <= 100 * count)
      guard !options.contains(/reverse|loop/) else { continue }
      #expect(records.allSatisfy { $0.interpolated || $0.time.map(recorded.contains) ?? true })
    }
    for format in ["csv", "geojson", "gpx", "list", "md", "nmea", "xcode", "simctl", "adb"] {
      let run = try await home.run(
        "replay", "walk.gpx", "--photos", "none", "--format", format, "--distance-filter", "0")
      #expect(run.code == 0)
      // A leg of six hours has a fix each second.
      #expect(run.outputData.count <= 21_600 * 200 * count, "\(format)")
      if format == "xcode" {
        let times = run.output.matches(of: /<time>([^<]*)/).map(\.1)
        #expect(times == times.sorted())
      }
    }
    let info = try await home.run("info", "walk.gpx", "--format", "ndjson", "--no-cities").object
    if let moving = info["movingTime"] as? Double {
      #expect(moving <= info["duration"] as? Double ?? 0)
    }
    let check = try await home.run(
      "check", "walk.gpx", "--enters", "52.0012,13,20", "--leaves", "52,13,100", "--within", "1h")
    #expect(check.code == 0 || check.code == 1)
  }

  /// Nothing is written for the seconds of a long pause, whatever is known of the points around it.
  @Test(arguments: [[0, nil, 3e6], [nil, 0, 3e6], [0, 3e6, nil], [0, nil, 3e7, nil, 6e7]])
  func aPauseOfWeeksIsNotFilled(times: [Double?]) async throws {
    try home.file("walk.gpx", Self.gpx([times]))
    for format in ["nmea", "xcode", "adb"] {
      let run = try await home.run("replay", "walk.gpx", "--photos", "none", "--format", format)
      #expect(run.code == 0 && run.lines.count < 200)
    }
  }

  @Test(arguments: [[nil, 5, 10, 15], [-1e9, 5, 10, 15]])
  func timesBeforeTheFirstUsableOneAreCountedBack(times: [Double?]) async throws {
    try home.file("walk.gpx", Self.gpx([times]))
    let run = try await home.run("replay", "walk.gpx", "--photos", "none", "--format", "xcode")
    let counted = run.output.matches(of: /<wpt [^>]*>(?:<time>([^<]*))?/).map { String($0.1 ?? "") }
    #expect(counted.first.map { $0.hasPrefix("2012-06-01T09:59:59.8") } == true)
    #expect(counted == counted.sorted() && counted.count == 16)
  }

  @Test func whatOrdersByTimeCountsOnFromTheFirstUsableOne() async throws {
    try home.file("walk.gpx", Self.gpx([Self.shifted(60..<120, by: -3_600)]))
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--format", "xcode")
    let times = run.output.matches(of: /<time>([^<]*)/).map { String($0.1) }
    #expect(times.first == Self.text(0))
    #expect(times.last == Self.text(595))
    #expect(times.count == 596)
  }

  @Test func aPipeIsNotHeldWhileItsTimesAdvance() async throws {
    let process = try home.start(
      ["replay", "-", "--photos", "none", "--format", "ndjson", "--interval", "off"],
      .init(input: .later))
    let points = (0..<30).map { number in
      "<trkpt lat=\"52.\(10 + number)\" lon=\"13\"><time>\(Self.text(Double(number) * 7_200))</time></trkpt>\n"
    }
    try process.type("<gpx><trk><trkseg>\n" + points.joined())
    // The reader keeps the last few.
    try await process.output.waitFor("\"index\":20,")
    try process.type("</trkseg></trk></gpx>")
    try process.endInput()
    #expect(await process.result().code == 0)
  }
}
