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

/// The output to a terminal, a pipe or a file: data, notes, a line of progress, frames.
///
/// Writes what the reader takes, keeps the rest in order, and goes on when there is room. No caller
/// holds a lock while it waits.
final class OutputQueue: Sendable {
  /// stdout, where it leads when this is first used: to the file of `-o`, if there is one.
  static let output = OutputQueue(STDOUT_FILENO)
  /// stderr, which is ``output`` where both lead to the same reader.
  static let errors = isShared ? output : OutputQueue(STDERR_FILENO)

  /// The time in which a reader must take something once the process is to end.
  private static let patience = DispatchTimeInterval.seconds(1)
  /// The number of unwritten bytes with which a note waits for the reader.
  private static let capacity = 1 << 20
  /// The milliseconds after which a thread that waits for room looks whether it still has to.
  private static let interval: Int32 = 100
  private static let erase = "\r\u{1B}[K"

  let descriptor: Int32
  /// Whether a write can block, and needs a check for room first.
  private let mayBlock: Bool
  private let queue = DispatchQueue(label: "faketrack.output")
  private let state = Locked(State())

  private init(_ stream: Int32) {
    let terminal = Terminal(of: stream)
    descriptor = terminal?.descriptor ?? stream
    mayBlock = terminal.map { !$0.isOwn } ?? [.pipe, .socket].contains(FileKind(stream))
    // The process ends once its output is written.
    if stream == STDOUT_FILENO { atexit { OutputQueue.output.drain() } }
    if stream == STDERR_FILENO { atexit { OutputQueue.errors.drain() } }
  }

  private static var isShared: Bool {
    var (output, errors) = (stat(), stat())
    guard fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &errors) == 0 else {
      return false
    }
    // /dev/tty is the terminal of the session under another name.
    let hasOneTerminal =
      isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1
      && (output.st_rdev == errors.st_rdev
        || tcgetsid(STDOUT_FILENO) > 0 && tcgetsid(STDOUT_FILENO) == tcgetsid(STDERR_FILENO))
    return hasOneTerminal
      || [.regular, .pipe, .socket].contains(output.kind)
        && (output.st_dev, output.st_ino) == (errors.st_dev, errors.st_ino)
  }

  // MARK: Output

  /// Writes a text; returns once the system has accepted it.
  ///
  /// - Throws: ``OutputError``, or `CancellationError` if it was canceled before the end.
  func write(_ text: String) async throws {
    let text = TextBuffer(text)
    if try await write(text, ends: [text.count]) == 0 { throw CancellationError() }
  }

  /// Writes a text of several parts; a canceled task finishes the part that has begun.
  ///
  /// - Parameter ends: the ends of the parts as positions in the text, ascending.
  /// - Returns: the number of parts that were written completely.
  func write(_ text: TextBuffer, ends: [Int]) async throws -> Int {
    if text.isEmpty { return ends.count }
    let written = try await write(text) { written in
      written == 0 ? 0 : ends.first { $0 >= written } ?? text.count
    }
    return ends.count { $0 <= written }
  }

  /// Writes a frame; a canceled task leaves out the rest of it.
  ///
  /// - Returns: whether the whole frame was written.
  func draw(_ frame: TextBuffer) async throws -> Bool {
    try await write(frame) { $0 } == frame.count
  }

  private func write(
    _ text: TextBuffer, canceledEnd: @escaping @Sendable (Int) -> Int
  ) async throws -> Int {
    let id = newID
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let request = Request(
          id: id, text: text, canceledEnd: canceledEnd, done: { continuation.resume(with: $0) })
        change { state in
          state.add(request)
          // A task that was canceled before had no request to cancel.
          if Task.isCancelled { state.cancel(id) }
        }
        queue.async { [self] in writeOut() }
      }
    } onCancel: {
      change { $0.cancel(id) }
    }
  }

  /// Writes a text without waiting for a reader that is not far behind.
  func post(_ text: String) {
    let isDone = add(text)
    if state.withLock({ $0.size > Self.capacity }) { isDone.wait() }
  }

  /// Shows a line of progress below all other output; an empty one removes it.
  func show(line: String) {
    change { $0.line = line }
    writeOut()
  }

  /// Writes a text, and waits until everything is written, at most until a deadline.
  func drain(_ text: String = "", until deadline: DispatchTime = .distantFuture) {
    _ = add(text).wait(timeout: deadline)
  }

  /// Adds a text, and returns what is signaled once it is written.
  private func add(_ text: String) -> DispatchSemaphore {
    let isDone = DispatchSemaphore(value: 0)
    let request = Request(id: newID, text: TextBuffer(text), done: { _ in isDone.signal() })
    change { $0.add(request) }
    writeOut()
    return isDone
  }

  /// From now on, gives up on readers that take nothing for a second: the process is to end.
  static func end() {
    for queue in [output, errors] {
      queue.change { $0.end = $0.end ?? .now() }
    }
  }

  // MARK: Writing

  private var newID: Int { state.withLock { $0.makeID() } }

  /// Changes the state, and reports the requests that are finished by that.
  private func change(_ change: (inout State) -> Void) {
    let (finished, check) = state.withLock { state in
      change(&state)
      return state.settle()
    }
    for (request, result) in finished { request.done(result) }
    if let check {
      DispatchQueue.global().asyncAfter(deadline: check) { self.change { $0.isChecked = false } }
    }
  }

  /// Writes until all is written or there is no room.
  private func writeOut() {
    while let (request, start) = state.withLock({ $0.begin() }) {
      // A canceled request ends before the rest of the text.
      let result = Result {
        try request.text.withBytes(from: start) { bytes in
          let rest = request.end(start) - start
          return try accept(UnsafeRawBufferPointer(rebasing: bytes.prefix(rest)))
        }
      }
      change { state in
        if state.take(result, of: request.id) { queue.async { self.waitForRoom() } }
      }
    }
  }

  /// Waits until the reader takes more, is gone, or is given up, and goes on.
  ///
  /// A dispatch source would not tell that the reader of a full pipe is gone.
  private func waitForRoom() {
    while state.withLock({ !$0.isEmpty }),
      !AtomicFile.waitForRoom(in: descriptor, milliseconds: Self.interval)
    {}
    state.withLock { $0.isFull = false }
    writeOut()
  }

  /// Writes the first of some bytes; returns 0 if there is no room.
  private func accept(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    if bytes.isEmpty { return 0 }
    if mayBlock, !AtomicFile.waitForRoom(in: descriptor, milliseconds: 0) { return 0 }
    // A pipe with room accepts this many bytes.
    let count = mayBlock ? min(bytes.count, Int(PIPE_BUF)) : bytes.count
    while true {
      let written = Foundation.write(descriptor, bytes.baseAddress, count)
      if written >= 0 { return written }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw OutputError(code: errno) }
    }
  }
}

extension OutputQueue {
  private struct Request: Sendable {
    let id: Int
    let text: TextBuffer
    var isCanceled = false
    /// Returns the end of a canceled request; receives the number of bytes that are written.
    var canceledEnd: @Sendable (Int) -> Int = { $0 }
    /// Receives the number of bytes written.
    var done: @Sendable (Result<Int, any Error>) -> Void = { _ in }

    func end(_ written: Int) -> Int { isCanceled ? canceledEnd(written) : text.count }
  }

  private typealias Finished = (request: Request, result: Result<Int, any Error>)

  private struct State: Sendable {
    /// The requests in their order; the first one is written.
    private var requests: [Request] = []
    /// The number of bytes written of the first request.
    private var written = 0
    private var isWriting = false
    var isFull = false
    private var lastID = 0
    /// The failure of the first request.
    private var failure: (any Error)?
    /// The line of progress, and the line that is on the terminal or among the requests.
    var line = ""
    private var shownLine = ""
    /// The time since which the reader has taken nothing.
    private var stall: DispatchTime?
    /// The time at which the process was to end.
    var end: DispatchTime?
    /// Whether a check for a stalled reader is due.
    var isChecked = false

    var isEmpty: Bool { requests.isEmpty }

    /// The number of bytes that are not written.
    var size: Int { requests.reduce(-written) { $0 + $1.text.count } }

    mutating func makeID() -> Int {
      lastID += 1
      return lastID
    }

    mutating func add(_ request: Request) {
      if !shownLine.isEmpty {
        requests.append(Request(id: makeID(), text: TextBuffer(OutputQueue.erase)))
      }
      shownLine = ""
      requests.append(request)
    }

    mutating func cancel(_ id: Int) {
      guard let index = requests.firstIndex(where: { $0.id == id }) else { return }
      requests[index].isCanceled = true
    }

    /// The request to write, and the number of its bytes that are written; `nil` if there is none,
    /// no room, or another thread is writing.
    mutating func begin() -> (request: Request, written: Int)? {
      guard !isWriting, !isFull, let first = requests.first else { return nil }
      isWriting = true
      stall = stall ?? .now()
      return (first, written)
    }

    /// Takes the result of writing the first request; returns whether there is no room for more.
    mutating func take(_ result: Result<Int, any Error>, of id: Int) -> Bool {
      isWriting = false
      // The request may have been given up meanwhile.
      guard requests.first?.id == id else { return false }
      switch result {
      case .success(let count):
        written += count
        isFull = count == 0
        if count > 0 { stall = nil }
      case .failure(let error):
        failure = error
      }
      return isFull
    }

    /// Removes the requests that are written, canceled, failed or given up.
    ///
    /// - Returns: these requests, and the time to check for a stalled reader.
    mutating func settle() -> (finished: [Finished], check: DispatchTime?) {
      var finished: [Finished] = []
      while !isWriting, let first = requests.first,
        failure != nil || written >= first.end(written)
      {
        finished.append(removeFirst())
      }
      if requests.isEmpty, line != shownLine {
        requests = [Request(id: makeID(), text: TextBuffer(OutputQueue.erase + line))]
        shownLine = line
      }
      guard let end, !requests.isEmpty else { return (finished, nil) }
      let limit = max(end, stall ?? .now()) + OutputQueue.patience
      // A reader that was given up may take more again.
      if limit <= .now(), isFull || isWriting {
        while !requests.isEmpty { finished.append(removeFirst()) }
        return (finished, nil)
      }
      defer { isChecked = true }
      return (finished, isChecked ? nil : limit)
    }

    private mutating func removeFirst() -> Finished {
      let result = failure.map(Result.failure) ?? .success(written)
      (written, failure) = (0, nil)
      return (requests.removeFirst(), result)
    }
  }
}
