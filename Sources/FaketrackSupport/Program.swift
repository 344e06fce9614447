#if !os(iOS)
  import Dispatch
  import Foundation

  /// Another program of this computer.
  package enum Program {
    /// Runs a program to its end, and returns its exit code and what it wrote; `nil` if it did not end in
    /// time or was ended by a signal. Blocks the thread.
    ///
    /// - Parameters:
    ///   - path: the path of the program.
    ///   - capturesErrors: whether what it writes to stderr is returned as well, or dropped.
    /// - Throws: an error of Foundation if it cannot be started.
    package static func run(
      _ path: String, _ arguments: [String], input: Data, capturesErrors: Bool = false,
      timeout: DispatchTimeInterval
    ) throws -> (status: Int32, output: Data)? {
      let process = Process()
      let (stdin, stdout) = (Pipe(), Pipe())
      process.executableURL = URL(filePath: path)
      process.arguments = arguments
      process.standardInput = stdin
      process.standardOutput = stdout
      process.standardError = capturesErrors ? stdout : FileHandle.nullDevice
      try process.run()
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + timeout)
      timer.setEventHandler { process.terminate() }
      timer.activate()
      defer { timer.cancel() }
      // A pipe holds 64 KB; the program may write before it has read more than that.
      DispatchQueue(label: "faketrack.program.input").async {
        try? stdin.fileHandleForWriting.write(contentsOf: input)
        try? stdin.fileHandleForWriting.close()
      }
      let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return process.terminationReason == .exit ? (process.terminationStatus, output) : nil
    }
  }
#endif
