import Dispatch
import FaketrackSupport
import Foundation

/// The data on stdout, written on a private queue: a slow pipe delays the walk without blocking the
/// cooperative threads.
final class StandardOutput: Sendable {
  /// The reader closed the pipe.
  struct Closed: Error {}

  /// The system rejected the data.
  struct WriteError: Error {
    let errno: Int32
  }

  /// The time that a canceled write gets to finish the part that has begun.
  private static let timeout = Duration.seconds(1)

  private let queue = DispatchQueue(label: "faketrack.output")
  private let console: Console
  /// Whether a write can block, and needs a check for room first.
  private let mayBlock: Bool

  init(console: Console) {
    self.console = console
    var status = stat()
    mayBlock =
      fstat(STDOUT_FILENO, &status) == 0
      && (status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFSOCK
        || isatty(STDOUT_FILENO) == 1)
  }

  /// Writes a text; returns once the system has accepted it.
  ///
  /// - Throws: ``Closed``, ``WriteError``, or `CancellationError` if it was canceled before the end.
  func write(_ text: String) async throws {
    var buffer = TextBuffer()
    buffer.append(contentsOf: text)
    let parts = try await write(buffer, ends: [buffer.count])
    if parts == 0 { throw CancellationError() }
  }

  /// Writes a text of several parts; a canceled task finishes the part that has begun.
  ///
  /// - Parameter ends: the ends of the parts as positions in the text, ascending.
  /// - Returns: the number of parts that were written completely.
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
      request.cancel(within: Self.timeout)
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
            // A pipe with room accepts this many bytes.
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

/// A write that can be canceled while the system accepts no data.
private final class WriteRequest: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Int, any Error>?
    /// The time to stop in any case; `nil` unless canceled.
    var deadline: ContinuousClock.Instant?
  }

  private let state = Locked(State())

  var deadline: ContinuousClock.Instant? { state.withLock(\.deadline) }

  func begin(_ continuation: CheckedContinuation<Int, any Error>) {
    state.withLock { $0.continuation = continuation }
  }

  /// Ends the wait for the write; only the first result counts.
  func end(with result: Result<Int, any Error>) {
    state.withLock { $0.continuation.take() }?.resume(with: result)
  }

  func cancel(within timeout: Duration) {
    state.withLock { $0.deadline = .now + timeout }
    // A terminal may block in the middle of a write.
    let limit = DispatchTime.now() + (timeout / .seconds(1) + 0.2)
    DispatchQueue.global().asyncAfter(deadline: limit) { [self] in
      end(with: .failure(CancellationError()))
    }
  }
}
