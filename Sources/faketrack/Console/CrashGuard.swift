import Foundation

/// Restores the terminal and shows the reason when the process crashes or exits abruptly.
enum CrashGuard {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

  /// Set before the handlers are installed; a handler only reads them.
  nonisolated(unsafe) private static var mode = termios()
  nonisolated(unsafe) private static var sequence: UnsafeBufferPointer<UInt8>?
  nonisolated(unsafe) private static var before: [sigaction] = []
  /// Whether there is something to restore.
  nonisolated(unsafe) private static var isInstalled = false

  /// Installs the handlers, which restore the current mode of the terminal and write a text to it.
  static func install(restoring text: String) {
    tcgetattr(STDIN_FILENO, &mode)
    if sequence == nil {
      // Never freed: a handler may read it at any time.
      let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = bytes.initialize(from: text.utf8)
      sequence = UnsafeBufferPointer(bytes)
    }
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
    guard let sequence, poll(&room, 1, 500) > 0 else { return }
    _ = write(STDOUT_FILENO, sequence.baseAddress, sequence.count)
    HeldErrorOutput.release()
  }

  /// Restores the previous handler, which is the runtime's backtrace or the system's, and raises the
  /// signal again.
  private static func forward(_ number: Int32) {
    for index in signals.indices where signals[index] == number {
      sigaction(number, &before[index], nil)
    }
    raise(number)
  }
}
