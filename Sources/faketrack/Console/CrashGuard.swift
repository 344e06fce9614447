import Foundation

/// Says that the process has crashed, after it has given back the terminal.
enum CrashGuard {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]
  private static let message: StaticString = """
    error: faketrack stopped unexpectedly
    hint: It may have run out of memory or threads. If not, report it; faketrack about says where.

    """

  /// Set before the screen is taken; a handler only reads it.
  nonisolated(unsafe) private static var mode = termios()
  nonisolated(unsafe) private static var holdsScreen = false
  nonisolated(unsafe) private static var keys: Int32 = -1
  nonisolated(unsafe) private static var screen: Int32 = -1
  /// The previous handlers by signal, set before ours are installed, never freed.
  nonisolated(unsafe) private static let before = UnsafeMutablePointer<sigaction>.allocate(
    capacity: 32)

  /// Installs handlers that describe a crash. They call only functions that POSIX declares safe
  /// in a signal handler, and use no memory that is allocated or initialized later.
  static func install() {
    provideStack()
    for number in signals {
      var action = sigaction { number in
        CrashGuard.restore()
        CrashGuard.write(CrashGuard.message, to: STDERR_FILENO)
        // Goes on with the runtime's backtrace or the system's default.
        sigaction(number, CrashGuard.before + Int(number), nil)
        raise(number)
      }
      sigaction(number, &action, before + Int(number))
    }
  }

  /// Remembers a mode of the terminal with the keys, and keeps stderr off the screen.
  static func hold(_ screen: Int32, keys: Int32, in mode: termios) {
    (self.screen, self.keys, self.mode) = (screen, keys, mode)
    HeldErrorOutput.hold()
    holdsScreen = true
  }

  static func releaseScreen() {
    guard holdsScreen else { return }
    holdsScreen = false
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

  /// Leaves the screen and restores the terminal; async-signal-safe, as are tcsetattr(3), poll(2)
  /// and write(2).
  static func restore() {
    guard holdsScreen else { return }
    tcsetattr(keys, TCSANOW, &mode)
    if write(FullScreen.leave, to: screen) { HeldErrorOutput.release() }
  }

  @discardableResult
  private static func write(_ text: StaticString, to descriptor: Int32) -> Bool {
    write(
      UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), to: descriptor)
  }

  /// Writes bytes; gives up on a terminal that accepts nothing for half a second.
  fileprivate static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&room, 1, 500) > 0 else { return false }
      let count = Foundation.write(
        descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      guard count >= 0 || errno == EAGAIN || errno == EINTR else { return false }
      start += max(0, count)
    }
    return true
  }
}

/// Keeps stderr off the app's screen and shows it when the app ends: for example, the reason for a
/// crash, which the runtime writes before it raises the signal.
private enum HeldErrorOutput {
  /// Set before the screen is held.
  nonisolated(unsafe) private static var terminal: Int32 = -1
  nonisolated(unsafe) private static var file: Int32 = -1
  /// The terminal on a descriptor that does not block.
  nonisolated(unsafe) private static var target: Int32 = -1

  private static var isHeld: Bool { file >= 0 && terminal >= 0 }

  /// Redirects stderr to an unnamed file, if it is a terminal.
  static func hold() {
    guard isatty(STDERR_FILENO) == 1, let stream = tmpfile() else { return }
    defer { fclose(stream) }
    target = OutputQueue.errors.descriptor
    file = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0)
    terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    if isHeld { dup2(file, STDERR_FILENO) }
  }

  /// Restores stderr and writes the held output to it; async-signal-safe, as are dup2(2), lseek(2),
  /// read(2), poll(2), write(2) and close(2), and a buffer of up to 1,024 bytes is on the stack.
  static func release() {
    guard isHeld else { return }
    dup2(terminal, STDERR_FILENO)
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { buffer in
      lseek(file, 0, SEEK_SET)
      while true {
        let count = read(file, buffer.baseAddress, buffer.count)
        guard count > 0,
          CrashGuard.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target)
        else { break }
      }
    }
    close(file)
    close(terminal)
    file = -1
    terminal = -1
  }
}
