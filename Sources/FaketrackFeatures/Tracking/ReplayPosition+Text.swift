import Locations

// Positions on a walk, as users write them.

extension ReplayPosition {
  private static let secondsPerUnit = ["s": 1.0, "min": 60, "h": 3_600]
  private static let metersPerUnit = ["m": 1.0, "km": 1_000, "mi": Units.metersPerMile]
  /// About 30,000 years, longer than any track.
  private static let longestTime = 1e12

  /// Parses `90s`, `10min`, `1h5min`, `500m`, `0.5km` or `2mi`.
  package init?(text: String) {
    var seconds: Double?
    var meters: Double?
    var rest = Substring(text)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let number = Double(digits), number.isFinite else { return nil }
      if let scale = Self.secondsPerUnit[String(unit)], meters == nil {
        seconds = (seconds ?? 0) + number * scale
      } else if let scale = Self.metersPerUnit[String(unit)], meters == nil, seconds == nil {
        meters = number * scale
      } else {
        return nil
      }
    }
    if let seconds {
      guard seconds <= Self.longestTime else { return nil }
      self = .elapsed(.seconds(seconds))
    } else if let meters, meters.isFinite {
      self = .meters(meters)
    } else {
      return nil
    }
  }

  /// Whether this position is before another; false if only the track can tell.
  package func isBefore(_ other: ReplayPosition) -> Bool {
    switch (self, other) {
    case (.meters(let meters), .meters(let others)): meters < others
    case (.elapsed(let elapsed), .elapsed(let others)): elapsed < others
    default: false
    }
  }
}

extension SignalConditions.Outage {
  /// Parses two positions separated by a hyphen, such as `10min-12min`.
  package init?(text: String) {
    let ends = text.split(separator: "-", maxSplits: 1).map(String.init)
    guard ends.count == 2, let start = ReplayPosition(text: ends[0]),
      let end = ReplayPosition(text: ends[1])
    else { return nil }
    self.init(from: start, to: end)
  }
}
