import FaketrackFeatures

/// A form of output for the visits of a walk: what comes before them, each of them, what comes
/// after. Texts end with their own line break.
package protocol VisitFormatting: Sendable {
  /// What comes before the first visit.
  var opening: String { get }
  /// The visit, or nothing where this form has none to show.
  mutating func text(for visit: Visit) -> String
  /// What comes after the last visit.
  var closing: String { get }
}

extension VisitFormatting {
  package var opening: String { "" }
  package var closing: String { "" }
}
