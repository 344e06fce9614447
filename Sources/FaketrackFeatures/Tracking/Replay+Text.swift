import FaketrackSupport
import Foundation
import GPX
import Locations

// Speeds, positions and permissions of a walk, as users write them.

extension ReplaySpeed {
  /// Multiples of the recorded pace that the commands and the page accept.
  package static let range = 0.1...1_000

  package static let choices: [ReplaySpeed] =
    [1, 2, 5, 10, 25, 50, 100].compactMap(ReplaySpeed.init(multiple:)) + [.max]

  /// The speeds at which a walk takes half a minute, one minute and three minutes, as far as they
  /// are accepted and faster than recorded.
  ///
  /// - Parameter seconds: the duration at the recorded pace.
  package static func lengths(of seconds: Double) -> [(length: String, speed: ReplaySpeed)] {
    [30.0, 60, 180].compactMap { length in
      let multiple = (seconds / length * 10).rounded() / 10
      guard multiple > 1, range.contains(multiple) else { return nil }
      return ReplaySpeed(multiple: multiple).map { (Quantity.duration(length), $0) }
    }
  }

  /// `25`, `0.5` or `max`.
  package var name: String {
    guard let multiple else { return "max" }
    return Int(exactly: multiple).map(String.init) ?? "\(multiple)"
  }

  /// Parses a speed: `max`, or a multiple within ``range`` such as `10`, `x10` or `10x`.
  package init?(name: String) {
    if name == "max" {
      self = .max
      return
    }
    var digits = Substring(name)
    if digits.hasPrefix("x") {
      digits = digits.dropFirst()
    } else if digits.hasSuffix("x") {
      digits = digits.dropLast()
    }
    // Swift also parses hexadecimal numbers, which are a typo here.
    guard !digits.contains("x"), let multiple = Double(digits), Self.range.contains(multiple) else {
      return nil
    }
    self.init(multiple: multiple)
  }

  /// The speeds that keys choose, the slowest first.
  private static let steps: [ReplaySpeed] =
    [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].compactMap(
      ReplaySpeed.init(multiple:))
    + [.max]

  /// The next step of 1, 2, 5, 10 and so on; after the fastest multiple comes ``max``.
  package var faster: ReplaySpeed {
    Self.steps.first { ($0.multiple ?? .infinity) > multiple ?? .infinity } ?? .max
  }

  /// The step before, down to the slowest multiple.
  package var slower: ReplaySpeed {
    Self.steps.last { ($0.multiple ?? .infinity) < multiple ?? .infinity } ?? self
  }
}

extension ReplayPosition {
  /// Reads a track time or a distance: `90s`, `10min`, `1h30`, `1:05:00`, `500m`, `0.5km`, `2mi`.
  package init?(text: String) {
    switch Amount(text) {
    case .distance(let meters): self = .meters(meters)
    case .time(let seconds): self = .elapsed(.seconds(seconds))
    case .number, .speed, nil: return nil
    }
  }
}

/// A place on a track as users write it.
package enum TrackPlace: Hashable, Sendable {
  case position(ReplayPosition)
  /// Meters or track time before the end of the track.
  case beforeEnd(ReplayPosition)
  /// The first usable recorded time at or after a date.
  case date(Date)

  /// The position from the start, if the track is not needed to find it.
  package var position: ReplayPosition? {
    if case .position(let position) = self { position } else { nil }
  }

  package var date: Date? {
    if case .date(let date) = self { date } else { nil }
  }

  /// Reads a position such as `500m` or `10min`, with a minus one that counts from the end, or a date
  /// with a time.
  package init?(text: String) {
    var text = text
    if let position = ReplayPosition(text: text) {
      self = .position(position)
    } else if text.hasPrefix("-"), let position = ReplayPosition(text: String(text.dropFirst())) {
      self = .beforeEnd(position)
    } else if let date = text.withUTF8({ GPXTime.parse($0) }) {
      self = .date(date)
    } else {
      return nil
    }
  }
}

extension ReplayOptions.Outage {
  /// Parses two positions separated by a hyphen, such as `10min-12min`.
  package init?(text: String) {
    let ends = text.split(separator: "-", maxSplits: 1).map(String.init)
    guard ends.count == 2, let start = ReplayPosition(text: ends[0]),
      let end = ReplayPosition(text: ends[1])
    else { return nil }
    self.init(from: start, to: end)
  }
}

package enum PermissionName: String, CaseIterable, Sendable {
  case authorized, denied, restricted
  case notDetermined = "not-determined"

  package var status: AuthorizationStatus {
    switch self {
    case .authorized: .authorizedWhenInUse
    case .denied: .denied
    case .restricted: .restricted
    case .notDetermined: .notDetermined
    }
  }
}
