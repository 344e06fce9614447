import Dispatch
import FaketrackSupport
import Foundation

/// The stream that data goes to: written on a queue of its own, so that a slow pipe delays the walk
/// but never blocks a thread that others need.
final class StandardOutput: Sendable {
  /// The reader of the pipe is gone.
  struct Closed: Error {}

  /// The system refused to take the data.
  struct WriteError: Error {
    let errno: Int32
  }

  /// How long a canceled write waits for the reader to take the rest of the part that has begun.
  static let patience = Duration.seconds(1)

  private let queue = DispatchQueue(label: "faketrack.output")
  private let console: Console
  /// Whether to look for room before each write, because a write without room would block.
  private let mayBlock: Bool

  init(console: Console) {
    self.console = console
    var status = stat()
    mayBlock =
      fstat(STDOUT_FILENO, &status) == 0
      && (status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFSOCK
        || isatty(STDOUT_FILENO) == 1)
  }

  /// Returns once the text has been handed to the system.
  ///
  /// - Throws: ``Closed``, ``WriteError``, or `CancellationError` if it was canceled before all of it
  ///   was taken.
  func write(_ text: String) async throws {
    var buffer = TextBuffer()
    buffer.append(contentsOf: text)
    let parts = try await write(buffer, ends: [buffer.count])
    if parts == 0 { throw CancellationError() }
  }

  /// Hands a text of several parts to the system; when the task is canceled, up to the end of the
  /// part that has begun.
  ///
  /// - Parameter ends: the positions in the text at which its parts end, ascending.
  /// - Returns: how many parts have been handed over as a whole.
  /// - Throws: ``Closed`` or ``WriteError``.
  func write(_ text: TextBuffer, ends: [Int]) async throws -> Int {
    if text.isEmpty { return ends.count }
    let request = WriteRequest()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        request.begin(continuation)
        queue.async { [self] in
          request.end(with: Result { try writeParts(of: text, ends, request) })
        }
      }
    } onCancel: {
      request.cancel(within: Self.patience)
    }
  }

  private func writeParts(
    of text: TextBuffer, _ ends: [Int], _ request: WriteRequest
  ) throws -> Int {
    var written = 0
    try text.withBytes { bytes in
      try console.withoutProgress {
        while written < bytes.count {
          var end = bytes.count
          if let deadline = request.deadline {
            end = written == 0 ? 0 : ends.first { $0 >= written } ?? end
            if written >= end || deadline <= .now { return }
          }
          let rest = bytes[written..<end]
          if mayBlock {
            guard Self.hasRoom() else { continue }
            // A pipe that has room has room for this many bytes.
            written += try Self.write(rest.prefix(Int(PIPE_BUF)))
          } else {
            written += try Self.write(rest)
          }
        }
      }
    }
    return ends.count { $0 <= written }
  }

  /// Waits a moment for room.
  private static func hasRoom() -> Bool {
    AtomicFile.waitForRoom(in: STDOUT_FILENO, milliseconds: 50)
  }

  private static func write(_ bytes: Slice<UnsafeRawBufferPointer>) throws -> Int {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let count = Foundation.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
    if count >= 0 { return count }
    switch errno {
    case EINTR: return 0
    case EAGAIN:
      _ = hasRoom()
      return 0
    case EPIPE: throw Closed()
    default: throw WriteError(errno: errno)
    }
  }
}

/// A write that may be canceled while the system does not take the data.
private final class WriteRequest: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Int, any Error>?
    /// When to stop in any case; `nil` unless canceled.
    var deadline: ContinuousClock.Instant?
  }

  private let state = Locked(State())

  var deadline: ContinuousClock.Instant? { state.withLock(\.deadline) }

  func begin(_ continuation: CheckedContinuation<Int, any Error>) {
    state.withLock { $0.continuation = continuation }
  }

  /// Ends the wait for the write; the first outcome counts.
  func end(with result: Result<Int, any Error>) {
    state.withLock { $0.continuation.take() }?.resume(with: result)
  }

  func cancel(within patience: Duration) {
    state.withLock { $0.deadline = .now + patience }
    // A terminal may block in the middle of a write.
    let limit = DispatchTime.now() + (patience / .seconds(1) + 0.2)
    DispatchQueue.global().asyncAfter(deadline: limit) { [self] in
      end(with: .failure(CancellationError()))
    }
  }
}
