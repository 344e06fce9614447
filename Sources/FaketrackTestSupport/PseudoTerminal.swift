import Foundation
import Synchronization

/// A terminal without a screen: what a process writes to it can be read.
package final class PseudoTerminal: Sendable {
  package struct Unavailable: Error {}

  /// What a process is given as its terminal.
  package let device: FileHandle
  private let master: Int32
  private let shown = Mutex(Data())
  private let ended = DispatchSemaphore(value: 0)

  package init() throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard master >= 0, let name = Self.unlockedDevice(of: master) else { throw Unavailable() }
    let descriptor = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unavailable() }
    device = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    var size = winsize(ws_row: 24, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        // Fails when all that write to the terminal have closed it.
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { break }
        shown.withLock { $0.append(contentsOf: buffer[..<count]) }
      }
      close(master)
      ended.signal()
    }
  }

  private static func unlockedDevice(of master: Int32) -> String? {
    #if os(Linux)
      // TIOCSPTLCK and TIOCGPTN, which Swift cannot import.
      var (lock, number) = (Int32(0), Int32(0))
      guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0
      else { return nil }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
        return nil
      }
      return String(cString: name)
    #endif
  }

  /// Gives the terminal up and returns all that was written to it; to be called once, when the
  /// process has ended.
  package func finish() -> String {
    try? device.close()
    ended.wait()
    return shown.withLock { String(decoding: $0, as: UTF8.self) }
  }
}
