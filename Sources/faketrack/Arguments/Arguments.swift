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

extension PermissionName: ExpressibleByArgument {}
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

/// The seed of what is random: a number, or `random`, which is a number that nobody has chosen.
struct SeedArgument: ExpressibleByArgument, Hashable {
  let number: UInt64
  let isRandom: Bool

  init(_ number: UInt64, isRandom: Bool = false) {
    self.number = number
    self.isRandom = isRandom
  }

  init?(argument: String) {
    if argument == "random" {
      // Few digits, for somebody types them.
      self.init(UInt64(UInt32.random(in: .min ... .max)), isRandom: true)
    } else if let number = UInt64(argument) {
      self.init(number)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { "\(number)" }
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
    guard let outage = SignalConditions.Outage(text: argument) else { return nil }
    self.outage = outage
  }
}
