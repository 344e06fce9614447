extension Duration {
  /// The nearest duration to a number of seconds, zero for NaN; `Duration.seconds(_:)` would trap.
  package static func seconds(clamping seconds: Double) -> Duration {
    let limit = 1e20
    return seconds.isNaN ? .zero : .seconds(Swift.min(Swift.max(seconds, -limit), limit))
  }

  /// The duration in seconds, exact to a nanosecond within a century.
  package var seconds: Double {
    let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    return Double(seconds) + Double(rest) * 1e-18
  }
}
