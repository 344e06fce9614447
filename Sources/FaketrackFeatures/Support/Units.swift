/// The units of lengths.
package enum Units: String, CaseIterable, Sendable {
  case metric, imperial

  /// The name in the unit switch.
  package var name: String {
    switch self {
    case .metric: "km"
    case .imperial: "mi"
    }
  }

  /// The smallest round distance in meters that is at least this long: 1, 2, 5, 10, … meters or feet,
  /// and tenths of a mile beyond 500 ft.
  package func roundDistance(atLeast meters: Double) -> Double {
    var step =
      switch self {
      case .metric: 1.0
      case .imperial where meters <= 500 * Self.metersPerFoot: Self.metersPerFoot
      case .imperial: Self.metersPerMile / 10
      }
    while step < meters {
      for factor in [2.0, 5, 10] where step * factor >= meters { return step * factor }
      step *= 10
    }
    return step
  }

  static let metersPerMile = 1_609.344
  static let metersPerFoot = 0.3048
}
