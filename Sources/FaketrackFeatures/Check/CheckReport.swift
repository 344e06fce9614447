import FaketrackSupport
import Locations

/// The outcomes of `check` for people, and for what shows the results of tests.
package struct CheckReport: Sendable {
  package struct Row: Sendable {
    /// The expectation, as it was given.
    package let name: String
    package let outcome: WalkOutcome

    package init(_ name: String, _ outcome: WalkOutcome) {
      self.name = name
      self.outcome = outcome
    }

    /// The difference in words; `nil` if the walk met the expectation.
    var failure: String? { outcome.difference.map(words) }

    private func words(_ difference: WalkOutcome.Difference) -> String {
      func seconds(_ time: Duration) -> String { "\(DecimalText.fixed(time.seconds, places: 0)) s" }
      let isEntry = if case .enters = outcome.expectation.kind { true } else { false }
      switch difference.kind {
      case .noLocation: return "there is no location"
      case .notReached(let nearest, let place):
        let along = place.map { ", at \(Quantity.distance($0, in: .metric))" } ?? ""
        let radius =
          outcome.expectation.region.map { Quantity.distance($0.radius, in: .metric) } ?? "it"
        return
          "never within \(radius); closest \(Quantity.distance(nearest, in: .metric)) from the center\(along)"
      case .notLeft: return "never left"
      case .outOfOrder: return "\(isEntry ? "entered" : "left") only before what should come first"
      case .tooLate(let time):
        let moment =
          time.map { "after \(Quantity.exactDuration($0.seconds))" } ?? "at an unknown time"
        return "\(isEntry ? "entered" : "left") \(moment)"
      case .elsewhere(let number, let location, let meters):
        let place = location.coordinate
        let degrees = [place.latitude, place.longitude].map { DecimalText.fixed($0, places: 6) }
        return "location \(number) is \(DecimalText.fixed(meters, places: 1)) m away, at "
          + degrees.joined(separator: ", ")
      case .atAnotherTime(let number, let time, let expected):
        return "location \(number) comes after \(seconds(time)), not after \(seconds(expected))"
      case .tooFew(let count): return "ends after \(Quantity.count(count, "location"))"
      case .tooMany: return "goes on after the last location"
      }
    }
  }

  private let track: String
  private let rows: [Row]

  package init(_ track: String, _ rows: [Row]) {
    self.track = track
    self.rows = rows
  }

  private var failures: [Row] { rows.filter { $0.failure != nil } }

  /// The first difference; `nil` if there is none.
  package var failure: Failure? {
    guard let first = failures.first, let reason = first.failure else { return nil }
    let count = rows.count > 1 ? " (\(failures.count) of \(rows.count) failed)" : ""
    return Failure(message: "\(track): \(first.name): \(reason)\(count)")
  }

  /// A line for each expectation.
  package var text: String {
    rows.map { row in
      let (isMet, detail): (Bool, String) =
        switch (row.failure, row.outcome.expectation.kind) {
        case (let failure?, _): (false, ": \(failure)")
        case (nil, .matches(let fixes, _)): (true, ", \(Quantity.count(fixes.count, "location"))")
        case (nil, _):
          (
            true,
            row.outcome.location?.distance.map { " at \(Quantity.distance($0, in: .metric))" } ?? ""
          )
        }
      return "\(isMet ? "ok    " : "failed")  \(row.name)\(detail)".safeForTerminal + "\n"
    }.joined()
  }

  /// A test suite in the XML format of JUnit, one test case for each expectation.
  package var junit: String {
    let suite = Self.escaped(track)
    let cases = rows.map { row in
      let name = "    <testcase classname=\"\(suite)\" name=\"\(Self.escaped(row.name))\""
      guard let failure = row.failure else { return name + "/>\n" }
      return name + ">\n      <failure message=\"\(Self.escaped(failure))\"/>\n    </testcase>\n"
    }
    let counts = "tests=\"\(rows.count)\" failures=\"\(failures.count)\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="\(suite)" \(counts)>
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.safeForTerminal.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing("\"", with: "&quot;")
  }
}
