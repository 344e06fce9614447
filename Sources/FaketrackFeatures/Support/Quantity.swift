import FaketrackSupport
import Geodesy

/// Quantities as text.
package enum Quantity {
  /// Meters as `850 m` or `1.2 km`, or else as `850 ft` or `1.2 mi`.
  package static func distance(_ meters: Double, in units: Units = .metric) -> String {
    switch units {
    case .metric where meters < 999.5, .imperial where meters < 304.65: height(meters, in: units)
    case .metric: "\(kilometers(meters)) km"
    case .imperial: "\(DecimalText.fixed(meters / Units.metersPerMile, places: 1)) mi"
    }
  }

  /// Meters as `35 m` or `115 ft`.
  package static func height(_ meters: Double, in units: Units = .metric) -> String {
    switch units {
    case .metric: "\(DecimalText.fixed(meters, places: 0)) m"
    case .imperial: "\(DecimalText.fixed(meters / Units.metersPerFoot, places: 0)) ft"
    }
  }

  /// Meters per second as minutes a kilometer or a mile, `13:20 /km`; `nil` for a speed too low for that.
  package static func pace(_ speed: Double, in units: Units = .metric) -> String? {
    let meters = units == .metric ? 1_000 : Units.metersPerMile
    guard let seconds = Int(exactly: (meters / speed).rounded()) else { return nil }
    return "\(seconds / 60):\(DecimalText.padded(seconds % 60, digits: 2)) /\(units.name)"
  }

  /// Meters in kilometers with one decimal, without the unit.
  package static func kilometers(_ meters: Double) -> String {
    DecimalText.fixed(meters / 1_000, places: 1)
  }

  /// Seconds as `45 s`, `12 min` or `2 h 05 min`.
  package static func duration(_ seconds: Double) -> String {
    guard let whole = Int(exactly: seconds.rounded()),
      let minutes = Int(exactly: (seconds / 60).rounded())
    else { return "\(seconds) s" }
    if whole < 60 { return "\(whole) s" }
    if minutes < 60 { return "\(minutes) min" }
    return "\(minutes / 60) h \(DecimalText.padded(minutes % 60, digits: 2)) min"
  }

  /// A number and its noun: `1 photo`, `1,200 photos`.
  package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// A whole number with a comma after every three digits.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A position in degrees: `52.39886, 13.06566`.
  package static func position(_ coordinate: Coordinate, places: Int) -> String {
    DecimalText.fixed(coordinate.latitude, places: places) + ", "
      + DecimalText.fixed(coordinate.longitude, places: places)
  }
}

package enum Units: String, CaseIterable, Sendable {
  case metric, imperial

  package var name: String { self == .metric ? "km" : "mi" }

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
