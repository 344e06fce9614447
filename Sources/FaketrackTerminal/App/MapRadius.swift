/// The radius of a map around a city, in meters.
struct MapRadius: Hashable, Sendable {
  private(set) var meters: Double

  init(meters: Double) {
    self.meters = meters
  }

  /// - Returns: whether the input zooms.
  mutating func zoom(by input: TerminalInput) -> Bool {
    switch input {
    case .key(.character("+")): meters = max(2_000, meters / 2)
    case .key(.character("-")): meters = min(6_400_000, meters * 2)
    default: return false
    }
    return true
  }
}
