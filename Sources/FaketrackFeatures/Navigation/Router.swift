/// Where the user is and how they got there: a stack of routes that is never empty.
package struct Router: Hashable, Sendable {
  package private(set) var stack: [Route]

  package init(_ root: Route = .home) {
    stack = [root]
  }

  /// The screen that is shown.
  package var current: Route { stack[stack.count - 1] }

  /// Goes on to a screen; the one that is shown already stays.
  package mutating func push(_ route: Route) {
    if route != current { stack.append(route) }
  }

  /// Goes back to the screen before; the first one stays.
  package mutating func pop() {
    if stack.count > 1 { stack.removeLast() }
  }

  /// Shows another screen in place of the present one.
  package mutating func replace(with route: Route) {
    stack[stack.count - 1] = route
  }
}
