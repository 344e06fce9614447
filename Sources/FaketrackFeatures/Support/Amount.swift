import FaketrackSupport

/// An amount as people type it: a number with a unit, or without one.
package enum Amount: Hashable, Sendable {
  /// A number without a unit.
  case number(Double)
  /// `500m`, `0.5km`, `1mi` or `1640ft`, in meters.
  case distance(Double)
  /// `90s`, `10min`, `1h30`, `1h5min` or `1:05:00`, in seconds.
  case time(Double)
  /// `1.3m/s`, `5km/h`, `3mph`, or a pace such as `12:30/km`, in meters per second.
  case speed(Double)

  private static let metersPerUnit = [
    "m": 1, "km": 1_000, "mi": Units.metersPerMile, "miles": Units.metersPerMile,
    "ft": Units.metersPerFoot, "feet": Units.metersPerFoot,
  ]
  private static let secondsPerUnit = ["s": 1.0, "min": 60, "h": 3_600]
  private static let speedPerUnit = [
    "m/s": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": Units.metersPerMile / 3_600,
  ]
  /// The units of numbers without one, by the unit before.
  private static let nextUnit = ["h": "min", "min": "s"]
  /// About 30,000 years, longer than any track.
  private static let longestTime = 1e12

  /// Reads an amount of 0 or more; `nil` for any other text.
  package init?(_ text: String) {
    if let slash = text.lastIndex(of: "/"),
      let meters = Self.metersPerUnit[String(text[slash...].dropFirst())],
      let pace = Self.clock(text[..<slash], parts: 2...3) ?? Self.seconds(text[..<slash]), pace > 0
    {
      self = .speed(meters / pace)
    } else if text.contains(":") {
      guard let seconds = Self.clock(text[...], parts: 3...3) else { return nil }
      self = .time(seconds)
    } else if let (number, unit) = Self.measure(text[...]), unit.isEmpty {
      self = .number(number)
    } else if let (number, unit) = Self.measure(text[...]), let meters = Self.metersPerUnit[unit] {
      self = .distance(number * meters)
    } else if let (number, unit) = Self.measure(text[...]), let speed = Self.speedPerUnit[unit] {
      self = .speed(number * speed)
    } else if let seconds = Self.seconds(text[...]) {
      self = .time(seconds)
    } else {
      return nil
    }
    guard case let value = self.value, value.isFinite else { return nil }
  }

  /// The number, in the unit of the case.
  private var value: Double {
    switch self {
    case .number(let value), .distance(let value), .time(let value), .speed(let value): value
    }
  }

  /// A number, and the text behind it.
  private static func measure(_ text: Substring) -> (number: Double, unit: String)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    return Double(digits).map { ($0, String(text.dropFirst(digits.count))) }
  }

  /// The seconds of numbers with units, such as `1h30`.
  private static func seconds(_ text: Substring) -> Double? {
    var (rest, sum, last) = (text, 0.0, "")
    while !rest.isEmpty {
      let end =
        rest.firstIndex { $0.isLetter }.map { start in
          rest[start...].firstIndex { !$0.isLetter } ?? rest.endIndex
        } ?? rest.endIndex
      guard let (number, unit) = measure(rest[..<end]),
        let name = unit.isEmpty ? nextUnit[last] : unit, let scale = secondsPerUnit[name]
      else { return nil }
      (rest, last) = (rest[end...], name)
      sum += number * scale
    }
    return text.isEmpty || sum > longestTime ? nil : sum
  }

  /// The seconds of `h:mm:ss` or `m:ss`.
  private static func clock(_ text: Substring, parts allowed: ClosedRange<Int>) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard allowed.contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Double(part),
        index == 0 || (part.count == 2 && number < 60)
      else { return nil }
      seconds = seconds * 60 + number
    }
    return seconds > longestTime ? nil : seconds
  }
}
