import FaketrackSupport
import Foundation

/// Differences between Linux and Apple systems.
enum Platform {
  /// The program that opens web pages; `nil` on Linux without a display, where it would open a
  /// browser in the terminal.
  static func browser(in environment: [String: String]) -> String? {
    #if os(macOS)
      return "/usr/bin/open"
    #else
      let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
      return hasDisplay ? "/usr/bin/xdg-open" : nil
    #endif
  }

  #if !canImport(Darwin)
    /// The actions that the sources of signals set with their first source.
    private static let sourceActions = Locked<[Int32: sigaction]>([:])
  #endif

  /// Turns off the default action of a signal that has a source.
  ///
  /// On Linux the first source of a signal replaces its action, and later sources do not.
  static func ignoreDefaultAction(of number: Int32) {
    #if canImport(Darwin)
      signal(number, SIG_IGN)
    #else
      sourceActions.withLock { actions in
        if var action = actions[number] {
          sigaction(number, &action, nil)
        } else {
          var action = sigaction()
          sigaction(number, nil, &action)
          actions[number] = action
        }
      }
    #endif
  }
}

extension sigaction {
  /// An action that calls a handler on the stack for signals.
  init(handler: @escaping @convention(c) (Int32) -> Void) {
    self.init()
    sa_flags = SA_ONSTACK
    #if canImport(Darwin)
      __sigaction_u.__sa_handler = handler
    #else
      __sigaction_handler.sa_handler = handler
    #endif
  }
}
