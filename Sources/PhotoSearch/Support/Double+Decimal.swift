extension Double {
  /// The number with exactly so many decimals, without an exponent, as services want it.
  ///
  /// - Precondition: the magnitude times 10 to the power of `places` fits into 63 bits.
  func decimal(places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((self * Double(scale)).rounded())
    let (whole, part) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    let digits = String(part)
    let zeros = String(repeating: "0", count: max(0, places - digits.count))
    let sign = scaled < 0 ? "-" : ""
    return places == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(zeros)\(digits)"
  }
}
