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

  /// Turns off the default action of a signal that has a source. On Linux the source replaces it.
  static func ignoreDefaultAction(of number: Int32) {
    #if canImport(Darwin)
      signal(number, SIG_IGN)
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
