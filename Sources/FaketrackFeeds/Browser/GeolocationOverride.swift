import Foundation
import Geodesy

/// The position that a page gets, in the form of the DevTools protocol and of WebDriver BiDi.
struct GeolocationOverride: Encodable, Sendable {
  /// The method of the DevTools protocol; without parameters, there is no position.
  static let method = "Emulation.setGeolocationOverride"
  /// The time until a page has a position that its browser has confirmed.
  static let arrivalTime = Duration.milliseconds(100)
  /// The accuracy in meters of fixes without one, which a page cannot get.
  private static let defaultAccuracy = 5.0

  let latitude: Double
  let longitude: Double
  let accuracy: Double
  let altitude: Double?
  let altitudeAccuracy: Double?
  let heading: Double?
  let speed: Double?

  init(_ fix: Fix) {
    latitude = fix.coordinate.latitude
    longitude = fix.coordinate.longitude
    accuracy = fix.horizontalAccuracy ?? Self.defaultAccuracy
    altitude = fix.elevation
    // The vertical error of receivers is about 1.5 times the horizontal one.
    altitudeAccuracy = fix.elevation == nil ? nil : 1.5 * accuracy
    heading = fix.course
    speed = fix.speed
  }
}

/// The parameters of `Browser.setPermission` of the DevTools protocol.
struct BrowserPermission: Encodable, Hashable, Sendable {
  let permission = ["name": "geolocation"]
  let setting: String
  let origin: String
  let browserContextId: String?

  init(origin: String, isGranted: Bool, browserContextId: String? = nil) {
    setting = isGranted ? "granted" : "denied"
    self.origin = origin
    self.browserContextId = browserContextId
  }
}

/// The limit on the tabs of a browser, with a note when it is reached.
struct TabLimit {
  private static let tabs = 1_000
  private var isNoted = false

  /// Whether there is room for one more tab.
  ///
  /// - Parameters:
  ///   - name: all names that the browser has for the tab.
  ///   - count: the number of tabs so far.
  ///   - note: shows a line to the user.
  mutating func admits(_ name: String, to count: Int, _ note: (String) -> Void) -> Bool {
    if name.utf8.count > 1_024 { return false }
    if count < Self.tabs { return true }
    if !isNoted {
      note("note: the browser has more than 1,000 tabs; the first 1,000 get the position")
    }
    isNoted = true
    return false
  }
}

extension URL {
  /// The origin of a web page; empty for other addresses.
  static func origin(of address: String) -> String {
    guard let url = URL(string: address), let scheme = url.scheme,
      ["http", "https"].contains(scheme), let host = url.host, host.utf8.count <= 255
    else { return "" }
    return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
  }
}
