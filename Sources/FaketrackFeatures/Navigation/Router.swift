/// Where the user is and how they got there: a stack of routes that is never empty.
package struct Router: Hashable, Sendable {
  package private(set) var stack: [Route]

  package init(_ root: Route = .home) {
    stack = [root]
  }

  /// The screen that is shown.
  package var current: Route { stack[stack.count - 1] }

  /// The screen that ``back()`` leads to; `nil` on the first one.
  package var previous: Route? { stack.count > 1 ? stack[stack.count - 2] : nil }

  /// Opens a screen; the one that is shown already stays.
  package mutating func open(_ route: Route) {
    if route != current { stack.append(route) }
  }

  /// Shows a screen of the stack again, by its position; what was above it is below it then.
  package mutating func moveToTop(_ position: Int) {
    stack.append(stack.remove(at: position))
  }

  /// Shows another screen instead of the one that is shown.
  package mutating func replace(with route: Route) {
    stack[stack.count - 1] = route
  }

  /// Goes back to the screen before; the first one stays.
  package mutating func back() {
    if stack.count > 1 { stack.removeLast() }
  }
}
