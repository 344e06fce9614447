/// The screens that are open: a stack that is never empty, with the shown screen on top.
package struct Router<Screen> {
  private var stack: [(route: Route, screen: Screen)]

  package init(_ route: Route, _ screen: Screen) {
    stack = [(route, screen)]
  }

  private var top: (route: Route, screen: Screen) { stack[stack.count - 1] }

  /// The routes of the open screens, the shown one last.
  package var routes: [Route] { stack.map(\.route) }

  package var current: Route { top.route }

  package var screen: Screen { top.screen }

  /// The route that ``back()`` leads to; `nil` on the first screen.
  package var previous: Route? { stack.count > 1 ? stack[stack.count - 2].route : nil }

  /// Opens a screen, unless its route is shown already.
  package mutating func open(_ route: Route, _ screen: @autoclosure () -> Screen) {
    if route != current { stack.append((route, screen())) }
  }

  /// Moves the newest open screen with a matching route to the top, if there is one.
  package mutating func show(where matches: (Route) -> Bool) -> Bool {
    guard let position = stack.lastIndex(where: { matches($0.route) }) else { return false }
    stack.append(stack.remove(at: position))
    return true
  }

  /// Goes back to the previous screen; the first one stays.
  package mutating func back() {
    if stack.count > 1 { stack.removeLast() }
  }
}

/// Routes without screens, for a front end that opens each page anew.
extension Router<Void> {
  package init(_ route: Route = .home) { self.init(route, ()) }

  package mutating func open(_ route: Route) { open(route, ()) }
}
