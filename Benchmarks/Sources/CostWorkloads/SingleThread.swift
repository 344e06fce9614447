import CExecutorHooks

/// Runs all tasks of the process on its only thread, one after the other: valgrind cannot follow the
/// threads that the usual executor starts.
enum SingleThread {
  // Safe because there is only one thread.
  nonisolated(unsafe) private static var jobs: [UnownedJob] = []
  /// The executor of the usual worker threads, which has no actor: a task that leaves an actor goes on
  /// there without a switch.
  static let worker = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  /// Replaces the executors. Delayed jobs, such as the ends of sleeps, never run.
  static func install() {
    replace_executors(
      { job, _ in SingleThread.jobs.append(unsafeBitCast(job, to: UnownedJob.self)) },
      { _, _, _ in })
  }

  /// Runs an async function to its end.
  ///
  /// - Parameter executor: the executor of the thread; code of the main actor needs its own.
  static func run<Value: Sendable>(
    on executor: UnownedSerialExecutor = MainActor.sharedUnownedExecutor,
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    nonisolated(unsafe) var result: Result<Value, any Error>?
    Task {
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
    }
    while !jobs.isEmpty {
      jobs.removeFirst().runSynchronously(on: executor)
    }
    guard let result else { fatalError("the workload waits for something") }
    return try result.get()
  }
}
