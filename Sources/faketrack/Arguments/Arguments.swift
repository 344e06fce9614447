import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import GPX
import Locations
import PhotoSearch

// The values of options, as they are typed.

/// The values of `--format` where there are two.
enum ListingFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson
}

/// The value of `--format` in `replay`: the name of an output format.
struct OutputFormatArgument: ExpressibleByArgument {
  let format: OutputFormat

  init(_ format: OutputFormat) {
    self.format = format
  }

  init?(argument: String) {
    guard let format = OutputFormat.all.first(where: { $0.name == argument }) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { OutputFormat.all.map(\.name) }
  var defaultValueDescription: String { format.name }
}

/// The values of `--authorization`, and of a permission script.
enum PermissionName: String, ExpressibleByArgument, CaseIterable {
  case authorized, denied, restricted
  case notDetermined = "not-determined"

  var status: AuthorizationStatus {
    switch self {
    case .authorized: .authorizedWhenInUse
    case .denied: .denied
    case .restricted: .restricted
    case .notDetermined: .notDetermined
    }
  }
}

extension PhotoSourceChoice: ExpressibleByArgument {}
extension GPXSource: ExpressibleByArgument {}
extension PhotoSize: ExpressibleByArgument {}
extension LicenseFilter: ExpressibleByArgument {}
extension CityQuery.Order: ExpressibleByArgument {}
extension ListFeed.Order: ExpressibleByArgument {}

/// The speed of a replay: `max`, or a multiple such as `10`, `x10` or `10x`.
struct SpeedArgument: ExpressibleByArgument, Hashable {
  let speed: ReplaySpeed

  init(_ speed: ReplaySpeed) {
    self.speed = speed
  }

  init?(argument: String) {
    guard let speed = ReplaySpeed(name: argument) else { return nil }
    self.speed = speed
  }

  var defaultValueDescription: String { speed.label }
}

extension ReplaySpeed {
  /// `x25.0` or `max`.
  var label: String { multiple.map { "x\($0)" } ?? "max" }
}

/// A place on a track: a time in `s`, `min` and `h`, or a distance in `m`, `km` or `mi`.
struct PositionArgument: ExpressibleByArgument, Hashable {
  let position: ReplayPosition

  init?(argument: String) {
    guard let position = ReplayPosition(text: argument) else { return nil }
    self.position = position
  }
}

/// A part of a walk without a signal: two places with a hyphen between them.
struct OutageArgument: ExpressibleByArgument, Hashable {
  let outage: SignalConditions.Outage

  init?(argument: String) {
    let ends = argument.split(separator: "-", maxSplits: 1).map(String.init)
    guard ends.count == 2, let start = ReplayPosition(text: ends[0]),
      let end = ReplayPosition(text: ends[1])
    else { return nil }
    outage = SignalConditions.Outage(from: start, to: end)
  }
}

extension ReplayPosition {
  private static let secondsPerUnit = ["s": 1.0, "min": 60, "h": 3_600]
  private static let metersPerUnit = ["m": 1.0, "km": 1_000, "mi": 1_609.344]
  /// About 30,000 years, longer than any track.
  private static let longestTime = 1e12

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
      guard seconds <= Self.longestTime else { return nil }
      self = .elapsed(.seconds(seconds))
    } else if let meters, meters.isFinite {
      self = .meters(meters)
    } else {
      return nil
    }
  }

  /// Whether this place lies before another; false where only the track can tell.
  func isBefore(_ other: ReplayPosition) -> Bool {
    switch (self, other) {
    case (.meters(let meters), .meters(let others)): meters < others
    case (.elapsed(let elapsed), .elapsed(let others)): elapsed < others
    default: false
    }
  }
}
