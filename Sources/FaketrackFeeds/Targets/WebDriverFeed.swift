import FaketrackServices
import FaketrackSupport
import Foundation

extension FeedTarget {
  static let webDriver = FeedTarget(
    "webdriver:", "URL",
    """
    Tabs of a WebDriver session. Use the session's webSocketUrl. Without one,
    give the session address; the current tab is used:
    http://127.0.0.1:9515/session/ID. Firefox with --remote-debugging-port
    takes one session at its own address, ws://127.0.0.1:9222/session; it
    has no loss of signal, and a page open before the walk asks again.
    """
  ) { address in
    guard let url = URL(string: address), ["http", "https", "ws", "wss"].contains(url.scheme),
      url.host?.isEmpty == false,
      url.path.contains("/session/") || url.scheme == "ws" && url.path == "/session"
    else { return nil }
    let plainHint = "Name the driver's own address, which begins with ws:// or http://."
    return { context in
      TabFeed(at: url, plainHint: plainHint, in: context) {
        if url.scheme == "wss" {
          throw FeedError.rejected("WebSockets over TLS are not supported", hint: plainHint)
        }
        guard url.scheme != "https", let host = url.host else {
          return CurrentTab(of: url, in: context)
        }
        do {
          let address = HostAndPort(host: host, port: url.port ?? 80)
          return BiDiTabs(
            browser: try await RemoteBrowser(at: address, path: url.path),
            beginsSession: url.path == "/session")
        } catch FeedError.rejected where url.scheme != "ws" {
          return CurrentTab(of: url, in: context)
        }
      }
    }
  }
}

/// The tabs of a session, by WebDriver BiDi.
///
/// Source: https://w3c.github.io/webdriver-bidi (browsingContext, emulation),
/// https://www.w3.org/TR/permissions (permissions.setPermission)
private struct BiDiTabs: TabBrowser {
  private struct Context: Decodable {
    let context: String
    let url: String?
    let userContext: String?
    let parent: String?

    var tab: BrowserTab { BrowserTab(context, address: url ?? "", profile: userContext) }
  }

  let hint = "Name the webSocketUrl of a session that is open."
  let browser: RemoteBrowser
  /// Whether the browser has no session yet, as Firefox at its own address.
  let beginsSession: Bool
  var remote: RemoteBrowser? { browser }

  func tabs() async throws -> [BrowserTab] {
    struct Capabilities: Encodable { let capabilities = [String: String]() }
    if beginsSession { try await browser.call("session.new", Capabilities()) }
    struct Tree: Decodable { let contexts: [Context] }
    struct Depth: Encodable { let maxDepth = 0 }
    try await browser.call(
      "session.subscribe",
      [
        "events": [
          "browsingContext.contextCreated", "browsingContext.contextDestroyed",
          "browsingContext.navigationStarted", "browsingContext.load",
        ]
      ])
    return try await browser.call(
      "browsingContext.getTree", Depth(), returning: Tree.self
    ).contexts.map(\.tab)
  }

  func change(by event: RemoteBrowser.Event) -> TabChange? {
    guard let context = event.parameters(as: Context.self) else { return nil }
    switch event.method {
    case "browsingContext.contextCreated": return context.parent == nil ? .opened(context.tab) : nil
    case "browsingContext.contextDestroyed": return .closed(tab: context.context)
    default: return context.url.map { .moved(tab: context.context, address: $0) }
    }
  }

  func set(_ position: TabPosition, in tab: BrowserTab) async throws {
    struct Override: Encodable {
      struct Failure: Encodable { let type = "positionUnavailable" }

      private enum CodingKeys: CodingKey { case contexts, coordinates, error }

      let contexts: [String]
      let position: TabPosition

      func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(contexts, forKey: .contexts)
        switch position {
        case .known(let coordinates): try values.encode(coordinates, forKey: .coordinates)
        case .unavailable: try values.encode(Failure(), forKey: .error)
        case .real: try values.encodeNil(forKey: .coordinates)
        }
      }
    }
    try await browser.call(
      "emulation.setGeolocationOverride", Override(contexts: [tab.id], position: position))
  }

  func permission(in tab: BrowserTab) async -> TabPermission? {
    struct Expression: Encodable {
      let expression = TabPermission.query
      let awaitPromise = true
      let target: [String: String]
    }
    let answer = try? await browser.call(
      "script.evaluate", Expression(target: ["context": tab.id]),
      returning: DevToolsCommand.Answer.self)
    return answer?.permission
  }

  func set(_ permission: TabPermission, in place: BrowserTab.Place) async throws {
    struct Permission: Encodable {
      let descriptor = ["name": "geolocation"]
      let state: TabPermission
      let origin: String
      let userContext: String?
    }
    try await browser.call(
      "permissions.setPermission",
      Permission(state: permission, origin: place.origin, userContext: place.profile))
  }

  func check() async throws {
    try await browser.call("session.status", NoParameters())
  }

  func close() async {
    if beginsSession { try? await browser.call("session.end", NoParameters()) }
    await browser.close()
  }
}

/// The current tab of a session of ChromeDriver, by DevTools commands.
private struct CurrentTab: TabBrowser {
  private struct Value<Content: Decodable>: Decodable { let value: Content }
  private struct Ignored: Decodable {}
  private struct Failure: Decodable {
    let error: String
    let message: String
  }

  let hint = "Name the session as the driver does: http://HOST:PORT/session/ID."
  private let url: URL
  private let context: FeedContext

  init(of url: URL, in context: FeedContext) {
    self.url = url
    self.context = context
  }

  func tabs() async throws -> [BrowserTab] {
    [BrowserTab("current", address: try await answer(to: "url", as: String.self))]
  }

  /// Fails before the walk if the driver has no DevTools commands.
  func attach(to tab: BrowserTab) async throws { try await call(.check) }

  func set(_ position: TabPosition, in tab: BrowserTab) async throws {
    try await call(.set(position))
  }

  func permission(in tab: BrowserTab) async -> TabPermission? {
    let answer = try? await call(.permission, returning: DevToolsCommand.Answer.self)
    return answer?.permission
  }

  func set(_ permission: TabPermission, in place: BrowserTab.Place) async throws {
    try await call(.set(permission, in: place))
  }

  private func call(_ command: DevToolsCommand) async throws {
    _ = try await call(command, returning: Ignored?.self)
  }

  private func call<Content: Decodable>(
    _ command: DevToolsCommand, returning type: Content.Type
  ) async throws -> Content {
    let body = try JSONEncoder().encode(command)
    return try await answer(to: "goog/cdp/execute", body: body, as: type)
  }

  /// Sends a command of the session.
  ///
  /// - Throws: `RemoteBrowser.CallError` or ``FeedError``.
  private func answer<Content: Decodable>(
    to path: String, body: Data? = nil, as type: Content.Type
  ) async throws -> Content {
    var request = ServiceRequest(
      url.appending(path: path), headers: ["Content-Type": "application/json"])
    request.body = body
    let answer = try await context.fetch(request)
    if answer.status == 200,
      let value = try? JSONDecoder().decode(Value<Content>.self, from: answer.body)
    {
      return value.value
    }
    guard let failure = try? JSONDecoder().decode(Value<Failure>.self, from: answer.body).value
    else {
      throw FeedError.rejected(
        "is not a WebDriver", hint: "Start ChromeDriver, and name the address that it shows.")
    }
    switch failure.error {
    case "invalid session id":
      throw FeedError.rejected(
        "has no such session", hint: "Name one that is open, and its driver's port.")
    case "unknown command" where path != "url":
      throw FeedError.rejected(
        "its driver has no DevTools commands",
        hint: "Start the session with the capability webSocketUrl: true, and name that address.")
    default:
      throw RemoteBrowser.CallError(description: failure.message.components(separatedBy: "\n")[0])
    }
  }
}
