import FaketrackFeatures
import FaketrackTestSupport

/// The output of a format for visits.
enum Output {
  static func text(_ format: OutputFormat, _ visits: [Visit]) -> String {
    format.frame(false).text(around: format.makeRenderer(nil).text(of: visits))
  }

  static func csv(_ visits: [Visit]) -> String { text(.csv, visits) }
}
