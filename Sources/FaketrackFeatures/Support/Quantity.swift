import FaketrackSupport
import Geodesy

/// Quantities as text, worded the same everywhere.
package enum Quantity {
  /// Meters as `850 m` or `1.2 km`.
  package static func distance(_ meters: Double) -> String {
    if meters < 999.5 { return "\(DecimalText.fixed(meters, places: 0)) m" }
    return "\(kilometers(meters)) km"
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

  /// Degrees from true north, rounded, and below 360 after rounding too.
  package static func course(_ degrees: Double, places: Int) -> Double {
    let rounded = degrees.rounded(places: places)
    return rounded == 360 ? 0 : rounded
  }
}
