import Dispatch
import FaketrackFeatures
import Foundation

/// Fails early if too few file descriptors are available.
///
/// Without one, most calls fail with an error that can be reported, but Dispatch ends the process: it
/// opens a few when it first waits for a signal or a time.
enum FileDescriptors {
  /// The minimum besides calls and connections, which fail one by one.
  private static let needed = 32
  /// More than any work uses.
  private static let plenty = 128

  /// - Throws: `Failure` when there are too few.
  static func check() throws {
    let free = count(upTo: plenty)
    if free == plenty { return }
    guard free >= needed else {
      throw Failure(
        message: "only \(free) more files can be open at once, and \(needed) are needed",
        hint: "Raise the limit with \"ulimit -n 256\".")
    }
    openDescriptorsOfDispatch()
  }

  /// The number of descriptors that this process can still open.
  private static func count(upTo limit: Int) -> Int {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < limit {
      let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
      guard descriptor >= 0 else { break }
      opened.append(descriptor)
    }
    return opened.count
  }

  private static func openDescriptorsOfDispatch() {
    let timer = DispatchSource.makeTimerSource()
    let hasFired = DispatchSemaphore(value: 0)
    timer.setEventHandler { hasFired.signal() }
    timer.schedule(deadline: .now())
    timer.resume()
    hasFired.wait()
    timer.cancel()
  }
}
