import FaketrackSupport
import Foundation
import NIOCore

extension FeedTarget {
  static let nmeaTerminal = FeedTarget(
    "nmea:pty", "", "Makes a serial port that sends NMEA 0183, and shows its path."
  ) { address in
    guard address.isEmpty else { return nil }
    return { context in NMEATerminalFeed(in: context) }
  }
}

/// A pseudoterminal whose reader gets the sentences as from the serial port of a receiver.
private final class NMEATerminalFeed: FeedConnection {
  /// The time that a reader gets for the first sentences. Each later write tells whether the previous
  /// sentences have been read.
  private static let readingTime = Duration.milliseconds(100)
  /// The time in which the system passes sentences on; before, they look as if they had been read.
  private static let passingTime = Duration.milliseconds(20)
  private static let unheard = FeedReceipt.refused("no reader")

  let tellsTime = true
  let needsRepetition = true
  private let context: FeedContext
  private let text = NMEAText()
  private let lastWrite = Locked<ContinuousClock.Instant?>(nil)
  private let ends = Locked<(control: CInt, port: CInt)?>(nil)

  init(in context: FeedContext) {
    self.context = context
  }

  func open() async throws {
    // The port stays open here, so that it stays usable after a reader closes it.
    var (control, port): (CInt, CInt) = (-1, -1)
    var settings = termios()
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CREAD)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&control, &port, nil, &settings, nil) == 0,
      ttyname_r(port, &name, name.count) == 0
    else { throw FeedError.unreachable("no pseudoterminal: \(String(cString: strerror(errno)))") }
    for end in [control, port] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(control, F_SETFL, O_NONBLOCK)
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    ends.withLock { $0 = (control, port) }
    context.note("feed nmea:pty: the serial port is \(path)")
  }

  /// Whether a receiver without a fix yet is read.
  func hasReceiver() async -> Bool { (try? await send(.unavailable(at: nil))) == .confirmed }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    guard let (control, port) = ends.withLock(\.self) else {
      throw FeedError.unreachable("the port is closed")
    }
    let last = lastWrite.withLock(\.self)
    if let last, last + Self.passingTime > .now {
      try await Task.sleep(until: last + Self.passingTime)
    }
    // A reader that opens the port late gets only the newest position.
    let wasRead = unread(port) == 0
    tcflush(port, TCIFLUSH)
    let bytes = Array(text.bytes(of: signal).readableBytesView)
    guard write(control, bytes, bytes.count) == bytes.count else {
      return .refused("the reader does not keep up")
    }
    lastWrite.withLock { $0 = .now }
    if last != nil { return wasRead ? .confirmed : Self.unheard }
    try await Task.sleep(for: Self.readingTime)
    return unread(port) == 0 ? .confirmed : Self.unheard
  }

  private func unread(_ port: CInt) -> CInt {
    var count: CInt = 0
    _ = ioctl(port, UInt(FIONREAD), &count)
    return count
  }

  func close() async {
    ends.withLock { ends in
      guard let (control, port) = ends.take() else { return }
      Foundation.close(control)
      Foundation.close(port)
    }
  }
}
