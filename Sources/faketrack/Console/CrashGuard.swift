import Foundation

/// Gives the terminal back, and the reason, when the process crashes or is ended at once.
enum CrashGuard {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]

  /// Set before the handlers are, and never while they are: a handler may only read.
  nonisolated(unsafe) private static var mode = termios()
  nonisolated(unsafe) private static var sequence: UnsafeBufferPointer<UInt8>?
  nonisolated(unsafe) private static var before: [sigaction] = []
  /// Whether there is something to give back.
  nonisolated(unsafe) private static var isInstalled = false

  /// Remembers the mode of the terminal, and what to write to it.
  static func install(restoring text: String) {
    tcgetattr(STDIN_FILENO, &mode)
    if sequence == nil {
      // Kept for good: there is no moment at which no handler may read it.
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
        CrashGuard.handOn(number)
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

  /// Lets the handlers run where the stack of this thread has no room left, unless there is one for that.
  private static func provideStack() {
    var stack = stack_t()
    guard sigaltstack(nil, &stack) == 0, stack.ss_flags & Int32(SS_DISABLE) != 0 else { return }
    // Kept for good, like the thread.
    stack.ss_size = 65_536
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    stack.ss_flags = 0
    sigaltstack(&stack, nil)
  }

  /// Gives the terminal back; calls nothing but what a handler of signals may.
  static func restore() {
    guard isInstalled else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    // A terminal that takes nothing must not keep the process alive.
    var room = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard let sequence, poll(&room, 1, 500) > 0 else { return }
    _ = write(STDOUT_FILENO, sequence.baseAddress, sequence.count)
    HeldErrorOutput.release()
  }

  /// Lets who handled the signal before have it: the backtrace of the runtime, or the system.
  private static func handOn(_ number: Int32) {
    for index in signals.indices where signals[index] == number {
      sigaction(number, &before[index], nil)
    }
    raise(number)
  }
}
