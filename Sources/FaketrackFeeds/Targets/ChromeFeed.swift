import FaketrackServices
import FaketrackSupport
import Foundation

extension FeedTarget {
  static let chrome = FeedTarget(
    "chrome:", "HOST:PORT[/URL-PART][,shim]",
    """
    Tabs of Chrome with --remote-debugging-port, or those with a part in
    their address. A page that was denied before the feed began does not ask
    again: reload it, or add shim, which reloads the tabs and hides the error
    that Chrome reports before each position.
    """
  ) { address in
    let (place, hasShim) =
      address.hasSuffix(",shim") ? (address.dropLast(5), true) : (address[...], false)
    let parts = place.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = HostAndPort(parts[0]), host.port > 0,
      let version = URL(string: "http://\(host)/json/version")
    else { return nil }
    let part = parts.count > 1 ? String(parts[1]) : ""
    return { context in
      TabFeed(
        at: version,
        plainHint: "Name the debugging port of the browser itself, which speaks plain HTTP.",
        in: context
      ) {
        try await ChromeTabs(host, version: version, part: part, hasShim: hasShim, in: context)
      }
    }
  }
}

/// The tabs of Chrome, or those with a part in their address, by the DevTools protocol.
///
/// Source: https://chromedevtools.github.io/devtools-protocol (Browser, Emulation, Target).
private final class ChromeTabs: TabBrowser {
  private struct TargetInfo: Decodable {
    let targetId: String
    let type: String
    let url: String
    let browserContextId: String?

    var tab: BrowserTab { BrowserTab(targetId, address: url, profile: browserContextId) }
  }

  let hint: String
  let forgets = true
  var allowsAll: Bool { part.isEmpty }
  /// Whether the tabs get the shim.
  let reloads: Bool
  private let browser: RemoteBrowser
  private let part: String
  /// The sessions of the tabs.
  private let sessions = Locked<[String: String]>([:])

  init(
    _ address: HostAndPort, version: URL, part: String, hasShim: Bool, in context: FeedContext
  ) async throws {
    struct Version: Decodable { let webSocketDebuggerUrl: URL }
    let hint = "Start the browser with --remote-debugging-port=\(address.port)."
    let body: Data
    do {
      body = try await context.fetch(ServiceRequest(version)).body
    } catch FeedError.unreachable(let reason, _) {
      throw FeedError.unreachable(reason, hint: hint)
    }
    // The WebSocket of the whole browser.
    guard let socket = try? JSONDecoder().decode(Version.self, from: body).webSocketDebuggerUrl
    else {
      throw FeedError.rejected("is not a browser's debugging port", hint: hint)
    }
    browser = try await RemoteBrowser(at: address, path: socket.path)
    self.hint = hint
    self.part = part
    reloads = hasShim
  }

  var remote: RemoteBrowser? { browser }

  var failureWithoutTabs: FeedError? {
    .unreachable(
      part.isEmpty ? "no tab is open" : "no tab has \(part) in its address",
      hint: "Open the page before the walk, or add --wait 1min.")
  }

  func tabs() async throws -> [BrowserTab] {
    struct Infos: Decodable { let targetInfos: [TargetInfo] }
    let infos = try await browser.call(
      "Target.getTargets", NoParameters(), returning: Infos.self
    ).targetInfos
    try await browser.call("Target.setDiscoverTargets", ["discover": true])
    return infos.filter(isFed).map(\.tab)
  }

  private func isFed(_ info: TargetInfo) -> Bool {
    info.type == "page" && (part.isEmpty || info.url.contains(part))
  }

  func change(by event: RemoteBrowser.Event) -> TabChange? {
    struct Created: Decodable { let targetInfo: TargetInfo }
    struct Destroyed: Decodable { let targetId: String }
    struct Navigated: Decodable {
      struct Frame: Decodable {
        let id: String
        let parentId: String?
      }

      let frame: Frame
    }
    if let info = event.parameters(as: Created.self)?.targetInfo {
      if isFed(info) { return .opened(info.tab) }
      // While it loads, a tab may have no address.
      return info.tab.place.origin.isEmpty ? nil : .closed(tab: info.targetId)
    }
    switch event.method {
    case "Target.targetDestroyed":
      return event.parameters(as: Destroyed.self).map { .closed(tab: $0.targetId) }
    case "Page.frameNavigated":
      // The frame of the whole page has the name of the tab.
      guard let frame = event.parameters(as: Navigated.self)?.frame, frame.parentId == nil else {
        return nil
      }
      return .loaded(tab: frame.id)
    default:
      return nil
    }
  }

  func attach(to tab: BrowserTab) async throws {
    struct Attach: Encodable {
      let targetId: String
      let flatten = true
    }
    struct Attached: Decodable { let sessionId: String }
    let session = try await browser.call(
      "Target.attachToTarget", Attach(targetId: tab.id), returning: Attached.self
    ).sessionId
    guard session.utf8.count <= TabLimit.nameSize else {
      throw RemoteBrowser.CallError(description: "names a session without end")
    }
    try await browser.call("Page.enable", NoParameters(), session: session)
    if reloads {
      try await browser.call(
        "Page.addScriptToEvaluateOnNewDocument", ["source": Self.shim], session: session)
    }
    sessions.withLock { $0[tab.id] = session }
  }

  func release(_ tab: String) async {
    guard let session = sessions.withLock({ $0.removeValue(forKey: tab) }) else { return }
    try? await browser.call("Target.detachFromTarget", ["sessionId": session])
  }

  func set(_ position: TabPosition, in tab: BrowserTab) async throws {
    try await browser.call(.set(position), session: try session(of: tab))
  }

  func permission(in tab: BrowserTab) async -> TabPermission? {
    guard let session = try? session(of: tab) else { return nil }
    let answer = try? await browser.call(
      .permission, session: session, returning: DevToolsCommand.Answer.self)
    return answer?.permission
  }

  func set(_ permission: TabPermission, in place: BrowserTab.Place) async throws {
    try await browser.call(.set(permission, in: place))
  }

  func reload(_ tab: BrowserTab) async throws {
    try await browser.call("Page.reload", NoParameters(), session: try session(of: tab))
  }

  private func session(of tab: BrowserTab) throws -> String {
    guard let session = sessions.withLock({ $0[tab.id] }) else {
      throw RemoteBrowser.CallError(description: "the tab was closed")
    }
    return session
  }

  func check() async throws {
    try await browser.call(.check)
  }

  /// Hides the error that the browser reports before each new position: an error that stays is reported half
  /// a second later, or five seconds later before the first position, in which the walk begins. Beside a watch,
  /// `getCurrentPosition` has the newest position of the watch; without one, it watches for the next position.
  private static let shim = """
    (() => {
      const { geolocation } = navigator;
      if (!geolocation || Object.hasOwn(geolocation, "watchPosition")) return;
      const watch = geolocation.watchPosition.bind(geolocation);
      const clear = geolocation.clearWatch.bind(geolocation);
      const watches = new Set();
      let newest;
      let delay = 5_000;
      geolocation.watchPosition = (success, failure, options) => {
        let timer;
        const report = (position, error) => {
          clearTimeout(timer);
          timer = undefined;
          if (!watches.has(id)) return;
          newest = position;
          if (position) success(position);
          else failure?.(error);
        };
        const id = watch((position) => {
          delay = 500;
          report(position);
        }, (error) => {
          if (error.code === 2) timer ??= setTimeout(report, delay, undefined, error);
          else report(undefined, error);
        }, options);
        watches.add(id);
        return id;
      };
      geolocation.clearWatch = (id) => {
        clear(id);
        watches.delete(id);
        if (watches.size === 0) newest = undefined;
      };
      geolocation.getCurrentPosition = (success, failure, options) => {
        if (newest) {
          setTimeout(success, 0, newest);
          return;
        }
        const once = (report) => (value) => {
          geolocation.clearWatch(id);
          report?.(value);
        };
        const id = geolocation.watchPosition(once(success), once(failure), options);
      };
    })()
    """
}
