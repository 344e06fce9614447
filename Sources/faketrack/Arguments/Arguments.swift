import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import FaketrackSupport
import Foundation
import GPX
import Locations
import PhotoSearch

// The values of options, as they are typed.

/// The values of `--format` where there are two.
enum ListingFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson
}

extension OutputFormat: ExpressibleByArgument {
  package init?(argument: String) {
    guard let format = OutputFormat.all().first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  package static var allValueStrings: [String] { OutputFormat.all().map(\.name) }
  package static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  package var defaultValueDescription: String { name }
}

extension PermissionName: ExpressibleByArgument {}
extension PhotoSourceChoice: ExpressibleByArgument {}
extension GPXSource: ExpressibleByArgument {}
extension PhotoSize: ExpressibleByArgument {}
extension LicenseFilter: ExpressibleByArgument {}
extension CityQuery.Order: ExpressibleByArgument {}
extension ListFeed.Order: ExpressibleByArgument {}

extension ReplaySpeed: ExpressibleByArgument {
  /// Reads `max`, or a multiple such as `10`, `x10` or `10x`.
  public init?(argument: String) { self.init(name: argument) }

  /// The default value as the help shows it.
  public var defaultValueDescription: String { label }

  /// `x25.0` or `max`.
  var label: String { multiple.map { "x\($0)" } ?? "max" }
}

/// The address of a receiver in place of a file: `gpsd://host[:port]`, this computer without a host.
struct GPSDAddress: Hashable, Sendable {
  static let scheme = "gpsd://"
  static let isLive =
    "A receiver is live: options that change a track, the signal or the permission need a file."

  private let host: String
  private let port: Int

  init?(_ text: String) {
    guard text.hasPrefix(Self.scheme), let parts = URLComponents(string: text),
      ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil,
      parts.port.map((1...65_535).contains) ?? true
    else { return nil }
    let name = parts.host?.trimmingCharacters(in: ["[", "]"]) ?? ""
    host = name.isEmpty ? "127.0.0.1" : name
    port = parts.port ?? GPSDLocationProvider.defaultPort
  }

  /// The whole address.
  var text: String { "\(Self.scheme)\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  func provider(distanceFilter: Double) -> GPSDLocationProvider {
    GPSDLocationProvider(host: host, port: port, distanceFilter: distanceFilter)
  }
}

/// The value of `--seed`: a number, or `random`, which picks one.
struct SeedArgument: ExpressibleByArgument, Hashable {
  let number: UInt64
  let isRandom: Bool

  init(_ number: UInt64, isRandom: Bool = false) {
    self.number = number
    self.isRandom = isRandom
  }

  init?(argument: String) {
    if argument == "random" {
      // Few digits, since people type them.
      self.init(UInt64(UInt32.random(in: .min ... .max)), isRandom: true)
    } else if let number = UInt64(argument) {
      self.init(number)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { "\(number)" }

  /// Notes a random seed, with which the run can be repeated.
  func note(on console: Console) {
    if isRandom { console.note("seed: \(number)") }
  }
}

extension ReplayPosition: ExpressibleByArgument {
  /// Reads a time in `s`, `min` and `h` or `h:mm:ss`, or a distance in `m`, `km` or `mi`.
  public init?(argument: String) { self.init(text: argument) }
}

/// An end of the part to replay; a negative one is for the command to reject.
struct PartArgument: ExpressibleByArgument {
  let position: ReplayPosition
  let isNegative: Bool

  init?(argument: String) {
    isNegative = argument.hasPrefix("-")
    let text = isNegative ? String(argument.dropFirst()) : argument
    guard let position = ReplayPosition(text: text) else { return nil }
    self.position = position
  }
}

/// A number of seconds, or a time as in `--from`.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    if let seconds = Double(argument), !argument.contains("x") {
      duration = seconds.isFinite ? .seconds(clamping: seconds) : .seconds(-1)
    } else if let time = PartArgument(argument: argument),
      case .elapsed(let elapsed) = time.position
    {
      duration = time.isNegative ? .zero - elapsed : elapsed
    } else {
      return nil
    }
  }

  var isInRange: Bool { duration >= .zero }
}

/// The value of `--camera-offset`: a duration with a sign, or without one to add it.
struct SignedDurationArgument: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    let text = argument.hasPrefix("+") ? String(argument.dropFirst()) : argument
    guard let time = DurationArgument(argument: text), let last = argument.last,
      last.isLetter || last.isNumber
    else { return nil }
    seconds = time.duration / .seconds(1)
  }
}

extension OwnPhotos.Times.Sync: ExpressibleByArgument {
  /// Reads the value of `--camera-sync`: a file, `=`, and a time as in GPX.
  package init?(argument: String) {
    guard let end = argument.lastIndex(of: "="), end > argument.startIndex,
      case var text = String(argument[argument.index(after: end)...]),
      let time = text.withUTF8({ GPXTime.parse($0) })
    else { return nil }
    self.init(name: String(argument[..<end]), time: time)
  }
}

/// The values of `--photo-times`.
enum PhotoTimesChoice: String, ExpressibleByArgument, CaseIterable {
  case strict, loose
}

/// The value of `--interval`.
struct IntervalArgument: ExpressibleByArgument {
  let interpolation: ReplayOptions.Interpolation

  init?(argument: String) {
    switch argument {
    case "auto": interpolation = .automatic
    case "off": interpolation = .off
    default:
      guard let value = DurationArgument(argument: argument) else { return nil }
      interpolation = .interval(value.duration)
    }
  }

  var isInRange: Bool {
    guard case .interval(let interval) = interpolation else { return true }
    return (.milliseconds(1) ... .seconds(1e9)).contains(interval)
  }
}

/// The value of `--start`: `now`, or a time as in GPX.
struct StartArgument: ExpressibleByArgument {
  /// The current second.
  static var now: Date { Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) }

  let date: Date

  init?(argument: String) {
    var text = argument
    guard let date = argument == "now" ? Self.now : text.withUTF8({ GPXTime.parse($0) }) else {
      return nil
    }
    self.date = date
  }
}

extension GPXTrackChoice: ExpressibleByArgument {
  package init?(argument: String) { self = Int(argument).map { .number($0) } ?? .name(argument) }
}

extension SignalConditions.Outage: ExpressibleByArgument {
  /// Reads two positions with a hyphen between them.
  public init?(argument: String) { self.init(text: argument) }
}

extension PermissionScript {
  /// Reads the steps of a script in a file.
  ///
  /// - Throws: `Failure` that names the line which is not a step.
  static func steps(inFile path: String) throws(Failure) -> [AuthorizationChange] {
    let (text, reason): (String?, String)
    do {
      (text, reason) = (try WholeFile.text(of: path, limit: 1 << 20), "it is not UTF-8")
    } catch {
      (text, reason) = (nil, error.reason)
    }
    guard let text else {
      throw Failure(
        message: "\(path): cannot be read: \(reason)",
        hint: "Name a text file with the steps of a permission script, of up to 1 MB.")
    }
    do {
      return try steps(in: text)
    } catch {
      let names = PermissionName.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        message: "\(path):\(error.number): not a step of a permission script",
        hint: "Write a position and a permission, such as 3s authorized or 2km denied; "
          + "permissions are \(names).",
        kind: .unusableInput)
    }
  }
}
