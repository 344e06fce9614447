import Foundation

/// Restores the terminal and shows the reason when the process crashes or exits abruptly.
enum CrashGuard {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

  /// Set before the handlers are installed; a handler only reads them.
  nonisolated(unsafe) private static var mode = termios()
  nonisolated(unsafe) private static var before: [sigaction] = []
  nonisolated(unsafe) private static var isInstalled = false

  /// Installs the handlers, which leave the screen and restore the current mode of the terminal.
  static func install() {
    tcgetattr(STDIN_FILENO, &mode)
    HeldErrorOutput.hold()
    provideStack()
    before = signals.map { _ in sigaction() }
    for (index, number) in signals.enumerated() {
      var action = sigaction()
      action.sa_flags = SA_ONSTACK
      let handler: @convention(c) (Int32) -> Void = { number in
        CrashGuard.restore()
        CrashGuard.forward(number)
      }
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      sigaction(number, &action, &before[index])
    }
    isInstalled = true
  }

  static func remove() {
    guard isInstalled else { return }
    isInstalled = false
    for (index, number) in signals.enumerated() { sigaction(number, &before[index], nil) }
    HeldErrorOutput.release()
  }

  /// Provides a stack for the handlers after a stack overflow, unless there is one.
  private static func provideStack() {
    var stack = stack_t()
    guard sigaltstack(nil, &stack) == 0, stack.ss_flags & Int32(SS_DISABLE) != 0 else { return }
    // Never freed, like the thread.
    stack.ss_size = 65_536
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    stack.ss_flags = 0
    sigaltstack(&stack, nil)
  }

  /// Restores the terminal; async-signal-safe.
  static func restore() {
    guard isInstalled else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    // A terminal that accepts nothing must not keep the process alive.
    var room = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&room, 1, 500) > 0 else { return }
    let leave = FullScreen.leave
    _ = write(STDOUT_FILENO, leave.utf8Start, leave.utf8CodeUnitCount)
    HeldErrorOutput.release()
  }

  /// Restores the previous handler, which is the runtime's backtrace or the system's, and raises
  /// the signal again.
  private static func forward(_ number: Int32) {
    for index in signals.indices where signals[index] == number {
      sigaction(number, &before[index], nil)
    }
    raise(number)
  }
}

/// Keeps stderr off the app's screen and shows it when the app ends: for example, the reason for a
/// crash, which the runtime writes before it raises the signal.
private enum HeldErrorOutput {
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
