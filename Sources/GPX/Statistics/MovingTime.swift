/// The time of a track without the pauses.
struct MovingTime {
  /// Metres per second below which a leg holds a pause.
  static let threshold = 0.3

  private var moving = (seconds: 0.0, metres: 0.0)
  /// Metres of legs that hold a pause.
  private var slowMetres = 0.0

  mutating func add(_ leg: TrackLegs.Leg) {
    guard let duration = leg.duration else { return }
    if leg.length < Self.threshold * duration {
      slowMetres += leg.length
    } else {
      moving.seconds += duration
      moving.metres += leg.length
    }
  }

  /// Seconds of movement: of the legs without a pause, and what the other legs would have taken at
  /// the same pace.
  var seconds: Double {
    guard moving.metres > 0 else { return 0 }
    return moving.seconds * (1 + slowMetres / moving.metres)
  }
}
