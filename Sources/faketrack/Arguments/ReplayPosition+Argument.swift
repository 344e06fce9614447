import ArgumentParser
import Locations

/// A place on a track as it is written on the command line: a time in `s`, `min` and `h`, or a
/// distance in `m`, `km` or `mi`.
struct TrackPlace: ExpressibleByArgument, Hashable {
  let position: ReplayPosition

  init?(argument: String) {
    guard let position = ReplayPosition(text: argument) else { return nil }
    self.position = position
  }
}

extension ReplayPosition {
  private static let secondsPerUnit = ["s": 1.0, "min": 60, "h": 3_600]
  private static let metersPerUnit = ["m": 1.0, "km": 1_000, "mi": 1_609.344]

  /// Reads `90s`, `10min`, `1h5min`, `500m`, `0.5km` or `2mi`.
  init?(text: String) {
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
      self = .elapsed(.seconds(seconds))
    } else if let meters {
      self = .meters(meters)
    } else {
      return nil
    }
  }

  /// Whether this place lies before another, as far as that can be told without the track.
  func isBefore(_ other: ReplayPosition) -> Bool {
    switch (self, other) {
    case (.meters(let meters), .meters(let others)): meters < others
    case (.elapsed(let elapsed), .elapsed(let others)): elapsed < others
    default: false
    }
  }
}
