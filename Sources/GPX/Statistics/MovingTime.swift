/// Adds up the time of a track without its pauses.
struct MovingTime {
  /// The speed in meters per second below which a leg contains a pause.
  static let threshold = 0.3

  private var moving = (seconds: 0.0, meters: 0.0)
  /// The length in meters of the legs that contain a pause.
  private var slowMeters = 0.0
  /// The length in meters of the legs with times that cannot be used.
  private var disorderedMeters = 0.0
  /// Whether any time went by.
  private var isKnown = false

  mutating func add(_ leg: TrackLegs.Leg) {
    guard let duration = leg.duration else {
      if leg.hasDisorder { disorderedMeters += leg.length }
      return
    }
    if duration > 0 { isKnown = true }
    let seconds = duration - leg.standstill
    let isStandstill = seconds == 0 && duration > 0
    if isStandstill || leg.length < Self.threshold * seconds {
      slowMeters += leg.length
    } else {
      moving.seconds += seconds
      moving.meters += leg.length
    }
  }

  /// Seconds of movement: those of the legs without a pause, plus what the other legs would have
  /// taken at the same pace; nil if no time went by, or if most times cannot be used.
  var seconds: Double? {
    guard isKnown, disorderedMeters <= moving.meters + slowMeters else { return nil }
    guard moving.meters > 0 else { return 0 }
    return moving.seconds * (1 + slowMeters / moving.meters)
  }
}
