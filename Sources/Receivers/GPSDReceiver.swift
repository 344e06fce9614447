import Foundation
import Geodesy
import Locations

/// Turns the reports of gpsd into updates, line by line.
///
/// Source: the manual page gpsd_json(5).
struct GPSDReceiver {
  /// The report of a line; each class has some of the values.
  private struct Report: Decodable {
    struct Device: Decodable {
      var path: String?
      var activated: Activation?
    }

    /// A time; 0 for a receiver that was removed.
    enum Activation: Decodable {
      case time
      case removed

      init(from decoder: any Decoder) throws {
        let number = try? decoder.singleValueContainer().decode(Double.self)
        self = number == 0 ? .removed : .time
      }
    }

    var `class`: String
    var devices: [Device]?
    var path: String?
    var activated: Activation?
    var device: String?
    var mode: Int?
    var time: String?
    var lat: Double?
    var lon: Double?
    var alt: Double?
    var altMSL: Double?
    var speed: Double?
    var track: Double?
    var eph: Double?
    var epv: Double?
    var eps: Double?
    var epd: Double?
  }

  /// Whether gpsd has said who it is.
  private(set) var hasBegun = false
  private var fixes: ReceivedFixes
  private var devices: Set<String> = []
  /// More devices than a computer has.
  private static let deviceLimit = 256
  /// The receiver of the last position; others are left out until it has none.
  private var device: String?

  init(distanceFilter: Double) {
    fixes = ReceivedFixes(distanceFilter: distanceFilter)
  }

  /// Whether the last report of the receiver has a position.
  var hasFix: Bool { fixes.hasFix }

  /// The updates of a line.
  ///
  /// - Throws: an error if it is the first one and not a report of gpsd; later ones that make no
  ///   sense are skipped.
  mutating func receive(_ line: [UInt8]) throws -> [LocationUpdate] {
    let report: Report
    do {
      report = try JSONDecoder().decode(Report.self, from: Data(line))
    } catch {
      if hasBegun { return [] }
      throw error
    }
    switch report.class {
    case "VERSION": hasBegun = true
    case "DEVICES":
      devices = []
      for device in report.devices ?? [] { add(device.path) }
      return statusUpdates()
    case "DEVICE":
      if case .removed = report.activated {
        devices.remove(report.path ?? "")
      } else {
        add(report.path)
      }
      return statusUpdates()
    case "TPV": return receive(report)
    default: break
    }
    return []
  }

  /// The update for a connection that was lost; `nil` if the signal was lost before.
  mutating func loseSignal() -> LocationUpdate? {
    device = nil
    return fixes.loseSignal()
  }

  private mutating func add(_ device: String?) {
    if devices.count < Self.deviceLimit { devices.insert(device ?? "") }
  }

  private mutating func statusUpdates() -> [LocationUpdate] {
    if devices.isEmpty { device = nil }
    return fixes.connect(isThere: !devices.isEmpty)
  }

  private mutating func receive(_ report: Report) -> [LocationUpdate] {
    guard device == nil || device == report.device else { return [] }
    guard (report.mode ?? 0) >= 2, let latitude = report.lat, let longitude = report.lon,
      let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return [loseSignal()].compactMap(\.self) }
    // A receiver that sends is connected, whatever the list says.
    add(report.device)
    let fix = Fix(
      coordinate, time: report.time.flatMap(Self.date), elevation: report.altMSL ?? report.alt,
      speed: report.speed.flatMap { $0 >= 0 ? $0 : nil },
      course: report.track.flatMap { (0..<360).contains($0) ? $0 : nil },
      horizontalAccuracy: report.eph.flatMap { $0 >= 0 ? $0 : nil },
      verticalAccuracy: report.epv, speedAccuracy: report.eps, courseAccuracy: report.epd)
    device = report.device
    return fixes.add(fix)
  }

  private static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(text, strategy: .iso8601))
  }
}
