import Foundation

/// The executable under test.
package enum Executable {
  /// The file that `FAKETRACK_EXECUTABLE` names, or else the one that was built with the tests.
  package static let url: URL = {
    if let path = ProcessInfo.processInfo.environment["FAKETRACK_EXECUTABLE"], !path.isEmpty {
      return URL(fileURLWithPath: path)
    }
    var folder = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let file = folder.appendingPathComponent("faketrack")
      let isFolder = (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
      if !isFolder, FileManager.default.isExecutableFile(atPath: file.path) { return file }
    }
    return Repository.root.appendingPathComponent(".build/debug/faketrack")
  }()

  /// Keeps concurrent tests from starting many more processes than there are processors.
  static let gate = Gate(ProcessInfo.processInfo.activeProcessorCount + 1)
}

/// The result of a run of the executable.
package struct ExecutableRun: Sendable {
  /// The exit code, or 128 and the number of the signal that ended the process.
  package let code: Int32
  package let outputData: Data
  package let errorData: Data
  /// Whether the process had to be killed.
  package let timedOut: Bool

  /// What came on stdout.
  package var output: String { String(decoding: outputData, as: UTF8.self) }
  /// What came on stderr.
  package var errors: String { String(decoding: errorData, as: UTF8.self) }
  /// The lines of stdout.
  package var lines: [String] { Self.lines(of: output) }
  /// The lines of stderr.
  package var errorLines: [String] { Self.lines(of: errors) }
  /// The lines of stderr that are warnings.
  package var warnings: [String] { errorLines.filter { $0.hasPrefix("warning: ") } }

  /// A number of the summary: what stands before a word, such as 3 for `calls` in
  /// `9 locations, 812 m, 9 photos, 3 calls (6 saved)`.
  package func count(of what: String) -> Int? {
    errorLines.last { $0.contains(" location") }?
      .split { ",()".contains($0) }.map { $0.trimmingCharacters(in: .whitespaces) }
      .first { $0.hasSuffix(" \(what)") || $0.hasSuffix(" \(what)s") || $0.hasSuffix(" \(what)es") }
      .flatMap { Int($0.prefix { $0.isNumber }) }
  }

  private static func lines(of text: String) -> [String] {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

/// Lets a number of tasks in at once; the others wait their turn.
actor Gate {
  private var free: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ limit: Int) {
    free = limit
  }

  nonisolated func pass<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async rethrows -> Value {
    await enter()
    do {
      let value = try await work()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  private func leave() {
    if waiters.isEmpty { free += 1 } else { waiters.removeFirst().resume() }
  }
}
