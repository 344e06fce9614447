import FaketrackFeatures

/// The loading of a screen for a page.
@MainActor
struct PageLoad {
  let screen: Screen
  /// Whether it leaves out caches.
  fileprivate let isRefresh: Bool
  fileprivate let id: Int
  fileprivate let task: Task<Void, Never>

  /// Waits until the screen is loaded, or the patience has run out; `nil` waits to the end.
  func wait(atMost patience: Duration?) async {
    guard let patience else { return await task.value }
    let (end, continuation) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      await task.value
      continuation.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: patience)
      continuation.finish()
    }
    for await _ in end {}
    timer.cancel()
    waiting.cancel()
  }
}

/// The loads that are under way.
///
/// The first response of a page waits only briefly for other services; the page then requests what
/// is missing. That request joins the load that the first one began, so that nothing is loaded twice.
@MainActor
final class PageLoads {
  /// The most loads from other services at once: each goes on when nobody waits for it any more.
  static let limit = 64

  private let dependencies: Dependencies
  private var joinable: [Route: PageLoad] = [:]
  private var lastID = 0
  /// The loads from other services, including those that are no longer joined.
  private var underWay = 0

  init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
  }

  /// How many loads can be joined.
  var count: Int { joinable.count }

  /// Loads the screen of a route, or joins the load of it that is under way; `nil` if there are too
  /// many.
  ///
  /// - Parameter isRefresh: whether caches are left out, so that only a load that does so is joined.
  func load(_ route: Route, isRefresh: Bool = false) -> PageLoad? {
    if let load = joinable[route], load.isRefresh || !isRefresh { return load }
    return begin(route, isRefresh: isRefresh)
  }

  /// Keeps requests from joining the current loads, whose favorites are out of date.
  func forget() {
    joinable = [:]
  }

  private func begin(_ route: Route, isRefresh: Bool) -> PageLoad? {
    let isCounted = Self.comesFromElsewhere(route)
    if isCounted {
      guard underWay < Self.limit else { return nil }
      underWay += 1
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
    underWay -= 1
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

  /// Whether loading asks a service; everything else is loaded anew for each request.
  private static func comesFromElsewhere(_ route: Route) -> Bool {
    switch route {
    case .city, .lists: true
    case .home, .tracking, .cities, .about: false
    }
  }
}
