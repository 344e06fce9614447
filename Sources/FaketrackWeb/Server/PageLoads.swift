import FaketrackFeatures

/// The load of a screen for a page.
@MainActor
struct PageLoad {
  let screen: Screen
  /// Whether it bypasses caches.
  fileprivate let isRefresh: Bool
  fileprivate let id: Int
  fileprivate let task: Task<Void, Never>

  /// Waits until the screen is loaded, at most for the timeout; `nil` waits without limit.
  func wait(atMost timeout: Duration?) async {
    guard let timeout else { return await task.value }
    let (end, continuation) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      await task.value
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
/// The first response of a page waits only briefly for other services; the page then requests the
/// missing parts. Those requests join the load of the first one.
@MainActor
final class PageLoads {
  /// Maximum number of concurrent loads from other services, which continue when browsers leave.
  static let limit = 64

  private let dependencies: Dependencies
  private var joinable: [Route: PageLoad] = [:]
  private var lastID = 0
  /// The number of loads from other services, including those that can no longer be joined.
  private var inProgress = 0

  init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
  }

  /// The number of loads that can be joined.
  var count: Int { joinable.count }

  /// Loads the screen of a route or joins its load in progress; `nil` if there are too many loads.
  ///
  /// - Parameter isRefresh: whether to bypass caches; joins only a load that does so too.
  func load(_ route: Route, isRefresh: Bool = false) -> PageLoad? {
    if let load = joinable[route], load.isRefresh || !isRefresh { return load }
    return begin(route, isRefresh: isRefresh)
  }

  /// Keeps requests from joining the current loads, since their favorites are out of date.
  func forget() {
    joinable = [:]
  }

  private func begin(_ route: Route, isRefresh: Bool) -> PageLoad? {
    let isCounted = Self.needsService(route)
    if isCounted {
      guard inProgress < Self.limit else { return nil }
      inProgress += 1
    }
    lastID += 1
    let id = lastID
    let screen = Screen(route, dependencies)
    let task = Task { [weak self] in
      await Self.load(screen, isRefresh: isRefresh)
      if isCounted { self?.end(id, of: route) }
    }
    let load = PageLoad(screen: screen, isRefresh: isRefresh, id: id, task: task)
    if isCounted { joinable[route] = load }
    return load
  }

  private func end(_ id: Int, of route: Route) {
    inProgress -= 1
    if joinable[route]?.id == id { joinable[route] = nil }
  }

  private static func load(_ screen: Screen, isRefresh: Bool) async {
    switch screen {
    case .home(let model): await model.send(.load)
    case .city(let model): await model.send(.load)
    case .lists(let model): await model.send(isRefresh ? .refresh : .load)
    case .tracking, .cities, .about: break
    }
  }

  /// Whether loading calls a service; other screens are loaded for each request.
  private static func needsService(_ route: Route) -> Bool {
    switch route {
    case .city, .lists: true
    case .home, .tracking, .cities, .about: false
    }
  }
}
