import ArgumentParser
import FaketrackFeatures
import FaketrackSupport

/// A request for a page of the help.
struct HelpRequest {
  /// The page.
  let text: String

  /// Recognizes `help …`, and `-h` and `--help` before a `--`; `nil` for other arguments.
  ///
  /// - Throws: `Failure` for a word after `help` that is neither a command nor a topic.
  init?(_ arguments: [String]) throws(Failure) {
    let options = arguments.prefix { $0 != "--" }
    if arguments.first == "help" {
      let words = arguments.dropFirst().filter { !["-h", "--help"].contains($0) }
      text = try Self.page(of: Array(words))
    } else if options.contains("--help") {
      text = HelpPage(CommandPath(arguments)).long
    } else if options.contains("-h") {
      text = HelpPage(CommandPath(arguments)).short
    } else {
      return nil
    }
  }

  private static func page(of words: [String]) throws(Failure) -> String {
    if words.count == 1, let topic = HelpTopic(rawValue: words[0]) { return topic.text }
    let path = CommandPath(words)
    guard let unknown = words.dropFirst(path.words.count).first else {
      return HelpPage(path).long
    }
    let group = path.words.map { $0 + " " }.joined()
    let topics = path.words.isEmpty ? HelpTopic.allCases.map(\.rawValue) : []
    let likely = CommandPath.command(like: unknown, in: group, topics: topics)
    throw Failure(
      message: "no command or topic '\(group)\(unknown)'",
      hint: "faketrack help" + (likely.map { " \($0)" } ?? ""), kind: .wrongUsage)
  }
}

/// The command that the first words of a command line name.
struct CommandPath {
  let command: any ParsableCommand.Type
  let words: [String]

  init(_ arguments: [String]) {
    var (command, words): (any ParsableCommand.Type, [String]) = (Faketrack.self, [])
    for word in arguments {
      guard let next = command.visible.first(where: { $0._commandName == word }) else { break }
      command = next
      words.append(word)
    }
    (self.command, self.words) = (command, words)
  }

  /// Commands by other names that people type.
  private static let usual = [
    "city": "cities", "ls": "lists", "list": "lists", "fav": "favorites", "play": "replay",
    "run": "replay", "walk": "replay", "web": "serve", "server": "serve", "tui": "app",
    "html": "page", "xcode": "export", "simctl": "export", "adb": "export", "stat": "info",
    "stats": "info", "test": "check", "verify": "check", "sample": "demo", "convert": "replay",
    "version": "--version", "rm": "favorites remove", "delete": "favorites remove",
  ]

  /// The command or topic with the most similar name, of the same group if possible.
  static func command(like word: String, in group: String, topics: [String] = []) -> String? {
    func paths(_ command: any ParsableCommand.Type, _ path: String) -> [(String, String)] {
      command.visible.flatMap { command in
        let name = command._commandName
        return [(path + name, name)] + paths(command, path + name + " ")
      }
    }
    if let usual = usual[word.lowercased()], group.isEmpty || usual.hasPrefix(group) {
      return usual
    }
    let names = paths(Faketrack.self, "") + topics.map { ($0, $0) }
    var best: (path: String, edits: Int, isElsewhere: Int)?
    for (path, name) in names {
      if word.count > 2, name.hasPrefix(word), path.hasPrefix(group) { return path }
      let limit = min(2, word.utf8.count / 2)
      guard let edits = editDistance(Array(name.utf8), Array(word.utf8), limit: limit) else {
        continue
      }
      let isElsewhere = path.hasPrefix(group) ? 0 : 1
      if let best, (best.edits, best.isElsewhere) <= (edits, isElsewhere) { continue }
      best = (path, edits, isElsewhere)
    }
    return best?.path
  }
}

extension HelpPage {
  init(_ path: CommandPath) {
    self.init(path.command, path.words)
  }
}

/// Prints a page of the help.
struct HelpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  var text = ""

  func run() throws { try Faketrack.answer(text) }
}
