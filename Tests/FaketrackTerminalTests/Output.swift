import FaketrackFeatures
import FaketrackTerminal
import FaketrackTestSupport

/// The output of `replay`.
enum Output {
  /// The whole output of a walk in a format.
  static func text(_ format: OutputFormat, _ visits: [Visit]) -> String {
    format.frame(false).text(
      around: format.renderer(nil).text(of: visits))
  }
}
