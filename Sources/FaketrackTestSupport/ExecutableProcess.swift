import FaketrackSupport
import Foundation

/// A running process of the built executable.
///
/// The process gets an empty environment, default signal handlers and only its three streams as file
/// descriptors, so that neither the user's settings nor concurrent tests interfere.
package final class ExecutableProcess: Sendable {
  /// The options of a process.
  package struct Options: Sendable {
    /// A program other than the executable under test.
    package var program: String?
    /// Additional environment variables.
    package var environment: [String: String]
    package var input: Input
    package var reading: Reading
    /// The terminal of the process; without one, all streams are pipes.
    package var terminal: PseudoTerminal?
    /// The streams that are connected to the terminal.
    package var terminalStreams: TerminalStreams
    /// The maximum size of a file that the process writes, in blocks of 512 bytes, to simulate a full disk.
    package var fileSizeLimit: Int?
    /// The maximum number of open files.
    package var openFileLimit: Int?
    /// The time after which a process that hangs is killed, in seconds; long enough for a busy machine.
    package var timeout: Double

    package init(
      program: String? = nil, environment: [String: String] = [:], input: Input = .text(""),
      reading: Reading = .all,
      terminal: PseudoTerminal? = nil, terminalStreams: TerminalStreams = .all,
      fileSizeLimit: Int? = nil, openFileLimit: Int? = nil, timeout: Double = 600
    ) {
      self.program = program
      self.environment = environment
      self.input = input
      self.reading = reading
      self.terminal = terminal
      self.terminalStreams = terminalStreams
      self.fileSizeLimit = fileSizeLimit
      self.openFileLimit = openFileLimit
      self.timeout = timeout
    }
  }

  /// The input on stdin.
  package enum Input: Sendable, ExpressibleByStringLiteral {
    /// Bytes followed by the end of input.
    case data(Data)
    /// The text that ``ExecutableProcess/type(_:)`` sends, until ``ExecutableProcess/endInput()``.
    case later

    package static func text(_ text: String) -> Input { .data(Data(text.utf8)) }
    package init(stringLiteral text: String) { self = .text(text) }
  }

  /// The part of stdout that is read.
  package enum Reading: Sendable {
    case all
    /// The first piece, after which the pipe is closed.
    case firstPieceThenClose
    /// The first piece, after which the pipe stays open and fills up.
    case firstPieceThenPause
    /// No output, while the pipe stays open.
    case nothing
  }

  /// The streams that are connected to a terminal. Except for ``all``, stdin is a pipe.
  package enum TerminalStreams: Sendable {
    case all, errors, outputAndErrors
  }

  package struct CannotStart: Error, CustomStringConvertible {
    let reason: String
    package var description: String { "the executable cannot be started: \(reason)" }
  }

  /// The output on stdout, unless that is a terminal.
  package let output = Transcript()
  /// The output on stderr, unless that is a terminal.
  package let errors = Transcript()
  private let identifier: pid_t
  private let ending = ProcessEnding()
  private let inputPipe: FileHandle?
  /// A pipe that stays open although it is no longer read.
  private let unread: FileHandle?

  /// Stays as long as the process is waited for.
  private let home: TemporaryHome

  /// Starts the executable in a temporary folder.
  package init(_ arguments: [String], in home: TemporaryHome, options: Options = Options()) throws {
    self.home = home
    let directory = home.url
    // `posix_spawn` changes no directory and sets no limit, so the shell does.
    let limits =
      (options.fileSizeLimit.map { "trap '' XFSZ; ulimit -f \($0); " } ?? "")
      + (options.openFileLimit.map { "ulimit -n \($0); " } ?? "")
    let command =
      ["/bin/sh", "-c", limits + "cd \"$0\" && exec \"$@\"", directory.path]
      + [options.program ?? Executable.url.path] + arguments
    // The home folder does not exist, so that nothing the user has there plays a part.
    let environment = [
      "PATH": "/usr/bin:/bin", "HOME": directory.appendingPathComponent("nobody").path,
      "FAKETRACK_HOME": home.store.path, "NO_PROXY": "*", "SWIFT_BACKTRACE": "enable=no",
      "TERM": "xterm",
    ].merging(options.environment) { $1 }

    let pipes = (input: Pipe(), output: Pipe(), errors: Pipe())
    var streams = [
      pipes.input.fileHandleForReading.fileDescriptor,
      pipes.output.fileHandleForWriting.fileDescriptor,
      pipes.errors.fileHandleForWriting.fileDescriptor,
    ]
    if let terminal = options.terminal {
      let device = terminal.device.fileDescriptor
      switch options.terminalStreams {
      case .all: streams = [device, device, device]
      case .errors: streams[2] = device
      case .outputAndErrors: (streams[1], streams[2]) = (device, device)
      }
    }
    identifier = try Self.spawn(
      command, environment, streams: streams,
      controllingTerminal: options.terminalStreams == .all ? options.terminal?.name : nil)

    try pipes.input.fileHandleForReading.close()
    try pipes.output.fileHandleForWriting.close()
    try pipes.errors.fileHandleForWriting.close()
    errors.collect(from: pipes.errors.fileHandleForReading)
    switch options.reading {
    case .all:
      unread = nil
      output.collect(from: pipes.output.fileHandleForReading)
    case .firstPieceThenClose, .firstPieceThenPause:
      let pauses = options.reading == .firstPieceThenPause
      unread = pauses ? pipes.output.fileHandleForReading : nil
      output.collectFirstPiece(from: pipes.output.fileHandleForReading, closes: !pauses)
    case .nothing:
      unread = pipes.output.fileHandleForReading
      output.end()
    }
    switch options.input {
    case .later:
      inputPipe = pipes.input.fileHandleForWriting
    case .data(let data):
      inputPipe = nil
      let handle = pipes.input.fileHandleForWriting
      Thread.detachNewThread {
        // A process that ends early leaves the pipe without a reader: the rest is dropped.
        try? handle.write(contentsOf: data)
        try? handle.close()
      }
    }
    ending.watch(identifier)
    let terminal = options.terminal
    DispatchQueue.global().asyncAfter(deadline: .now() + options.timeout) { [ending, identifier] in
      ending.killLate(identifier)
      // A terminal does not end while the test holds it: waits for a text have to be ended.
      terminal?.transcript.end()
    }
  }

  /// Sends a signal.
  package func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// Waits until a signal has stopped the process, or it has ended.
  package func stopped() async {
    await ending.waitForStop()
  }

  /// Sends text to an open stdin.
  package func type(_ text: String) throws {
    try inputPipe?.write(contentsOf: Data(text.utf8))
  }

  /// Closes an open stdin.
  package func endInput() throws {
    try inputPipe?.close()
  }

  /// Waits for the end of the process; kills it if the task is canceled.
  package func result() async -> ExecutableRun {
    await withTaskCancellationHandler {
      let (code, timedOut) = await ending.code()
      await errors.waitForEnd()
      // A pipe that is not read any more has no end.
      if unread == nil { await output.waitForEnd() }
      return ExecutableRun(
        code: code, outputData: output.data, errorData: errors.data, timedOut: timedOut)
    } onCancel: {
      signal(SIGKILL)
    }
  }

  /// Starts a process, in a new session if it has a terminal.
  private static func spawn(
    _ command: [String], _ environment: [String: String], streams: [Int32],
    controllingTerminal: String?
  ) throws -> pid_t {
    #if canImport(Darwin)
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
      var flags = POSIX_SPAWN_CLOEXEC_DEFAULT | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let controllingTerminal {
      // POSIX_SPAWN_SETSID: the leader of a session gets the first terminal that it opens.
      #if canImport(Darwin)
        flags |= 0x400
      #else
        flags |= 0x80
      #endif
      for stream in 0..<Int32(3) {
        posix_spawn_file_actions_addopen(&actions, stream, controllingTerminal, O_RDWR, 0)
      }
    } else {
      for (number, stream) in streams.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
      }
    }
    #if !canImport(Darwin)
      // A stub's port would stay open in the process after the stub has ended.
      for descriptor in Int32(3)..<1_024 {
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    #endif
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var identifier = pid_t()
    let status = posix_spawn(
      &identifier, command[0], &actions, &attributes, arguments, variables)
    guard status == 0 else {
      throw CannotStart(reason: "\(command[0]): \(String(cString: strerror(status)))")
    }
    return identifier
  }
}

/// The end of a process, for tests to wait for.
private final class ProcessEnding: Sendable {
  private struct State {
    var code: Int32?
    var isStopped = false
    var timedOut = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var stopWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// Waits for the process on a new thread.
  func watch(_ identifier: pid_t) {
    Thread.detachNewThread { [self] in
      while true {
        var status: Int32 = 0
        guard waitpid(identifier, &status, WUNTRACED | WCONTINUED) == identifier else {
          if errno == EINTR { continue }
          return
        }
        if change(status) { return }
      }
    }
  }

  /// Records a status of `waitpid`; returns true at the end of the process.
  private func change(_ status: Int32) -> Bool {
    let signal = status & 0x7F
    let (hasEnded, waiters) = state.withLock { state in
      if status == 0xFFFF {
        state.isStopped = false
        return (false, [CheckedContinuation<Void, Never>]())
      }
      let hasEnded = signal != 0x7F
      state.isStopped = !hasEnded
      if hasEnded { state.code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal }
      let waiters = state.stopWaiters + (hasEnded ? state.waiters : [])
      state.stopWaiters = []
      if hasEnded { state.waiters = [] }
      return (hasEnded, waiters)
    }
    for waiter in waiters { waiter.resume() }
    return hasEnded
  }

  func waitForStop() async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        let isMet = state.isStopped || state.code != nil
        if !isMet { state.stopWaiters.append(continuation) }
        return isMet
      }
      if isMet { continuation.resume() }
    }
  }

  func code() async -> (code: Int32, timedOut: Bool) {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.code == nil { state.waiters.append(continuation) }
        return state.code != nil
      }
      if hasEnded { continuation.resume() }
    }
    return state.withLock { ($0.code ?? -1, $0.timedOut) }
  }

  func killLate(_ identifier: pid_t) {
    state.withLock { state in
      guard state.code == nil else { return }
      state.timedOut = true
      kill(identifier, SIGKILL)
    }
  }
}
