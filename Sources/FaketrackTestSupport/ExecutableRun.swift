import FaketrackServices
import Foundation

/// The executable under test.
package enum Executable {
  /// The file in `FAKETRACK_EXECUTABLE`, or else the one that was built with the tests.
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

  /// Limits concurrent processes to one more than the number of processors.
  static let gate = RequestGate(limit: ProcessInfo.processInfo.activeProcessorCount + 1)
}

/// The result of a run of the executable.
package struct ExecutableRun: Sendable {
  /// The exit code, or 128 and the number of the signal that ended the process.
  package let code: Int32
  package let outputData: Data
  package let errorData: Data
  /// Whether the process had to be killed.
  package let timedOut: Bool

  /// The text of stdout.
  package var output: String { String(decoding: outputData, as: UTF8.self) }
  /// The text of stderr.
  package var errors: String { String(decoding: errorData, as: UTF8.self) }
  /// The lines of stdout.
  package var lines: [String] { Self.lines(of: output) }
  /// The lines of stderr.
  package var errorLines: [String] { Self.lines(of: errors) }
  /// The lines of stderr that are warnings.
  package var warnings: [String] { errorLines.filter { $0.hasPrefix("warning: ") } }

  /// Returns the number before a word of the summary, such as 3 for `calls` in
  /// `9 locations, 812 m, 9 photos, 3 calls (6 saved)`.
  package func count(of what: String) -> Int? {
    errorLines.last { $0.contains(" location") && !$0.hasPrefix("hint: ") }?
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
