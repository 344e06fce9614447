import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import Locations

/// Parsers for the values of options; their errors say what is expected, with an example.
enum Expected {
  typealias Parser<Value> = @Sendable (String) throws -> Value

  /// A value that a function reads.
  ///
  /// - Parameter words: the expected value, such as `a time, such as 90s`.
  static func value<Value>(
    _ words: String, _ parse: @escaping @Sendable (String) -> Value?
  ) -> Parser<Value> {
    { text in
      guard let value = parse(text) else { throw ValidationError("expected \(words)") }
      return value
    }
  }

  /// A whole number.
  static func count(_ range: ClosedRange<Int>) -> Parser<Int> {
    let limits =
      range.upperBound == .max
      ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    return value("a number \(limits)") { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  /// A distance in meters.
  ///
  /// - Parameters:
  ///   - unit: the meters of a number without a unit.
  ///   - limits: the range in words.
  static func distance(
    _ range: ClosedRange<Double> = 0...1e12, unit: Double = 1, _ limits: String = "",
    such examples: String = "500m, 0.5km or 0.3mi"
  ) -> Parser<Double> {
    value("a distance\(limits), such as \(examples)") { text in
      let meters: Double? =
        switch Amount(text) {
        case .number(let number): number * unit
        case .distance(let meters): meters
        case .time, .speed, nil: nil
        }
      return meters.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A duration; a number without a unit is in seconds.
  static let duration: Parser<Duration> = value("a time, such as 90s, 10min or 1h30") {
    switch Amount($0) {
    case .number(let seconds), .time(let seconds): .seconds(clamping: seconds)
    case .distance, .speed, nil: nil
    }
  }

  /// A duration with or without a sign, in seconds.
  static let signedDuration: Parser<Double> = value("a time with a sign, such as +1h30 or -90s") {
    let isNegative = $0.hasPrefix("-")
    let digits = isNegative || $0.hasPrefix("+") ? String($0.dropFirst()) : $0
    return (try? duration(digits)).map { $0.seconds * (isNegative ? -1 : 1) }
  }

  /// A speed in meters per second, at least 0.001.
  static let speed: Parser<Double> = value("a speed, such as 5km/h, 3mph or 12:30/km") {
    switch Amount($0) {
    case .number(let speed) where speed >= 0.001, .speed(let speed) where speed >= 0.001: speed
    case .number, .speed, .distance, .time, nil: nil
    }
  }

  /// A multiple of the recorded pace, or `max`.
  static let replaySpeed = value("max, or a multiple from 0.1 to 1000", ReplaySpeed.init(name:))

  /// A place on the track.
  static func place(_ text: String) throws -> TrackPlace {
    if let place = TrackPlace(text: text) { return place }
    if text.wholeMatch(of: #/-?\d{1,2}:\d\d/#) != nil {
      let number = text.prefix { $0 != ":" }
      throw ValidationError(
        "expected a track time such as \(number)min or \(number)h, or a time of day with its date, "
          + "such as 2026-05-01T09:00Z")
    }
    throw ValidationError(
      "expected a distance such as 500m, a track time such as 10min, or a date with a time, such as "
        + "2026-05-01T09:00Z")
  }
}
