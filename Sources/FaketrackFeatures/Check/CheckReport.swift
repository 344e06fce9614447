import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations

/// The outcomes of `check` for one track.
package struct CheckedTrack: Sendable {
  package struct Row: Sendable {
    /// The expectation, as it was given.
    package let name: String
    package let outcome: WalkOutcome

    package init(_ name: String, _ outcome: WalkOutcome) {
      self.name = name
      self.outcome = outcome
    }

    /// The difference in words, with its place; `nil` if the walk met the expectation.
    var failure: String? {
      outcome.difference.map { difference in
        ([CheckWords.words(of: difference, outcome.expectation)]
          + CheckWords.place(of: outcome.location))
          .joined(separator: ", ")
      }
    }
  }

  package struct Result: Sendable {
    /// A row for each expectation; none if the track cannot be checked at all.
    let rows: [Row]
    /// The reason why the track cannot be checked to its end.
    package let error: Failure?

    package init(_ rows: [Row], error: Failure? = nil) {
      (self.rows, self.error) = (rows, error)
    }
  }

  let name: String
  private let result: Result

  package init(_ name: String, _ result: Result) {
    (self.name, self.result) = (name, result)
  }

  var rows: [Row] { result.rows }
  var error: Failure? { result.error }
  var failures: [Row] { rows.filter { $0.failure != nil } }
}

/// Differences in words.
private enum CheckWords {
  static func words(of difference: WalkOutcome.Difference, _ expectation: WalkExpectation) -> String
  {
    func meters(_ meters: Double) -> String { Quantity.distance(meters, in: .metric) }
    func seconds(_ time: Duration) -> String { "\(DecimalText.fixed(time.seconds, places: 0)) s" }
    let verb =
      switch expectation.kind {
      case .leaves: "left"
      case .passes: "passed"
      default: "entered"
      }
    return switch difference.kind {
    case .noLocation: "there is no location"
    case .notReached(let nearest): "never entered; closest \(meters(nearest)) away"
    case .notLeft: "never left after it was entered"
    case .outOfOrder: "\(verb) only before what should come first"
    case .tooLate(let time):
      time.map { "\(verb) after \(Quantity.exactDuration($0.seconds))" }
        ?? "\(verb) at an unknown time"
    case .notAvoided: "entered"
    case .tooShort(let time):
      time.map { "stayed \(Quantity.exactDuration($0.seconds)) at most" }
        ?? "stayed for an unknown time"
    case .notPassed(let number, let nearest):
      (number > 1
        ? "area \(number) never entered after area \(number - 1)" : "area 1 never entered")
        + (nearest.map { "; closest \(meters($0)) away" } ?? "; the walk ends there")
    case .elsewhere(let number, let away): "location \(number) is not passed; \(meters(away)) away"
    case .atAnotherTime(let number, let time, let expected):
      "location \(number) is passed after \(seconds(time)), not after \(seconds(expected))"
    case .tooFew(let count): "ends after \(Quantity.count(count, "location"))"
    case .tooMany: "goes on after the last location"
    case .outside(let away): "\(meters(away)) away from the line"
    case .tooFast(let speed):
      "\(DecimalText.fixed(speed, places: 1)) m/s (\(DecimalText.fixed(speed * 3.6, places: 1)) km/h)"
    case .tooFar(let away): "\(meters(away)) after the location before"
    case .tooLong(let time): "\(Quantity.exactDuration(time.seconds)) after the location before"
    }
  }

  /// The time in UTC, rounded to some places of its seconds.
  static func time(of fix: Fix, places: Int) -> String? {
    fix.time.flatMap {
      GPXTime.string(
        Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(places: places)))
    }
  }

  /// The distance along the track, the time and the position, as far as they are known.
  static func place(of fix: Fix?) -> [String] {
    guard let fix else { return [] }
    let position = [fix.coordinate.latitude, fix.coordinate.longitude]
      .map { DecimalText.fixed($0, places: 5) }.joined(separator: ",")
    return [
      fix.distance.map { "at \(Quantity.distance($0, in: .metric))" },
      time(of: fix, places: 0), position,
    ].compactMap(\.self)
  }
}

/// The outcomes of `check` for people, and for what shows the results of tests.
package struct CheckReport: Sendable {
  private var tracks: [CheckedTrack] = []

  package init() {}

  package mutating func add(_ track: CheckedTrack) {
    tracks.append(track)
  }

  /// The error of a track, best of a file that could not be read; `nil` if all were checked to their ends.
  package var error: Failure? {
    let errors = tracks.compactMap(\.error)
    return errors.first { $0.kind == .unchecked } ?? errors.first
  }

  /// The first difference; `nil` if there is none.
  ///
  /// - Parameter isBrief: whether the differences have been shown, and their number is enough.
  package func failure(isBrief: Bool) -> Failure? {
    let rows = tracks.flatMap(\.rows)
    let failures = tracks.flatMap(\.failures)
    guard let track = tracks.first(where: { !$0.failures.isEmpty }),
      let first = track.failures.first, let reason = first.failure
    else { return nil }
    let count = "\(failures.count) of \(Quantity.count(rows.count, "expectation")) not met"
    return Failure(
      message: isBrief ? count : "\(track.name): \(first.name): \(reason) (\(count))")
  }

  /// A line for each expectation.
  package var text: String {
    tracks.flatMap { track in
      let name = tracks.count > 1 ? "\(track.name): " : ""
      return track.rows.map { row in
        if let failure = row.failure { return "failed  \(name)\(row.name): \(failure)" }
        return "ok      \(name)\(row.name)\(Self.detail(of: row.outcome))"
      }
    }.map { $0.safeForTerminal + "\n" }.joined()
  }

  private static func detail(of outcome: WalkOutcome) -> String {
    switch outcome.expectation.kind {
    case .matches(let fixes, _, _): ", \(Quantity.count(fixes.count, "location"))"
    case .avoids, .corridor, .maximumSpeed, .maximumGap, .maximumPause: ""
    case .enters, .leaves, .stays, .passes:
      (outcome.location?.distance.map { " at \(Quantity.distance($0, in: .metric))" } ?? "")
        + (outcome.isAtStart ? ", where the walk begins" : "")
    }
  }

  /// Each row of each track, and one without a row for the error of a track.
  private func lines<Line>(_ line: (CheckedTrack, CheckedTrack.Row?) -> Line) -> [Line] {
    tracks.flatMap { track in
      track.rows.map { line(track, $0) } + (track.error == nil ? [] : [line(track, nil)])
    }
  }

  /// An array with an object for each expectation.
  package var json: String {
    let objects = lines { track, row -> String in
      let fix = row?.outcome.location
      let object: JSONValue = [
        "track": .string(track.name), "expectation": .text(row?.name),
        "met": row.map { .bool($0.failure == nil) } ?? .null, "reason": .text(row?.failure),
        "distance": .rounded(fix?.distance, places: 1),
        "time": .text(fix.flatMap { CheckWords.time(of: $0, places: 3) }),
        "latitude": .rounded(fix?.coordinate.latitude, places: 7),
        "longitude": .rounded(fix?.coordinate.longitude, places: 7),
        "error": .text(row == nil ? track.error?.message : nil),
      ]
      return object.serialized
    }
    return objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }

  /// Lines of the Test Anything Protocol, version 14.
  package var tap: String {
    let tests = lines { ($0, $1) }.enumerated().map { index, line -> String in
      let (track, row) = line
      let name = row.map { "\(track.name): \($0.name)" } ?? track.name
      let reason = row == nil ? track.error?.message : row?.failure
      // A # would begin a directive.
      let title = name.safeForTerminal.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
      let test = "ok \(index + 1) - \(title)\n"
      guard let reason else { return test }
      let message = JSONValue.string(reason.safeForTerminal).serialized
      return "not \(test)  ---\n  message: \(message)\n  ...\n"
    }
    return "TAP version 14\n1..\(tests.count)\n" + tests.joined()
  }

  /// A test suite for each track in the XML format of JUnit, with a test case for each expectation.
  package var junit: String {
    let suites = tracks.map { track -> String in
      let suite = Self.escaped(track.name)
      let cases = track.rows.map { row in
        let name = "    <testcase classname=\"\(suite)\" name=\"\(Self.escaped(row.name))\""
        guard let failure = row.failure else { return name + "/>\n" }
        return name + ">\n      <failure message=\"\(Self.escaped(failure))\"/>\n    </testcase>\n"
      }
      let error = track.error.map {
        """
            <testcase classname="\(suite)" name="\(suite)">
              <error message="\(Self.escaped($0.message))"/>
            </testcase>

        """
      }
      return "  <testsuite name=\"\(suite)\" \(Self.counts(of: [track]))>\n"
        + cases.joined() + (error ?? "") + "  </testsuite>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(Self.counts(of: tracks))>
      \(suites.joined())</testsuites>

      """
  }

  private static func counts(of tracks: [CheckedTrack]) -> String {
    let errors = tracks.count { $0.error != nil }
    let tests = tracks.reduce(errors) { $0 + $1.rows.count }
    let failures = tracks.reduce(0) { $0 + $1.failures.count }
    return "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
  }

  private static func escaped(_ text: String) -> String {
    text.safeForTerminal.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
  }
}
