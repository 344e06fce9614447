import Dispatch
import Foundation
import Synchronization

/// A process of the built executable under way.
package final class ExecutableProcess: Sendable {
  private struct State {
    var output = Data()
    var errors = Data()
    var timedOut = false
    var waiters: [(text: String, continuation: CheckedContinuation<Void, Never>)] = []
    var hasEnded = false
    var ending: [CheckedContinuation<Void, Never>] = []

    func contains(_ text: String) -> Bool {
      let bytes = Data(text.utf8)
      return output.range(of: bytes) != nil || errors.range(of: bytes) != nil
    }
  }

  private let state = Mutex(State())
  private let process: Process
  /// Keeps a pipe open from which nothing is read.
  private let unread: FileHandle?

  /// Starts the executable with its home in a folder that does not exist, so that nothing of the
  /// user's own takes part.
  package init(_ setup: ExecutableRun.Setup) throws {
    let process = Process()
    self.process = process
    process.executableURL = ExecutableRun.executable
    process.arguments = setup.arguments
    process.currentDirectoryURL = Repository.root
    let nowhere = FileManager.default.temporaryDirectory
      .appendingPathComponent("faketrack-no-home-\(UUID().uuidString)")
    let base = [
      "PATH": "/usr/bin:/bin", "HOME": nowhere.path, "FAKETRACK_HOME": nowhere.path,
      "NO_PROXY": "*", "SWIFT_BACKTRACE": "enable=no",
    ]
    process.environment = base.merging(setup.environment) { $1 }
    let input = Pipe()
    process.standardInput = input
    let errors = try setup.terminal == .none ? PipeEnds() : PipeEnds.terminal()
    let output = try setup.terminal == .both ? PipeEnds.terminal() : PipeEnds()
    (process.standardOutput, process.standardError) = (output.writing, errors.writing)
    unread = setup.reading == .nothing ? output.reading : nil
    let ends = DispatchGroup()
    ends.enter()
    process.terminationHandler = { _ in ends.leave() }
    try process.run()
    for pipe in [output, errors] { try pipe.writing.close() }
    if setup.reading != .nothing {
      collect(output.reading, once: setup.reading == .beginning, ends) { $0.output += $1 }
    }
    collect(errors.reading, once: false, ends) { $0.errors += $1 }
    Thread.detachNewThread {
      // A process that ends early leaves the pipe without a reader: what is left is dropped.
      try? input.fileHandleForWriting.write(contentsOf: setup.input)
      try? input.fileHandleForWriting.close()
    }
    ends.notify(queue: .global()) { [self] in end() }
    DispatchQueue.global().asyncAfter(deadline: .now() + setup.timeout) { [weak self] in
      self?.killLate()
    }
  }

  /// Sends a signal.
  package func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Returns when the text has come on stdout or stderr, or the process has ended.
  package func waitFor(_ text: String) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.hasEnded || state.contains(text) { return true }
        state.waiters.append((text, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  /// Waits for the end of the process.
  package func result() async -> ExecutableRun {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.ending.append(continuation) }
        return state.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
    let status = process.terminationStatus
    let code = process.terminationReason == .uncaughtSignal ? 128 + status : status
    return state.withLock { state in
      ExecutableRun(
        code: code, outputData: state.output, errorData: state.errors, timedOut: state.timedOut)
    }
  }

  private func collect(
    _ handle: FileHandle, once: Bool, _ group: DispatchGroup,
    _ add: @escaping @Sendable (inout State, Data) -> Void
  ) {
    group.enter()
    // A thread for each: many that block would use up the pool of the queues.
    Thread.detachNewThread { [self] in
      while let data = Self.read(from: handle) {
        let met = state.withLock { state in
          add(&state, data)
          let seen = state
          state.waiters.removeAll { seen.contains($0.text) }
          return seen.waiters.filter { seen.contains($0.text) }.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
        if once { break }
      }
      try? handle.close()
      group.leave()
    }
  }

  /// The next bytes, as soon as there are any; `nil` at the end, which a terminal tells as an error.
  private static func read(from handle: FileHandle) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(handle.fileDescriptor, &bytes, bytes.count)
    return count > 0 ? Data(bytes.prefix(count)) : nil
  }

  private func end() {
    let continuations = state.withLock { state in
      state.hasEnded = true
      defer { (state.waiters, state.ending) = ([], []) }
      return state.waiters.map(\.continuation) + state.ending
    }
    for continuation in continuations { continuation.resume() }
  }

  private func killLate() {
    let isLate = state.withLock { state in
      state.timedOut = !state.hasEnded
      return state.timedOut
    }
    if isLate { signal(SIGKILL) }
  }
}

/// The two ends of a pipe, or of a terminal.
private struct PipeEnds {
  struct NoTerminal: Error {}

  let reading: FileHandle
  let writing: FileHandle

  init() {
    let pipe = Pipe()
    (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
  }

  private init(reading: FileHandle, writing: FileHandle) {
    (self.reading, self.writing) = (reading, writing)
  }

  /// A pseudo-terminal of 100 columns.
  static func terminal() throws -> PipeEnds {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw NoTerminal() }
    return PipeEnds(
      reading: FileHandle(fileDescriptor: master, closeOnDealloc: true),
      writing: FileHandle(fileDescriptor: slave, closeOnDealloc: true))
  }
}
