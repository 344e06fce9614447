import Foundation

/// Keeps stderr off the app's screen and shows it when the app ends: for example, the reason for a
/// crash, which the runtime writes before it raises the signal.
enum HeldErrorOutput {
  /// Set before signal handlers are installed.
  nonisolated(unsafe) private static var terminal: Int32 = -1
  nonisolated(unsafe) private static var file: Int32 = -1

  /// Redirects stderr to an unnamed file, if it is a terminal.
  static func hold() {
    guard isatty(STDERR_FILENO) == 1, let stream = tmpfile() else { return }
    defer { fclose(stream) }
    file = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0)
    terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    if file >= 0, terminal >= 0 { dup2(file, STDERR_FILENO) }
  }

  /// Restores stderr and writes the held output to it; async-signal-safe.
  static func release() {
    guard file >= 0, terminal >= 0 else { return }
    dup2(terminal, STDERR_FILENO)
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { buffer in
      var position = 0
      while true {
        let count = pread(file, buffer.baseAddress, buffer.count, off_t(position))
        guard count > 0, write(terminal, buffer.baseAddress, count) == count else { break }
        position += count
      }
    }
    close(file)
    close(terminal)
    file = -1
    terminal = -1
  }
}
