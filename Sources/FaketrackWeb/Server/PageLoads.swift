import FaketrackFeatures

/// The load of a screen for a page.
@MainActor
final class PageLoad {
  let screen: Screen
  /// Whether it bypasses caches.
  fileprivate let isRefresh: Bool
  /// Whether other requests may join it.
  fileprivate let isShared: Bool
  fileprivate var task: Task<Void, Never>?

  fileprivate init(_ screen: Screen, isRefresh: Bool) {
    self.screen = screen
    self.isRefresh = isRefresh
    isShared = screen.callsServices
  }

  /// Waits until the screen is loaded, at most for the timeout; `nil` waits without limit. A load for
  /// this request alone ends with the wait.
  func wait(atMost timeout: Duration?) async {
    defer { if !isShared { task?.cancel() } }
    guard let timeout else {
      await task?.value
      return
    }
    let (end, continuation) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      await task?.value
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: timeout)
      continuation.finish()
    }
    for await _ in end {}
    timer.cancel()
    waiting.cancel()
  }
}

/// The loads in progress.
///
/// The first response of a page waits only briefly for other services; the requests of the page for
/// the missing parts join its load.
@MainActor
final class PageLoads {
  /// Maximum number of concurrent loads from other services, which continue when browsers leave.
  static let limit = 64

  private let dependencies: Dependencies
  private var joinable: [Route: PageLoad] = [:]
  /// The number of loads from other services, including those that can no longer be joined.
  private var inProgress = 0

  init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
  }

  var count: Int { joinable.count }

  /// Loads the screen of a route or joins its load in progress; `nil` if there are too many loads.
  ///
  /// - Parameter isRefresh: whether to bypass caches; joins only a load that does so too.
  func load(_ route: Route, isRefresh: Bool = false) -> PageLoad? {
    if let load = joinable[route], load.isRefresh || !isRefresh { return load }
    let screen = Screen(route, dependencies)
    // Other screens are loaded for each request.
    if screen.callsServices, inProgress >= Self.limit { return nil }
    let load = PageLoad(screen, isRefresh: isRefresh)
    if load.isShared {
      inProgress += 1
      joinable[route] = load
    }
    load.task = Task { [weak self] in
      await screen.load(isRefresh: isRefresh)
      if load.isShared { self?.end(load, of: route) }
    }
    return load
  }

  private func end(_ load: PageLoad, of route: Route) {
    inProgress -= 1
    if joinable[route] === load { joinable[route] = nil }
  }

  /// Keeps requests from joining the current loads, since their favorites are out of date.
  func forget() {
    joinable = [:]
  }
}
