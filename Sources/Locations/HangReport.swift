import FaketrackSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A message about a wait on a virtual clock that takes long in real time, so that a test that hangs
/// shows its cause.
///
/// It is a message and not an error, because a task that ends the wait may still start.
struct HangReport: Sendable {
  /// The real time after which a wait is reported.
  static let delay = Duration.seconds(10)

  var realTime = AnyClock(ContinuousClock())
  /// Prints a message; by default to standard error.
  var print: @Sendable (String) -> Void = { message in
    var line = "\(message)\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Calls `wait` and prints its description once if it takes longer than ``delay``.
  func during(
    _ wait: () async throws -> Void, description: @escaping @Sendable () -> String
  ) async rethrows {
    let report = Task {
      try await realTime.sleep(for: Self.delay)
      print(description())
    }
    defer { report.cancel() }
    try await wait()
  }
}
