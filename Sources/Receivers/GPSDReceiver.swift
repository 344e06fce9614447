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
  /// Whether the last report of the receiver has a position.
  private(set) var hasFix = false
  private var status: AuthorizationStatus?
  private var isUnavailable = false
  private var devices: Set<String> = []
  /// More devices than a computer has.
  private static let deviceLimit = 256
  /// The receiver of the last position; others are left out until it has none.
  private var device: String?
  private var filter: DistanceFilter
  private var last: Fix?
  private var times = TimeLine(.none)
  private var odometer = Odometer(walkingSpeed: ReplayOptions().walkingSpeed)
  private var segment = 0

  init(distanceFilter: Double) {
    filter = DistanceFilter(minimumDistance: distanceFilter)
  }

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
    hasFix = false
    device = nil
    guard status?.isAuthorized == true, !isUnavailable else { return nil }
    isUnavailable = true
    // The way to the next fix is not known.
    if last != nil { segment += 1 }
    last = nil
    filter.reset()
    return .unavailable
  }

  private mutating func add(_ device: String?) {
    if devices.count < Self.deviceLimit { devices.insert(device ?? "") }
  }

  private mutating func statusUpdates() -> [LocationUpdate] {
    let status: AuthorizationStatus = devices.isEmpty ? .notDetermined : .authorizedWhenInUse
    guard status != self.status else { return [] }
    let loss = status.isAuthorized ? nil : loseSignal()
    if !status.isAuthorized { isUnavailable = false }
    self.status = status
    return [loss, .authorization(status)].compactMap(\.self)
  }

  private mutating func receive(_ report: Report) -> [LocationUpdate] {
    guard device == nil || device == report.device else { return [] }
    guard (report.mode ?? 0) >= 2, let latitude = report.lat, let longitude = report.lon,
      let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return [loseSignal()].compactMap(\.self) }
    // A receiver that sends is connected, whatever the list says.
    add(report.device)
    var updates = statusUpdates()
    let time = report.time.flatMap(Self.date)
    // Some receivers repeat a position with the rest of its values.
    if time != nil, time == last?.time { return updates }
    var fix = Fix(
      coordinate, time: time, elevation: report.altMSL ?? report.alt,
      speed: report.speed.flatMap { $0 >= 0 ? $0 : nil },
      course: report.track.flatMap { (0..<360).contains($0) ? $0 : nil },
      horizontalAccuracy: report.eph.flatMap { $0 >= 0 ? $0 : nil },
      verticalAccuracy: report.epv, speedAccuracy: report.eps, courseAccuracy: report.epd,
      segment: segment)
    // Without a lookahead, each fix comes back.
    fix = times.judge([fix])[0]
    odometer.advance(to: fix)
    fix.distance = odometer.progress.walked
    fix.elapsedSeconds = odometer.progress.elapsed
    (last, device, hasFix, isUnavailable) = (fix, report.device, true, false)
    if filter.admit(coordinate) { updates.append(.location(fix)) }
    return updates
  }

  private static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      ?? (try? Date(text, strategy: .iso8601))
  }
}
