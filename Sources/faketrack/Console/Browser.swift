import Foundation

/// Opens web pages.
enum Browser {
  /// - Returns: whether there is a browser.
  static func open(_ url: URL) -> Bool {
    #if os(macOS)
      let program = "/usr/bin/open"
    #else
      let program = "/usr/bin/xdg-open"
      // Without a display it would open a browser in the terminal.
      let environment = ProcessInfo.processInfo.environment
      guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else {
        return false
      }
    #endif
    guard url.scheme == "https" || url.scheme == "http",
      FileManager.default.isExecutableFile(atPath: program)
    else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [url.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) != nil
  }
}
