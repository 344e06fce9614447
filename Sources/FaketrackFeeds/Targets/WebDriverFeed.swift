import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy

extension FeedTarget {
  static let webDriver = FeedTarget(
    "webdriver:", "URL",
    """
    Tabs of a WebDriver session. Use the session's webSocketUrl. Without one,
    give the session address; the current tab is used:
    http://127.0.0.1:9515/session/ID.
    """
  ) { address in
    guard let url = URL(string: address), ["http", "https", "ws", "wss"].contains(url.scheme),
      url.host?.isEmpty == false, url.path.contains("/session/")
    else { return nil }
    return { context in WebDriverFeed(url, in: context) }
  }
}

/// Overrides the location in a session that exists, by WebDriver BiDi if it has that.
private final class WebDriverFeed: FeedConnection {
  private static let plainHint =
    "Name the driver's own address, which begins with ws:// or http://."

  private let url: URL
  private let context: FeedContext
  private let session = Locked<(any FeedConnection)?>(nil)

  init(_ url: URL, in context: FeedContext) {
    self.url = url
    self.context = context
  }

  func open() async throws {
    try await context.connect(to: url, hint: Self.plainHint) {
      let session = try await connect()
      do {
        try await session.open()
      } catch {
        await session.close()
        throw error
      }
      self.session.withLock { $0 = session }
    }
  }

  private func connect() async throws -> any FeedConnection {
    let isSocket = url.scheme == "ws"
    if url.scheme == "wss" {
      throw FeedError.rejected(
        "WebSockets over TLS are not supported", hint: Self.plainHint)
    }
    guard url.scheme != "https", let host = url.host else {
      return ClassicSession(url, in: context)
    }
    do {
      let address = HostAndPort(host: host, port: url.port ?? 80)
      return BiDiSession(
        try await RemoteBrowser(at: address, path: url.path), note: context.note)
    } catch FeedError.rejected where !isSocket {
      return ClassicSession(url, in: context)
    }
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    guard let session = session.withLock(\.self) else {
      throw FeedError.unreachable("the connection ended")
    }
    return try await session.send(signal)
  }

  func close() async {
    await session.withLock { $0.take() }?.close()
  }
}

/// Sends DevTools commands to the current tab of a session of ChromeDriver.
private final class ClassicSession: FeedConnection {
  private struct CDPCommand<Parameters: Encodable>: Encodable {
    let cmd: String
    let params: Parameters
  }

  private struct Value<Content: Decodable>: Decodable { let value: Content }
  private struct Ignored: Decodable {}
  private struct Failure: Decodable {
    let error: String
    let message: String
  }

  private let url: URL
  private let context: FeedContext
  private let permission = Locked<BrowserPermission?>(nil)

  init(_ url: URL, in context: FeedContext) {
    self.url = url
    self.context = context
  }

  func open() async throws {
    do {
      _ = try await command("url", as: String.self)
    } catch let error as RemoteBrowser.CallError {
      throw FeedError.rejected(
        error.description,
        hint: "Name the session as the driver does: http://HOST:PORT/session/ID.")
    }
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    do {
      let origin = URL.origin(of: try await command("url", as: String.self))
      try await allow(signal != .denied, in: origin)
      switch signal {
      case .position(let fix): try await call(GeolocationOverride.method, GeolocationOverride(fix))
      case .unavailable: try await call(GeolocationOverride.method, NoParameters())
      case .denied: break
      }
      return .confirmed
    } catch let error as RemoteBrowser.CallError {
      return .refused(error.description)
    }
  }

  func close() async {
    guard let permission = permission.withLock(\.self) else { return }
    do {
      try await Task.sleep(for: GeolocationOverride.arrivalTime)
      try await allow(true, in: permission.origin)
      try await call("Emulation.clearGeolocationOverride", NoParameters())
    } catch {}
  }

  /// Sets the permission of an origin, if it is another one than before.
  private func allow(_ isAllowed: Bool, in origin: String) async throws {
    let wanted = BrowserPermission(origin: origin, isGranted: isAllowed)
    guard !origin.isEmpty, permission.withLock({ $0 != wanted }) else { return }
    try await call("Browser.setPermission", wanted)
    permission.withLock { $0 = wanted }
  }

  private func call(_ method: String, _ parameters: some Encodable) async throws {
    let body = try JSONEncoder().encode(CDPCommand(cmd: method, params: parameters))
    _ = try await command("goog/cdp/execute", body: body, as: Ignored?.self)
  }

  /// Sends a command of the session.
  ///
  /// - Throws: `RemoteBrowser.CallError` or ``FeedError``.
  private func command<Content: Decodable>(
    _ path: String, body: Data? = nil, as type: Content.Type
  ) async throws -> Content {
    var request = HTTPRequest(
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
