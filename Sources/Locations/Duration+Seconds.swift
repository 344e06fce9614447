extension Duration {
  /// The duration in seconds, exact to a nanosecond within a century.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
