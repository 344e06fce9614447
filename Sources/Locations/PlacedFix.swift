import Geodesy

/// How far along its track a walk has come; further laps go on counting.
struct WalkPlace: Hashable {
  /// Seconds of track time since the start of the track.
  var elapsed = 0.0
  /// Metres since the start of the track.
  var walked = 0.0

  /// The place at `fraction` of the way to another.
  func interpolated(to next: WalkPlace, fraction: Double) -> WalkPlace {
    WalkPlace(
      elapsed: elapsed + fraction * (next.elapsed - elapsed),
      walked: walked + fraction * (next.walked - walked))
  }
}

/// A fix and its place on the walk.
struct PlacedFix {
  var fix: Fix
  var place: WalkPlace
  /// How often the walk had been walked whole before.
  var lap = 0
}
