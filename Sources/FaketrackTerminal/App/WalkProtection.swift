import FaketrackFeatures

/// Asks once before a walk ends that cannot be repeated: a recording that is not saved, or a walk that targets take.
struct WalkProtection {
  /// Whether targets take the walk.
  let feeds: Bool
  /// The key or command that was asked about: the next time it ends the walk.
  private(set) var asked: String?
  /// The walk and the number of its locations that have been saved.
  private(set) var saved = (walk: 0, locations: 0)

  mutating func noteSaved(_ walk: TrackingState) { saved = (walk.walk, walk.locations) }

  /// Notes that something else was pressed.
  mutating func forget() { asked = nil }

  /// The question about a key or command; `nil` if it may end the walk.
  ///
  /// - Parameter again: the way to confirm it.
  mutating func question(
    about name: String, again: String, _ walk: TrackingState
  ) -> String? {
    let isSaved = saved == (walk.walk, walk.locations)
    let isRecording = walk.isLive && walk.locations > 0 && !isSaved
    guard isRecording || feeds && walk.isUnderWay, asked != name else {
      asked = nil
      return nil
    }
    asked = name
    let reason = isRecording ? "The recording is not saved" : "Targets take the walk"
    return "\(reason): w saves it, \(again) again ends it."
  }
}
