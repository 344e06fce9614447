import FaketrackSupport
import Geodesy

/// Quantities as text.
package enum Quantity {
  /// Meters as `850 m` or `1.2 km`, or else as `850 ft` or `1.2 mi`.
  package static func distance(_ meters: Double, in units: Units = .preferred) -> String {
    switch units {
    case .metric where meters < 999.5, .imperial where meters < 304.65: height(meters, in: units)
    case .metric, .imperial: longDistance(meters, in: units)
    }
  }

  /// Meters as `0.1 km` or `0.1 mi`, however few they are.
  package static func longDistance(_ meters: Double, in units: Units = .preferred) -> String {
    units == .metric
      ? "\(kilometers(meters)) km"
      : "\(DecimalText.fixed(meters / Units.metersPerMile, places: 1)) mi"
  }

  /// Meters as `35 m` or `115 ft`.
  package static func height(_ meters: Double, in units: Units = .preferred) -> String {
    switch units {
    case .metric: "\(DecimalText.fixed(meters, places: 0)) m"
    case .imperial: "\(DecimalText.fixed(meters / Units.metersPerFoot, places: 0)) ft"
    }
  }

  /// Meters per second as minutes a kilometer or a mile, `13:20 /km`; `nil` for a speed too low for that.
  package static func pace(_ speed: Double, in units: Units = .preferred) -> String? {
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

  /// Seconds as `45 s`, `10 min 47 s` or `1 h 05 min 00 s`.
  package static func exactDuration(_ seconds: Double) -> String {
    guard let whole = Int(exactly: seconds.rounded()), whole >= 60 else {
      return "\(DecimalText.fixed(seconds, places: 0)) s"
    }
    let rest = "\(DecimalText.padded(whole % 60, digits: 2)) s"
    if whole < 3_600 { return "\(whole / 60) min \(rest)" }
    return "\(whole / 3_600) h \(DecimalText.padded(whole / 60 % 60, digits: 2)) min \(rest)"
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

  private static let chosen = Locked(Units.metric)

  /// The units that people read where no others are chosen; set once, at the start of the process.
  package static var preferred: Units {
    get { chosen.withLock(\.self) }
    set { chosen.withLock { $0 = newValue } }
  }

  /// The units of a locale in `LC_MEASUREMENT`, such as `en_US.UTF-8`; metric for other texts.
  package init(locale: String?) {
    let territory = locale?.split(separator: "_").dropFirst().first?.prefix { $0.isLetter }
    self = ["US", "PR"].contains(territory) ? .imperial : .metric
  }

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
