import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import FaketrackWeb
import Foundation
import GPX
import Locations
import PhotoSearch
import Receivers

// The values of options, as they are typed.

/// The values of `--format` of commands about one thing.
enum TextFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson

  var listing: ListingFormat { self == .text ? .text : .ndjson }
}

/// The values of `--format` of commands that list.
enum ListingFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson, csv
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

extension MapGlyphs: ExpressibleByArgument {}
extension PermissionName: ExpressibleByArgument {}
extension Units: ExpressibleByArgument {}
extension GPXSource: ExpressibleByArgument {}
extension PhotoSize: ExpressibleByArgument {}
extension LicenseFilter: ExpressibleByArgument {}
extension CityQuery.Order: ExpressibleByArgument {}
extension ListFeed.Order: ExpressibleByArgument {}

extension ReplaySpeed {
  /// `x25.0` or `max`.
  var label: String { multiple.map { "x\($0)" } ?? "max" }
}

/// The value of `--seed`: a number, or `random`, which picks one.
struct SeedArgument: Hashable {
  static let parser = Expected.value("a whole number, or random", SeedArgument.init(argument:))

  let number: UInt64
  let isRandom: Bool

  init(_ number: UInt64, isRandom: Bool = false) {
    self.number = number
    self.isRandom = isRandom
  }

  private init?(argument: String) {
    if argument == "random" {
      // Few digits, since people type them.
      self.init(UInt64(UInt32.random(in: .min ... .max)), isRandom: true)
    } else if let number = UInt64(argument) {
      self.init(number)
    } else {
      return nil
    }
  }

  /// Notes a random seed, with which the run can be repeated.
  func note(on console: Console) {
    if isRandom { console.note("seed: \(number)") }
  }
}

extension OwnPhotos.Times.Offset {
  static let parser = Expected.value(
    "a time with a sign, such as +1h30, or one for a camera, such as \"Canon EOS R6:+1h\""
  ) { (argument) -> Self? in
    if let seconds = try? Expected.signedDuration(argument) { return Self(seconds: seconds) }
    // A time may have colons too.
    for colon in argument.indices where argument[colon] == ":" && colon > argument.startIndex {
      let time = String(argument[argument.index(after: colon)...])
      if let seconds = try? Expected.signedDuration(time) {
        return Self(camera: String(argument[..<colon]), seconds: seconds)
      }
    }
    return nil
  }
}

extension OwnPhotos.Times.Sync {
  static let parser = Expected.value(
    "a photo and its time, such as IMG_1.jpg=2026-05-01T10:02:11+02:00"
  ) { (argument) -> Self? in
    guard let end = argument.lastIndex(of: "="), end > argument.startIndex,
      case var text = String(argument[argument.index(after: end)...]),
      let time = text.withUTF8({ GPXTime.parse($0) })?.timeIntervalSinceReferenceDate
    else { return nil }
    let isLocal = text.wholeMatch(of: #/\s*[-0-9]+[Tt ]\s*[0-9:.,]+\s*/#) != nil
    return Self(name: String(argument[..<end]), shown: isLocal ? .local(time) : .universal(time))
  }
}

/// The values of `--photo-times`.
enum PhotoTimesChoice: String, ExpressibleByArgument, CaseIterable {
  case strict, loose
}

/// The value of `--interval`.
struct IntervalArgument {
  static let parser = Expected.value("auto, off, or a time such as 60s or 0.5s") { text in
    switch text {
    case "auto": IntervalArgument(interpolation: .automatic)
    case "off": IntervalArgument(interpolation: .off)
    default:
      (try? Expected.duration(text)).flatMap { interval in
        (.milliseconds(1) ... .seconds(1e9)).contains(interval)
          ? IntervalArgument(interpolation: .interval(interval)) : nil
      }
    }
  }

  let interpolation: ReplayOptions.Interpolation
}

/// The value of `--start`: `now`, or a time as in GPX.
struct StartArgument {
  static let parser = Expected.value("now, or a date with a time, such as 2026-05-01T08:00:00Z") {
    var text = $0
    let date: Date? = text == "now" ? now : text.withUTF8 { GPXTime.parse($0) }
    return date.map(Self.init)
  }

  /// The current second.
  static var now: Date { Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)) }

  let date: Date
}

extension GPXTrackChoice: ExpressibleByArgument {
  package init?(argument: String) { self = Int(argument).map { .number($0) } ?? .name(argument) }
}

extension ReplayOptions.Outage {
  static let parser = Expected.value(
    "two places, the first one before the other, such as 10min-12min or 1km-1.2km"
  ) { text in
    Self(text: text).flatMap { $0.end.isBefore($0.start) ? nil : $0 }
  }
}

extension WalkScript {
  /// Reads a script in a file.
  ///
  /// - Throws: `Failure` that names the line which is not a step.
  init(file path: String) throws(Failure) {
    let (text, reason): (String?, String)
    do {
      (text, reason) = (try WholeFile.text(of: path, limit: 1 << 20), "it is not UTF-8")
    } catch {
      (text, reason) = (nil, error.reason)
    }
    guard let text else {
      throw Failure(
        message: "\(path): cannot be read: \(reason)",
        hint: "Name a file of up to 1 MB with a step on each line, such as 2km denied.")
    }
    do {
      self = try WalkScript(text)
    } catch {
      let names = WalkCommand.names(isForScripts: true).joined(separator: ", ")
      throw Failure(
        message: "\(path):\(error.number): not a step of a script",
        hint: "Write a position and what happens there, such as 3s authorized or 2km outage 30s; "
          + "a step is one of \(names).",
        kind: .unusableInput)
    }
  }
}

extension ControlAddress {
  static let parser = Expected.value(
    "an address of this machine, such as 127.0.0.1:4000 or unix:walk.sock", ControlAddress.init)
}
