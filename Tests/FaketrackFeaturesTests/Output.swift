import FaketrackFeatures
import FaketrackTestSupport

/// The output of a format for visits.
enum Output {
  static func text(_ format: OutputFormat, _ visits: [Visit], track: String? = nil) -> String {
    format.frame(track != nil).text(around: format.renderer(track).text(of: visits))
  }

  static func csv(_ visits: [Visit]) -> String { text(.csv, visits) }
}
