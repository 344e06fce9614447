import FaketrackSupport
import Foundation

/// Feeds the open tabs of a browser, and tabs that are opened later.
final class TabFeed: FeedConnection {
  /// The time until a page has a position that its browser has confirmed.
  private static let arrivalTime = Duration.milliseconds(100)
  /// The maximum number of permissions to set.
  private static let permissionLimit = 10_000

  private struct State {
    var browser: (any TabBrowser)?
    var tabs: [String: BrowserTab] = [:]
    /// The permissions of places before the walk, where pages told them.
    var originals: [BrowserTab.Place: TabPermission] = [:]
    var permissions: [BrowserTab.Place: TabPermission] = [:]
    /// The tabs whose page was denied the position before the feed, and has not been loaded since: a page that
    /// asked then does not ask again.
    var denied: Set<String> = []
    var limit = TabLimit()
    var signal: FeedSignal?
    var hasBeenOpen = false
    var listening: Task<Void, Never>?
  }

  private let address: URL
  private let plainHint: String
  private let context: FeedContext
  private let connect: @Sendable () async throws -> any TabBrowser
  private let state = Locked(State())

  /// - Parameters:
  ///   - address: an address of the browser or its driver.
  ///   - plainHint: the advice if a server answers there that speaks TLS.
  ///   - connect: connects to the browser.
  init(
    at address: URL, plainHint: String, in context: FeedContext,
    connect: @escaping @Sendable () async throws -> any TabBrowser
  ) {
    self.address = address
    self.plainHint = plainHint
    self.context = context
    self.connect = connect
  }

  func open() async throws {
    let browser = try await context.connect(to: address, hint: plainHint) {
      let browser = try await connect()
      // Without a socket, the first call shows whether the server speaks TLS.
      if browser.remote == nil { try await begin(with: browser) }
      return browser
    }
    if browser.remote != nil { try await begin(with: browser) }
  }

  private func begin(with browser: any TabBrowser) async throws {
    state.withLock { ($0.tabs, $0.permissions, $0.denied) = ([:], [:], []) }
    do {
      let tabs = try await browser.tabs()
      for tab in tabs { try await take(tab, in: browser) }
      for profile in Set(tabs.map(\.place.profile)) { try await allowAll(in: profile, browser) }
      if let failure = browser.failureWithoutTabs,
        state.withLock({ $0.tabs.isEmpty && !$0.hasBeenOpen })
      {
        throw failure
      }
    } catch {
      await browser.close()
      guard let error = error as? RemoteBrowser.CallError else { throw error }
      throw FeedError.rejected(error.description, hint: browser.hint)
    }
    state.withLock { state in
      state.browser = browser
      state.hasBeenOpen = true
      state.listening = Task { await listen(to: browser) }
    }
  }

  private func listen(to browser: any TabBrowser) async {
    guard let events = browser.remote?.events else { return }
    for await event in events {
      switch browser.change(by: event) {
      case .opened(let tab): try? await take(tab, in: browser)
      case .moved(let id, let address): await move(id, to: address, in: browser)
      case .loaded(let id): _ = state.withLock { $0.denied.remove(id) }
      case .closed(let id):
        let isKnown = state.withLock { state in
          state.denied.remove(id)
          return state.tabs.removeValue(forKey: id) != nil
        }
        if isKnown { await browser.release(id) }
      case nil: break
      }
    }
  }

  /// Gives a tab that is new, or shows a page of another origin, the permission and the current position.
  /// A tab that closes meanwhile is left alone.
  ///
  /// - Throws: the reason why the browser takes no positions at all.
  private func take(_ tab: BrowserTab, in browser: any TabBrowser) async throws(FeedError) {
    let known = state.withLock { $0.tabs[tab.id] }
    if known?.place == tab.place { return }
    do {
      if known == nil {
        let name = tab.id + (tab.place.profile ?? "")
        let hasRoom = state.withLock { $0.limit.admits(name, to: $0.tabs.count, context.note) }
        guard hasRoom else { return }
        try await browser.attach(to: tab)
      }
      let (signal, isFirst) = state.withLock { state in
        state.tabs[tab.id] = tab
        state.denied.remove(tab.id)
        return (state.signal, state.browser == nil || state.permissions[tab.place] == nil)
      }
      try await apply(signal, to: tab, in: browser)
      if browser.reloads, known == nil {
        try await browser.reload(tab)
      } else if isFirst {
        noteDenial(of: tab)
      }
    } catch FeedError.rejected(let reason, let hint) {
      throw .rejected(reason, hint: hint)
    } catch {}
  }

  /// Notes that the page in a tab may have been denied the position before the feed, once for each place.
  private func noteDenial(of tab: BrowserTab) {
    let isNew = state.withLock { state in
      guard state.originals[tab.place] == .denied else { return false }
      let others = state.denied.compactMap { state.tabs[$0]?.place }
      return state.denied.insert(tab.id).inserted && !others.contains(tab.place)
    }
    if isNew {
      context.note("note: a page of \(tab.place.origin) was denied the position before; reload it")
    }
  }

  /// Gives the page that a tab shows now the permission; the position stays over pages.
  private func move(_ id: String, to address: String, in browser: any TabBrowser) async {
    let tab = state.withLock { state -> BrowserTab? in
      guard let known = state.tabs[id] else { return nil }
      let tab = BrowserTab(id, address: address, profile: known.place.profile)
      state.tabs[id] = tab
      state.denied.remove(id)
      return tab
    }
    if let tab { try? await setPermission(in: tab, browser) }
  }

  func hasReceiver() async -> Bool {
    guard let browser = state.withLock(\.browser) else { return false }
    if browser.remote != nil { return state.withLock { !$0.tabs.isEmpty } }
    return (try? await browser.tabs().isEmpty) == false
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    guard let browser = state.withLock(\.browser) else {
      throw FeedError.unreachable("the connection ended")
    }
    do {
      let asked = browser.remote == nil ? try await browser.tabs() : nil
      let tabs = state.withLock { state in
        state.signal = signal
        if let asked { state.tabs = Dictionary(uniqueKeysWithValues: asked.map { ($0.id, $0) }) }
        return Array(state.tabs.values)
      }
      if tabs.isEmpty {
        try await browser.check()
        return .refused("no tab is open")
      }
      try await apply(signal, to: tabs, in: browser)
      let isSeen = state.withLock { state in tabs.contains { !state.denied.contains($0.id) } }
      return isSeen ? .confirmed : .sent
    } catch let error as RemoteBrowser.CallError {
      return .refused(error.description)
    }
  }

  /// Applies a signal to tabs side by side.
  ///
  /// - Throws: the failure of a tab if no tab took the signal.
  private func apply(
    _ signal: FeedSignal, to tabs: [BrowserTab], in browser: any TabBrowser
  ) async throws {
    let failures = await withTaskGroup(of: (any Error)?.self) { group in
      for tab in tabs {
        group.addTask {
          do {
            try await self.apply(signal, to: tab, in: browser)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    if let failure = failures.compactMap(\.self).first, !failures.contains(where: { $0 == nil }) {
      throw failure
    }
  }

  private func apply(
    _ signal: FeedSignal?, to tab: BrowserTab, in browser: any TabBrowser
  ) async throws {
    // Without a signal yet, the page may ask, and waits.
    try await setPermission(in: tab, browser)
    switch signal {
    case .position(let fix): try await browser.set(.known(GeolocationOverride(fix)), in: tab)
    case .unavailable: try await browser.set(.unavailable, in: tab)
    case .denied, nil: break
    }
  }

  /// Sets the permission of the place of a tab by the newest signal, if the place has another permission.
  private func setPermission(in tab: BrowserTab, _ browser: any TabBrowser) async throws {
    let place = tab.place
    if !place.origin.isEmpty { try await setPermission(of: place, shownIn: tab, browser) }
    // At first, each page tells the permission that it had before.
    if state.withLock({ $0.browser != nil }) { try await allowAll(in: place.profile, browser) }
  }

  /// Sets the permission of the page in a tab, once the page has told the one that it had.
  private func setPermission(
    of place: BrowserTab.Place, shownIn tab: BrowserTab, _ browser: any TabBrowser
  ) async throws {
    let isUnknown = state.withLock { state in
      state.permissions[place] == nil && state.permissions.count < Self.permissionLimit
    }
    if isUnknown, let original = await browser.permission(in: tab) {
      state.withLock { state in
        if state.permissions[place] != nil { return }
        state.permissions[place] = original
        if state.originals[place] == nil { state.originals[place] = original }
      }
    }
    try await setPermission(of: place, browser)
  }

  /// Sets the permission of pages that are yet to be loaded in a profile, which may ask before they are
  /// known.
  private func allowAll(in profile: String?, _ browser: any TabBrowser) async throws {
    guard browser.allowsAll else { return }
    try await setPermission(of: BrowserTab.Place(origin: "", profile: profile), browser)
  }

  private func setPermission(
    of place: BrowserTab.Place, _ browser: any TabBrowser
  ) async throws {
    while true {
      let (permission, before, isNew) = state.withLock { state in
        let permission = state.signal?.isDenial == true ? TabPermission.denied : .granted
        let before = state.permissions[place]
        let isNew =
          before != permission
          && (before != nil || state.permissions.count < Self.permissionLimit)
        // Before the call: a call that breaks off may have arrived.
        if isNew { state.permissions[place] = permission }
        return (permission, before, isNew)
      }
      guard isNew else { return }
      do {
        try await browser.set(permission, in: place)
      } catch let error as RemoteBrowser.CallError {
        state.withLock { $0.permissions[place] = before }
        throw error
      }
    }
  }

  func close() async {
    let listening = state.withLock { $0.listening.take() }
    listening?.cancel()
    await listening?.value
    let ended = state.withLock { state in
      defer {
        state = State(
          limit: state.limit, signal: state.signal.flatMap { $0.isDenial ? $0 : nil },
          hasBeenOpen: state.hasBeenOpen)
      }
      return state
    }
    guard let browser = ended.browser else { return }
    if ended.signal != nil {
      try? await Task.sleep(for: Self.arrivalTime)
      if !browser.forgets { await restore(ended, in: browser) }
    }
    await browser.close()
  }

  private func restore(_ state: State, in browser: any TabBrowser) async {
    await withDiscardingTaskGroup { group in
      for tab in state.tabs.values {
        group.addTask { try? await browser.set(.real, in: tab) }
      }
      for (place, permission) in state.permissions {
        // A page that did not tell its permission may go on asking.
        let original = state.originals[place] ?? .granted
        if permission != original {
          group.addTask { try? await browser.set(original, in: place) }
        }
      }
    }
  }
}

/// The limit on the tabs of a browser, with a note when it is reached.
struct TabLimit {
  private static let tabs = 1_000
  /// The maximum number of bytes of a name that a browser gives a tab.
  static let nameSize = 1_024
  private var isNoted = false

  /// Whether there is room for one more tab.
  ///
  /// - Parameters:
  ///   - name: all names that the browser has for the tab.
  ///   - count: the number of tabs so far.
  ///   - note: shows a line to the user.
  mutating func admits(_ name: String, to count: Int, _ note: (String) -> Void) -> Bool {
    if name.utf8.count > Self.nameSize { return false }
    if count < Self.tabs { return true }
    if !isNoted {
      note("note: the browser has more than 1,000 tabs; the first 1,000 get the position")
    }
    isNoted = true
    return false
  }
}
