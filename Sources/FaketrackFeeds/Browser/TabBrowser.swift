import FaketrackServices
import Foundation
import Geodesy

/// The calls that give the tabs of a browser a position, in one protocol; ``TabFeed`` makes them.
protocol TabBrowser: Sendable {
  /// The connection whose events report tabs; `nil` if the tabs are asked for before each signal.
  var remote: RemoteBrowser? { get }
  /// The advice if the browser does not say which tabs it has.
  var hint: String { get }
  /// The failure if no tab is open before the walk; `nil` if one may be opened later.
  var failureWithoutTabs: FeedError? { get }
  /// Whether the browser forgets positions and permissions when the connection ends.
  var forgets: Bool { get }
  /// Whether pages of all origins are fed, and have the permission as they load.
  var allowsAll: Bool { get }
  /// Whether pages are loaded again, so that they ask for the position after they were given the permission.
  var reloads: Bool { get }

  /// Returns the tabs that are open; events report later changes.
  func tabs() async throws -> [BrowserTab]
  /// Reads an event.
  func change(by event: RemoteBrowser.Event) -> TabChange?
  /// Prepares a new tab.
  func attach(to tab: BrowserTab) async throws
  /// Detaches from a tab that was closed, or no longer matches.
  func release(_ tab: String) async
  func set(_ position: TabPosition, in tab: BrowserTab) async throws
  /// Returns the permission of the page in a tab; `nil` if the page does not tell.
  func permission(in tab: BrowserTab) async -> TabPermission?
  /// Sets the permission of all pages of a place.
  func set(_ permission: TabPermission, in place: BrowserTab.Place) async throws
  /// Loads the page in a tab again.
  func reload(_ tab: BrowserTab) async throws
  /// Throws if the browser cannot be reached.
  func check() async throws
  func close() async
}

extension TabBrowser {
  var remote: RemoteBrowser? { nil }
  var failureWithoutTabs: FeedError? { nil }
  var forgets: Bool { false }
  var allowsAll: Bool { false }
  var reloads: Bool { false }

  func change(by event: RemoteBrowser.Event) -> TabChange? { nil }
  func attach(to tab: BrowserTab) async throws {}
  func release(_ tab: String) async {}
  func reload(_ tab: BrowserTab) async throws {}
  func check() async throws {}
  func close() async { await remote?.close() }
}

/// A tab of a browser.
struct BrowserTab: Hashable, Sendable {
  /// The origin of a page, and the profile that it is open in: permissions belong to both.
  struct Place: Hashable, Sendable {
    /// Empty for a page without an origin, and for all origins.
    let origin: String
    let profile: String?
  }

  private static let longestOrigin = 300

  let id: String
  let place: Place

  init(_ id: String, address: String, profile: String? = nil) {
    self.id = id
    let origin = URL(webAddress: address)?.origin ?? ""
    place = Place(origin: origin.utf8.count <= Self.longestOrigin ? origin : "", profile: profile)
  }
}

/// A change of the tabs that a browser reports.
enum TabChange: Sendable {
  /// A tab was opened, or shows another page.
  case opened(BrowserTab)
  /// A tab shows the page at this address.
  case moved(tab: String, address: String)
  /// A tab has loaded a page, or loaded its page again.
  case loaded(tab: String)
  case closed(tab: String)
}

/// The permission of a page to use the location, in the words of the Permissions API.
enum TabPermission: String, Encodable, Sendable {
  case granted, denied, prompt

  /// An expression that a page resolves to its permission.
  static let query =
    "navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)"
}

/// The position that a page gets.
enum TabPosition: Sendable {
  case known(GeolocationOverride)
  case unavailable
  /// The position of the computer.
  case real
}

/// A position in the form of the DevTools protocol and of WebDriver BiDi.
struct GeolocationOverride: Encodable, Sendable {
  /// The accuracy in meters for fixes that have none: the browser requires a value.
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

/// A command of the DevTools protocol, which WebDriver also sends.
struct DevToolsCommand: Encodable, Sendable {
  private enum CodingKeys: String, CodingKey { case method = "cmd", parameters = "params" }

  let method: String
  let parameters: any Encodable & Sendable

  static func set(_ position: TabPosition) -> DevToolsCommand {
    switch position {
    case .known(let override): .init("Emulation.setGeolocationOverride", override)
    case .unavailable: .init("Emulation.setGeolocationOverride", NoParameters())
    case .real: .init("Emulation.clearGeolocationOverride", NoParameters())
    }
  }

  /// Changes nothing.
  static var check: DevToolsCommand { .init("Browser.getVersion", NoParameters()) }

  /// Has ``Answer`` as its result.
  static var permission: DevToolsCommand {
    struct Expression: Encodable {
      let expression = TabPermission.query
      let awaitPromise = true
    }
    return .init("Runtime.evaluate", Expression())
  }

  /// The answer of a page to ``permission``.
  struct Answer: Decodable {
    struct Result: Decodable { let value: String }

    let result: Result

    var permission: TabPermission? { TabPermission(rawValue: result.value) }
  }

  static func set(_ permission: TabPermission, in place: BrowserTab.Place) -> DevToolsCommand {
    struct Permission: Encodable {
      let permission = ["name": "geolocation"]
      let setting: TabPermission
      let origin: String?
      let browserContextId: String?
    }
    return .init(
      "Browser.setPermission",
      Permission(
        setting: permission, origin: place.origin.isEmpty ? nil : place.origin,
        browserContextId: place.profile))
  }

  private init(_ method: String, _ parameters: any Encodable & Sendable) {
    self.method = method
    self.parameters = parameters
  }

  /// Writes the form of WebDriver.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(method, forKey: .method)
    try values.encode(parameters, forKey: .parameters)
  }
}
