import ArgumentParser
import Foundation
import Testing

@testable import faketrack

/// The examples on the help pages, at the width of a common terminal.
@Suite struct HelpExampleTests {
  static let examples = commands(Faketrack.self).flatMap { command in
    examples(in: command.configuration.discussion)
  }

  private static func commands(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    [command] + command.visible.flatMap { commands($0) }
  }

  /// The command lines of a page; one that ends with a backslash continues on the next.
  private static func examples(in page: String) -> [String] {
    let lines = page.replacing(" \\\n", with: " ").split(separator: "\n")
    return lines.flatMap { $0.split(separator: "| ") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("faketrack ") }
  }

  /// The words of a command line up to a redirection, without quotes.
  private static func words(of line: String) -> [String] {
    let words = line.matches(of: #/"([^"]*)"|'([^']*)'|\S+/#).map {
      String($0.1 ?? $0.2 ?? $0.0)
    }
    return Array(words.dropFirst().prefix { !$0.hasPrefix(">") })
  }

  @Test(arguments: examples)
  func anExampleIsACommandAsItIsShown(line: String) throws {
    #expect(throws: Never.self) { try Faketrack.parse(Self.words(of: line)) }
  }

  @Test func everyGroupOfCommandsHasExamples() {
    #expect(Self.examples.count > 20)
    for command in Faketrack.visible where command.visible.isEmpty && command != AboutCommand.self {
      let name = "faketrack \(command._commandName)"
      #expect(Self.examples.contains { $0.hasPrefix(name) }, "\(name)")
    }
  }
}
