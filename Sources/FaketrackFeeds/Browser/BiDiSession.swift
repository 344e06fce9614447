import FaketrackSupport
import Foundation

/// Overrides the location in the tabs of a WebDriver BiDi session, also in those opened later, until
/// it is closed.
///
/// Source: https://w3c.github.io/webdriver-bidi (browsingContext, emulation),
/// https://www.w3.org/TR/permissions (permissions.setPermission)
final class BiDiSession: FeedConnection {
  private struct Context: Decodable, Sendable {
    let context: String
    var url: String
    var userContext: String?
    let parent: String?
  }

  private struct Override: Encodable {
    struct Failure: Encodable { let type = "positionUnavailable" }

    private enum CodingKeys: CodingKey { case contexts, coordinates, error }

    let contexts: [String]
    var coordinates: GeolocationOverride?
    var error: Failure?

    /// Without coordinates and error, the value is null, which ends the override.
    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(contexts, forKey: .contexts)
      if let error {
        try values.encode(error, forKey: .error)
      } else {
        try values.encode(coordinates, forKey: .coordinates)
      }
    }
  }

  private struct Permission: Encodable, Sendable {
    let descriptor = ["name": "geolocation"]
    let state: String
    let origin: String
    let userContext: String?
  }

  /// Permissions belong to the pages of one origin in a profile.
  private struct Place: Hashable {
    let origin: String
    let userContext: String?

    init(_ tab: Context) {
      origin = URL.origin(of: tab.url)
      userContext = tab.userContext
    }
  }

  /// The maximum number of permissions to restore.
  private static let permissionLimit = 10_000

  private struct State {
    var tabs: [String: Context] = [:]
    var permissions: [Place: Bool] = [:]
    var limit = TabLimit()
    var signal: FeedSignal?
    var listening: Task<Void, Never>?
  }

  private let browser: RemoteBrowser
  private let note: @Sendable (String) -> Void
  private let state = Locked(State())

  /// - Parameter note: shows a line to the user.
  init(_ browser: RemoteBrowser, note: @escaping @Sendable (String) -> Void) {
    self.browser = browser
    self.note = note
  }

  func open() async throws {
    struct Tree: Decodable { let contexts: [Context] }
    struct Depth: Encodable { let maxDepth = 0 }
    do {
      try await browser.call(
        "session.subscribe",
        [
          "events": [
            "browsingContext.contextCreated", "browsingContext.contextDestroyed",
            "browsingContext.navigationStarted", "browsingContext.load",
          ]
        ])
      let tree = try await browser.call("browsingContext.getTree", Depth(), returning: Tree.self)
      for tab in tree.contexts { await take(tab) }
    } catch let error as RemoteBrowser.CallError {
      throw FeedError.rejected(
        error.description, hint: "Name the webSocketUrl of a session that is open.")
    }
    let listening = Task { await listen() }
    state.withLock { $0.listening = listening }
  }

  private func listen() async {
    struct Destroyed: Decodable { let context: String }
    struct Navigated: Decodable {
      let context: String
      let url: String
    }
    for await event in browser.events {
      switch event.method {
      case "browsingContext.contextCreated":
        if let tab = event.parameters(as: Context.self), tab.parent == nil { await take(tab) }
      case "browsingContext.contextDestroyed":
        guard let gone = event.parameters(as: Destroyed.self) else { continue }
        state.withLock { $0.tabs[gone.context] = nil }
      default:
        guard let move = event.parameters(as: Navigated.self),
          var tab = state.withLock({ $0.tabs[move.context] }),
          URL.origin(of: tab.url) != URL.origin(of: move.url)
        else { continue }
        tab.url = URL.origin(of: move.url)
        // The position stays over pages, permissions belong to their origins.
        let signal = state.withLock { [tab] state in
          state.tabs[tab.context] = tab
          return state.signal
        }
        try? await allow(signal != .denied, in: Place(tab))
      }
    }
  }

  /// Gives a tab the permission and the current position. One that closes meanwhile is left alone.
  private func take(_ tab: Context) async {
    var tab = tab
    tab.url = URL.origin(of: tab.url)
    let (isAdmitted, signal) = state.withLock { [tab] state in
      let name = tab.context + (tab.userContext ?? "")
      let isKnown = state.tabs[tab.context] != nil
      let isAdmitted = state.limit.admits(name, to: isKnown ? 0 : state.tabs.count, note)
      if isAdmitted { state.tabs[tab.context] = tab }
      return (isAdmitted, state.signal)
    }
    guard isAdmitted else { return }
    // Without a signal yet, the page may ask, and waits.
    try? await apply(signal, to: [tab])
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    let tabs = state.withLock { state in
      state.signal = signal
      return Array(state.tabs.values)
    }
    if tabs.isEmpty {
      // Only a call tells whether the driver is there.
      try await browser.call("session.status", NoParameters())
      return .refused("no tab is open")
    }
    do {
      try await apply(signal, to: tabs)
      return .confirmed
    } catch let error as RemoteBrowser.CallError {
      return .refused(error.description)
    }
  }

  private func apply(_ signal: FeedSignal?, to tabs: [Context]) async throws {
    for place in Set(tabs.map(Place.init)) { try await allow(signal != .denied, in: place) }
    let contexts = tabs.map(\.context)
    switch signal {
    case .position(let fix):
      try await set(Override(contexts: contexts, coordinates: GeolocationOverride(fix)))
    case .unavailable: try await set(Override(contexts: contexts, error: .init()))
    case .denied, nil: break
    }
  }

  private func set(_ override: Override) async throws {
    try await browser.call("emulation.setGeolocationOverride", override)
  }

  private func allow(_ isAllowed: Bool, in place: Place) async throws {
    let isNew = state.withLock { state in
      state.permissions[place] != isAllowed
        && (state.permissions[place] != nil || state.permissions.count < Self.permissionLimit)
    }
    guard !place.origin.isEmpty, isNew else { return }
    try await browser.call(
      "permissions.setPermission",
      Permission(
        state: isAllowed ? "granted" : "denied", origin: place.origin,
        userContext: place.userContext))
    state.withLock { $0.permissions[place] = isAllowed }
  }

  func close() async {
    let state = state.withLock { $0 }
    state.listening?.cancel()
    do {
      if state.signal != nil { try await Task.sleep(for: GeolocationOverride.arrivalTime) }
      if !state.tabs.isEmpty { try await set(Override(contexts: Array(state.tabs.keys))) }
      for place in state.permissions.keys { try await allow(true, in: place) }
    } catch {}
    await browser.close()
  }
}
