import FaketrackSupport
import Foundation

/// A terminal on a descriptor that never blocks.
///
/// The terminal is opened anew, because the shell shares the inherited descriptor and its flags.
struct Terminal: Sendable {
  let descriptor: Int32
  /// Whether the descriptor is not shared with other processes; a shared one may block.
  let isOwn: Bool

  /// - Parameter stream: a standard stream.
  init?(of stream: Int32) {
    guard isatty(stream) == 1 else { return nil }
    // A terminal of another user, as after su, has no other name that this user may open.
    let isControlling = tcgetpgrp(stream) >= 0
    let names = [ttyname(stream).map { String(cString: $0) }, isControlling ? "/dev/tty" : nil]
    let flags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let opened = names.lazy.compactMap(\.self).map { open($0, flags) }.first { $0 >= 0 }
    (descriptor, isOwn) = (opened ?? stream, opened != nil)
  }

  /// The mode of the terminal; changed at once, even if the terminal takes no output.
  var mode: termios? {
    get {
      var mode = termios()
      return tcgetattr(descriptor, &mode) == 0 ? mode : nil
    }
    nonmutating set {
      guard var newValue else { return }
      tcsetattr(descriptor, TCSANOW, &newValue)
    }
  }

  /// The mode for single keys: without line editing and echo.
  func keyMode(from original: termios, hasFlowControl: Bool) -> termios {
    var mode = original
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    if !hasFlowControl { mode.c_iflag &= ~tcflag_t(IXON) }
    if !isOwn {
      // A read then does not wait for a key. A shell would take that for the end of its input, if
      // another process stops this one.
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        characters[Int(VMIN)] = 0
        characters[Int(VTIME)] = 0
      }
    }
    return mode
  }

  /// The process group in the foreground; `nil` if the terminal is gone.
  var foreground: pid_t? {
    let group = tcgetpgrp(descriptor)
    return group >= 0 ? group : nil
  }

  /// Reads the keys that have been pressed; `nil` if the terminal is gone or not in the foreground.
  func read(atMost limit: Int = 1_024) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = Foundation.read(descriptor, &bytes, limit)
    if count > 0 { return Array(bytes.prefix(count)) }
    // A signal has removed the keys, unless the terminal is gone.
    let isEmpty = count == 0 || errno == EINTR || errno == EAGAIN
    return isEmpty && foreground != nil ? [] : nil
  }

  /// Skips input up to the end of a sequence of bytes.
  func skip(past end: [UInt8], until deadline: ContinuousClock.Instant) {
    var bytes: [UInt8] = []
    while bytes != end, .now < deadline {
      var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, 20)
      guard let more = read(atMost: 1) else { return }
      bytes = (bytes + more).suffix(end.count)
    }
  }
}
