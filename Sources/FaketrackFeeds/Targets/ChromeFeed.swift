import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy

extension FeedTarget {
  static let chrome = FeedTarget(
    "chrome:", "HOST:PORT[/URL-PART][,shim]",
    """
    Tabs of Chrome with --remote-debugging-port, or those with a part in
    their address. A page that asked before the feed began was denied:
    reload it, or add shim, which reloads the tabs and hides the error that
    Chrome reports before each position.
    """
  ) { address in
    let (place, hasShim) =
      address.hasSuffix(",shim") ? (address.dropLast(5), true) : (address[...], false)
    let parts = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = HostAndPort(parts[0]), host.port > 0 else { return nil }
    let part = parts.count > 1 ? String(parts[1]) : ""
    return { context in
      ChromeFeed(host, part: part, hasShim: hasShim, in: context)
    }
  }
}

/// Overrides the location of tabs by the DevTools protocol, also of those that are opened later.
///
/// Source: https://chromedevtools.github.io/devtools-protocol (Browser, Emulation, Target).
private final class ChromeFeed: FeedConnection {
  private struct TargetInfo: Decodable, Sendable {
    let targetId: String
    let type: String
    let url: String
    let browserContextId: String?
  }

  private struct Tab: Sendable {
    let session: String
    let context: String?
    var origin: String
    var isAllowed: Bool?
  }

  private struct State {
    var browser: RemoteBrowser?
    var tabs: [String: Tab] = [:]
    var signal: FeedSignal?
    var limit = TabLimit()
    var hasBeenOpen = false
    var listening: Task<Void, Never>?
  }

  private let address: HostAndPort
  private let part: String
  private let hasShim: Bool
  private let feedContext: FeedContext
  private let state = Locked(State())

  init(_ address: HostAndPort, part: String, hasShim: Bool, in context: FeedContext) {
    self.address = address
    self.part = part
    self.hasShim = hasShim
    feedContext = context
  }

  func open() async throws {
    let browser = try await RemoteBrowser(at: address, path: try await socketPath())
    let isFirst = state.withLock { state in
      state.browser = browser
      state.tabs = [:]
      return !state.hasBeenOpen
    }
    struct Infos: Decodable { let targetInfos: [TargetInfo] }
    let infos = try await browser.call(
      "Target.getTargets", NoParameters(), returning: Infos.self
    ).targetInfos
    for info in infos { await take(info, in: browser) }
    if isFirst, state.withLock(\.tabs.isEmpty) {
      throw FeedError.rejected(
        part.isEmpty ? "no tab is open" : "no tab has \(part) in its address",
        hint: "Open the page before the walk.")
    }
    try await browser.call("Target.setDiscoverTargets", ["discover": true])
    let listening = Task { await listen(to: browser) }
    state.withLock { state in
      state.hasBeenOpen = true
      state.listening = listening
    }
  }

  /// The path of the WebSocket of the whole browser.
  private func socketPath() async throws -> String {
    struct Version: Decodable { let webSocketDebuggerUrl: URL }
    let hint = "Start the browser with --remote-debugging-port=\(address.port)."
    guard let url = URL(string: "http://\(address)/json/version") else {
      throw FeedError.unreachable("the address is not usable")
    }
    let body = try await feedContext.connect(
      to: url, hint: "Name the debugging port of the browser itself, which speaks plain HTTP."
    ) {
      do {
        return try await feedContext.fetch(HTTPRequest(url)).body
      } catch FeedError.unreachable(let reason) {
        throw FeedError.rejected(reason, hint: hint)
      }
    }
    guard let version = try? JSONDecoder().decode(Version.self, from: body) else {
      throw FeedError.rejected("is not a browser's debugging port", hint: hint)
    }
    return version.webSocketDebuggerUrl.path
  }

  private func listen(to browser: RemoteBrowser) async {
    struct Created: Decodable { let targetInfo: TargetInfo }
    struct Destroyed: Decodable { let targetId: String }
    for await event in browser.events {
      if let info = event.parameters(as: Created.self)?.targetInfo {
        await take(info, in: browser)
      } else if event.method == "Target.targetDestroyed",
        let gone = event.parameters(as: Destroyed.self)
      {
        state.withLock { $0.tabs[gone.targetId] = nil }
      }
    }
  }

  /// Attaches to a tab that matches, detaches from one that no longer does, and gives a new one the
  /// current position. A tab that closes meanwhile is left alone.
  private func take(_ info: TargetInfo, in browser: RemoteBrowser) async {
    guard info.type == "page" else { return }
    let tab = state.withLock { $0.tabs[info.targetId] }
    let origin = URL.origin(of: info.url)
    guard part.isEmpty || info.url.contains(part) else {
      // While it loads, a tab may have no address.
      guard let tab, !origin.isEmpty else { return }
      state.withLock { $0.tabs[info.targetId] = nil }
      try? await browser.call("Target.detachFromTarget", ["sessionId": tab.session])
      return
    }
    if let tab, tab.origin == origin { return }
    func hasRoom(_ name: String) -> Bool {
      state.withLock { $0.limit.admits(name, to: $0.tabs.count, feedContext.note) }
    }
    let isNew = tab == nil
    if isNew, !hasRoom(info.targetId + (info.browserContextId ?? "")) { return }
    do {
      var tab = if let tab { tab } else { try await attach(to: info, in: browser) }
      if isNew, !hasRoom(tab.session) { return }
      (tab.origin, tab.isAllowed) = (origin, nil)
      let signal = state.withLock { [tab] state in
        state.tabs[info.targetId] = tab
        return state.signal
      }
      // Without a signal yet, the page may ask, and waits.
      try await allow(signal != .denied, info.targetId, in: browser)
      if let signal { try await apply(signal, info.targetId, in: browser) }
    } catch {}
  }

  private func attach(to info: TargetInfo, in browser: RemoteBrowser) async throws -> Tab {
    struct Attach: Encodable {
      let targetId: String
      let flatten = true
    }
    struct Attached: Decodable { let sessionId: String }
    let session = try await browser.call(
      "Target.attachToTarget", Attach(targetId: info.targetId), returning: Attached.self
    ).sessionId
    if hasShim {
      try await browser.call("Page.enable", NoParameters(), session: session)
      try await browser.call(
        "Page.addScriptToEvaluateOnNewDocument", ["source": Self.shim], session: session)
      // The page may have asked for its position already.
      try await browser.call("Page.reload", NoParameters(), session: session)
    }
    return Tab(session: session, context: info.browserContextId, origin: "")
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    let (browser, tabs) = state.withLock { state in
      state.signal = signal
      return (state.browser, Array(state.tabs.keys))
    }
    guard let browser else { throw FeedError.unreachable("the connection ended") }
    let failures = await withTaskGroup(of: (any Error)?.self) { group in
      for tab in tabs {
        group.addTask {
          do {
            try await self.apply(signal, tab, in: browser)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    if failures.contains(where: { $0 == nil }) { return .confirmed }
    // Without tabs, only a call tells whether the browser is there.
    if tabs.isEmpty { try await browser.call("Browser.getVersion", NoParameters()) }
    if let error = failures.compactMap(\.self).first {
      guard let error = error as? RemoteBrowser.CallError else { throw error }
      return .refused(error.description)
    }
    return .refused("no tab is open")
  }

  private func apply(_ signal: FeedSignal, _ id: String, in browser: RemoteBrowser) async throws {
    guard let tab = state.withLock({ $0.tabs[id] }) else { return }
    try await allow(signal != .denied, id, in: browser)
    switch signal {
    case .position(let fix):
      try await browser.call(
        GeolocationOverride.method, GeolocationOverride(fix), session: tab.session)
    case .unavailable:
      try await browser.call(GeolocationOverride.method, NoParameters(), session: tab.session)
    case .denied: break
    }
  }

  /// Sets the permission of the page's origin, if it is another one than before.
  private func allow(_ isAllowed: Bool, _ id: String, in browser: RemoteBrowser) async throws {
    guard let tab = state.withLock({ $0.tabs[id] }), tab.isAllowed != isAllowed,
      !tab.origin.isEmpty
    else { return }
    try await browser.call(
      "Browser.setPermission",
      BrowserPermission(
        origin: tab.origin, isGranted: isAllowed, browserContextId: tab.context))
    state.withLock { $0.tabs[id]?.isAllowed = isAllowed }
  }

  func close() async {
    let (browser, listening) = state.withLock { state in
      state.tabs = [:]
      return (state.browser.take(), state.listening.take())
    }
    listening?.cancel()
    // Chrome answers before the page has the last position.
    try? await Task.sleep(for: GeolocationOverride.arrivalTime)
    await browser?.close()
  }

  /// Hides the error that the browser reports before each new position: one that stays is reported
  /// half a second later, or five seconds before the first position, in which the walk begins.
  private static let shim = """
    (() => {
      const { geolocation } = navigator;
      if (!geolocation || Object.hasOwn(geolocation, "watchPosition")) return;
      const watch = geolocation.watchPosition.bind(geolocation);
      const get = geolocation.getCurrentPosition.bind(geolocation);
      let delay = 5_000;
      geolocation.watchPosition = (success, failure, options) => {
        let timer;
        const end = () => {
          clearTimeout(timer);
          timer = undefined;
        };
        return watch((position) => {
          end();
          delay = 500;
          success(position);
        }, failure && ((error) => {
          if (error.code !== 2) {
            end();
            failure(error);
          } else timer ??= setTimeout(() => {
            end();
            failure(error);
          }, delay);
        }), options);
      };
      geolocation.getCurrentPosition = (success, failure, options) => get(success, (error) => {
        if (error.code === 2) setTimeout(get, 500, success, failure, options);
        else failure?.(error);
      }, options);
    })()
    """
}
