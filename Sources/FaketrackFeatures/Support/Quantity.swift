/// Words for quantities, the same wherever they are shown to people.
package enum Quantity {
  /// Metres as `850 m` or `1.2 km`.
  package static func distance(_ meters: Double) -> String {
    if meters < 999.5 { return "\(Int(meters.rounded())) m" }
    return "\(kilometers(meters)) km"
  }

  /// Kilometres with one decimal, without the unit.
  package static func kilometers(_ meters: Double) -> String {
    fixed(meters / 1_000, decimals: 1)
  }

  /// Seconds as `45 s`, `12 min` or `2 h 05 min`.
  package static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    let minutes = Int((seconds / 60).rounded())
    if minutes < 60 { return "\(minutes) min" }
    return "\(minutes / 60) h \(twoDigits(minutes % 60)) min"
  }

  /// A number and its noun: `1 photo`, `1,200 photos`.
  package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }

  /// A whole number with a comma between each three digits.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A number with exactly so many decimals.
  package static func fixed(_ number: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    guard let units = Int64(exactly: (number * scale).rounded()) else { return "\(number)" }
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = units < 0 ? "-" : ""
    if decimals == 0 { return sign + padded }
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }

  /// Degrees from true north with so many decimals, 0 ..< 360 after rounding too.
  package static func course(_ degrees: Double, decimals: Int) -> Double {
    let rounded = degrees.rounded(decimals: decimals)
    return rounded == 360 ? 0 : rounded
  }

  package static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
