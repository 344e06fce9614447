import Observation

/// A screen above the home screen.
public enum Route: Hashable, Codable, Sendable {
  case tracking
}

/// The screens that are open, as a navigation stack shows them.
@MainActor @Observable
public final class Router {
  /// The open screens above the home screen, the visible one last.
  public var path: [Route] = []

  /// Creates a router at the home screen.
  public init() {}

  /// Opens a screen.
  public func show(_ route: Route) {
    path.append(route)
  }

  /// Goes back to the home screen.
  public func showHome() {
    path.removeAll()
  }
}
