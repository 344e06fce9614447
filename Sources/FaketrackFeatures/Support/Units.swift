/// The units in which somebody reads lengths.
package enum Units: String, CaseIterable, Sendable {
  case metric, imperial

  /// What they are called where one chooses.
  package var name: String {
    switch self {
    case .metric: "km"
    case .imperial: "mi"
    }
  }

  /// The least of 1, 2, 5, 10, … meters or feet, or from some length on tenths of a mile, that is this
  /// long, in meters.
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
