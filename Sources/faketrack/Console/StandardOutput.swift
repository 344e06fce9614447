import Dispatch
import FaketrackSupport
import Foundation

/// An error of writing to stdout.
struct OutputError: Error {
  /// The `errno` of the write.
  let code: Int32

  /// Whether the reader is gone, which is not a failure.
  var isClosedPipe: Bool { code == EPIPE }
}

/// The data on stdout, written on a private queue: a slow pipe delays the walk without blocking the
/// cooperative threads.
final class StandardOutput: Sendable {
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
  /// - Throws: ``OutputError``, or `CancellationError` if it was canceled before the end.
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
  func write(_ text: TextBuffer, ends: [Int]) async throws -> Int {
    if text.isEmpty { return ends.count }
    let deadline = Locked<ContinuousClock.Instant?>(nil)
    let waiter = Locked<CheckedContinuation<Int, any Error>?>(nil)
    // Only the first result counts.
    @Sendable func end(with result: Result<Int, any Error>) {
      waiter.withLock { $0.take() }?.resume(with: result)
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        waiter.withLock { $0 = continuation }
        queue.async { [self] in
          end(with: Result { try writeParts(of: text, ends) { deadline.withLock(\.self) } })
        }
      }
    } onCancel: {
      deadline.withLock { $0 = .now + Self.timeout }
      // A terminal may block in the middle of a write.
      let limit = DispatchTime.now() + (Self.timeout / .seconds(1) + 0.2)
      DispatchQueue.global().asyncAfter(deadline: limit) {
        end(with: .failure(CancellationError()))
      }
    }
  }

  /// - Parameter deadline: the time to stop in any case; `nil` unless canceled.
  private func writeParts(
    of text: TextBuffer, _ ends: [Int], until deadline: () -> ContinuousClock.Instant?
  ) throws -> Int {
    var written = 0
    try text.withBytes { bytes in
      try console.withoutProgress {
        while written < bytes.count {
          var end = bytes.count
          if let deadline = deadline() {
            end = written == 0 ? 0 : ends.first { $0 >= written } ?? end
            if written >= end || deadline <= .now { return }
          }
          let rest = bytes[written..<end]
          if mayBlock, !Self.hasRoom() { continue }
          // A pipe with room accepts this many bytes.
          written += try Self.write(mayBlock ? rest.prefix(Int(PIPE_BUF)) : rest)
        }
      }
    }
    return ends.count { $0 <= written }
  }

  /// Waits up to 50 ms for room.
  private static func hasRoom() -> Bool {
    AtomicFile.waitForRoom(in: STDOUT_FILENO, milliseconds: 50)
  }

  private static func write(_ bytes: Slice<UnsafeRawBufferPointer>) throws -> Int {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let count = Foundation.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
    if count >= 0 { return count }
    let code = errno
    guard code == EINTR || code == EAGAIN else { throw OutputError(code: code) }
    if code == EAGAIN { _ = hasRoom() }
    return 0
  }
}
