import Dispatch
import FaketrackFeatures
import Foundation

/// Makes sure that there are file descriptors enough to run with.
///
/// Where one is missing, most calls fail with an error that can be reported, but Dispatch ends the
/// process: it needs a few of its own, and opens them whenever it first waits for a signal or a time.
enum FileDescriptors {
  /// As many as the work needs besides its calls and connections, which fail one by one.
  private static let needed = 32
  /// With as many as this, no work uses up all of them.
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
    openThoseOfDispatch()
  }

  /// How many descriptors this process could still open.
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

  private static func openThoseOfDispatch() {
    let timer = DispatchSource.makeTimerSource()
    let hasFired = DispatchSemaphore(value: 0)
    timer.setEventHandler { hasFired.signal() }
    timer.schedule(deadline: .now())
    timer.resume()
    hasFired.wait()
    timer.cancel()
  }
}
