import FaketrackFeatures
import PhotoSearch

/// What a replay came to, said once at its end.
package enum ReplaySummary {
  /// - Parameters:
  ///   - state: the walk at its end.
  ///   - counts: what was asked of the photo source; `nil` where none was.
  ///   - skipped: points of the file that could not be used.
  package static func text(
    for state: TrackingState, counts: PhotoCounts?, skipped: Int
  ) -> String {
    var parts = [
      Quantity.count(state.searched, "location"),
      Quantity.distance(state.visits.last?.fix.distance ?? 0),
    ]
    if let counts {
      parts.append(Quantity.count(state.photos, "photo"))
      // A photo that was found and could not be kept is a failure too.
      let unkept = max(0, state.failures - counts.failed)
      let failed = state.failures - unkept
      let missing = state.searched - state.photos - failed
      if missing > 0 { parts.append("\(Quantity.grouped(missing)) without a photo") }
      if unkept > 0 { parts.append("\(Quantity.grouped(unkept)) not kept") }
      if failed > 0 {
        parts.append(Quantity.count(failed, "failed search", plural: "failed searches"))
      }
      parts.append(
        "\(Quantity.count(counts.calls, "call")) (\(Quantity.grouped(counts.saved)) saved)")
    }
    if skipped > 0 { parts.append("\(Quantity.count(skipped, "point")) skipped") }
    return parts.joined(separator: ", ")
  }
}
