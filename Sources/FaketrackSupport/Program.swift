#if os(macOS) || os(Linux)
  import Dispatch
  import Foundation

  /// Another program of this computer.
  package enum Program {
    /// The maximum number of bytes that a program may write, unless it is called with another one.
    package static let usualLimit = 16 << 20

    /// The path of an installed program: the first of some names that is in a folder of `PATH`.
    package static func path(
      of names: String..., in environment: [String: String]
    ) -> String? {
      let folders = environment["PATH", default: ""].split(separator: ":")
        .filter { $0.hasPrefix("/") }
      return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
        .first(where: FileManager.default.isExecutableFile)
    }

    /// Runs a program, and returns its exit code and its output; `nil` if a signal ended it, or if its
    /// output did not end in time or has more bytes than the limit. Blocks the thread.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - includesErrors: whether its stderr is part of the output.
    /// - Throws: an error of Foundation if it cannot be started.
    package static func run(
      _ path: String, _ arguments: [String], input: Data, includesErrors: Bool = false,
      outputLimit: Int = usualLimit, timeout: Duration
    ) throws -> (status: Int32, output: Data)? {
      let process = Process()
      let (stdin, stdout) = (Pipe(), Pipe())
      process.executableURL = URL(filePath: path)
      process.arguments = arguments
      process.standardInput = stdin
      process.standardOutput = stdout
      process.standardError = includesErrors ? stdout : FileHandle.nullDevice
      try process.run()
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + timeout / .seconds(1))
      // The threads of Dispatch block all signals that can be blocked, and a program inherits that.
      timer.setEventHandler { kill(process.processIdentifier, SIGKILL) }
      timer.activate()
      defer { timer.cancel() }
      // On another queue: a full pipe would block both sides.
      DispatchQueue(label: "faketrack.program.input").async {
        try? stdin.fileHandleForWriting.write(contentsOf: input)
        try? stdin.fileHandleForWriting.close()
      }
      let output = try? WholeFile.bytes(
        of: stdout.fileHandleForReading.fileDescriptor, path: path, limit: outputLimit,
        timeout: timeout)
      // A program that it has started may keep the pipe open.
      if output == nil { kill(process.processIdentifier, SIGKILL) }
      process.waitUntilExit()
      guard let output, process.terminationReason == .exit else { return nil }
      return (process.terminationStatus, Data(output))
    }
  }
#endif
