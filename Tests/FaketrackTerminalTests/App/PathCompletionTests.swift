import Foundation
import GPX
import Testing

@testable import FaketrackTerminal

@Suite struct PathCompletionTests {
  /// Runs a test in a folder with files that are hard to type.
  private func inFolder(_ test: (PathCompletion, String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["a b.gpx", "it's.gpx", "ride.FIT", "ride.txt"] {
      try Data().write(to: URL(filePath: "\(folder)/\(name)"))
    }
    try test(PathCompletion(in: folder, home: folder), folder)
  }

  @Test func takesAPathAsTerminalsAndFileManagersPasteIt() throws {
    try inFolder { files, folder in
      for text in [
        "\(folder)/a b.gpx", "'\(folder)/a b.gpx' ", "\"\(folder)/a b.gpx\"", "a\\ b.gpx",
        "'a b.gpx", "file://\(folder)/a%20b.gpx", "~/a b.gpx",
      ] {
        #expect(files.path(of: text) == "\(folder)/a b.gpx", "\(text)")
      }
      for text in ["it's.gpx", "'it'\\''s.gpx'", "it\\'s.gpx"] {
        #expect(files.path(of: text) == "\(folder)/it's.gpx", "\(text)")
      }
    }
  }

  @Test func completesAQuotedPath() throws {
    try inFolder { files, folder in
      for start in ["a", "'a ", "a\\ "] { #expect(files.complete(start).text == "a b.gpx") }
      #expect(files.complete("file://\(folder)/a%20").text == "\(folder)/a b.gpx")
      #expect(files.complete("it").text == "it's.gpx")
      #expect(files.complete("ri").completions == ["ride.FIT"])
    }
  }

  @Test func manyCompletionsAreShownInParts() {
    let words = (10...21).map(String.init)
    var prompt = Prompt(":") { text in (text, words.filter { $0.hasPrefix(text) }) }
    func shown() -> [String] {
      var frame = Frame(size: CellSize(columns: 20, rows: prompt.rows))
      prompt.draw(in: &frame, at: frame.area)
      return frame.text.split(separator: "\n").dropFirst().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    for part in [words[0..<5], words[5..<10], words[10...], words[0..<5]] {
      _ = prompt.type(.key(.tab))
      #expect(shown() == part + ["… \(12 - part.count) more: Tab"])
    }
    _ = prompt.type(.key(.character("2")))
    _ = prompt.type(.key(.tab))
    #expect(shown() == ["20", "21"])
    _ = prompt.type(.key(.character("1")))
    _ = prompt.type(.key(.tab))
    #expect(shown() == [])
  }
}
