/// What became of a location's search.
package enum PhotoOutcome: Hashable, Sendable {
  /// The photo, and its distance from the location in metres if it is known where it was taken.
  case found(Photo, distance: Double?)
  /// There is no photo here.
  case nothing
  /// The search failed for good.
  case failed(PhotoSearchError)
  /// The task was cancelled before there was an answer.
  case cancelled
}
