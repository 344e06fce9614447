import Dispatch
import FaketrackFeatures
import Foundation

/// Fails early if too few threads can be started.
///
/// Otherwise the process would hang later, since Dispatch waits until it can start a thread.
enum ThreadLimit {
  /// The number of threads for tasks, Dispatch, the store, the network and a parser.
  private static let needed = 12
  /// The number from which a limit counts as unlimited.
  private static let plenty = rlim_t(1 << 12)

  /// Starts as many threads as are needed at once, if there is a limit on memory or processes.
  ///
  /// - Throws: `Failure` when there are too few.
  static func check() throws {
    #if os(Linux)
      guard limit(RLIMIT_AS) < .max || limit(__RLIMIT_NPROC) < plenty else { return }
      let gate = DispatchSemaphore(value: 0)
      var threads: [pthread_t] = []
      var thread = pthread_t()
      while threads.count < needed, start(&thread, waitingAt: gate) { threads.append(thread) }
      for _ in threads { gate.signal() }
      for thread in threads { pthread_join(thread, nil) }
      guard threads.count == needed else {
        throw Failure(
          message: "only \(threads.count) threads can be started, and \(needed) are needed",
          hint: "Raise the limits with \"ulimit -u\" and \"ulimit -v\".")
      }
    #endif
  }

  #if os(Linux)
    private static func limit(_ resource: __rlimit_resource) -> rlim_t {
      var limit = rlimit()
      return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit.rlim_cur : .max
    }

    private static func start(
      _ thread: inout pthread_t, waitingAt gate: DispatchSemaphore
    ) -> Bool {
      pthread_create(
        &thread, nil,
        { gate in
          guard let gate else { return nil }
          Unmanaged<DispatchSemaphore>.fromOpaque(gate).takeUnretainedValue().wait()
          return nil
        }, Unmanaged.passUnretained(gate).toOpaque()) == 0
    }
  #endif
}
