import ArgumentParser
import FaketrackTerminal

/// The help of a command: a short page of what people use, and a page of everything.
struct HelpPage {
  private static let width = 80
  /// The column at which the texts of options begin.
  private static let column = 28
  /// The maximum number of lines of a short page.
  private static let shortLimit = 30

  /// The options on short pages, by the command.
  private static let common: [String: [String]] = [
    "replay": [
      "format", "o", "photos", "from", "to", "speed", "every", "distance-filter", "download",
      "feed",
    ],
    "info": ["format", "units", "photos", "no-cities", "jobs"],
    "check": ["enters", "leaves", "within", "order", "matches", "format", "from", "to"],
    "make": [
      "distance", "by", "stops", "interval", "start", "seed", "reception", "noise", "from-photos",
      "o",
    ],
    "page": [
      "o", "photos", "captions", "privacy", "download", "size-limit", "overwrite", "camera-offset",
      "units",
    ],
    "export": ["to", "o", "from", "track"],
    "serve": ["port", "host", "photos", "speed", "tiles", "lists", "units", "feed", "quiet"],
    "app": ["at", "photos", "speed", "lists", "no-images", "units", "feed"],
  ]

  private let command: any ParsableCommand.Type
  /// The words of the command: `faketrack cities search`.
  private let path: String
  private let info: CommandInfo

  /// - Parameter words: the words of the command after `faketrack`.
  init(_ command: any ParsableCommand.Type, _ words: [String]) {
    self.command = command
    path = (["faketrack"] + words).joined(separator: " ")
    info = CommandInfo(command)
  }

  /// All options in their groups.
  var long: String {
    if command == Faketrack.self { return RootHelp.text }
    var groups: [(title: String, arguments: [CommandInfo.Argument])] = []
    for argument in info.arguments {
      let title = argument.sectionTitle ?? (argument.isPositional ? "Arguments" : "Options")
      if let index = groups.firstIndex(where: { $0.title == title }) {
        groups[index].arguments.append(argument)
      } else {
        groups.append((title, [argument]))
      }
    }
    let sections = groups.map { group in
      group.title + "\n"
        + group.arguments.map { Self.entry($0.label, $0.text) }.joined(separator: "\n")
    }
    return page(sections)
  }

  /// At most 30 lines; the page of everything, if that is as short.
  var short: String {
    let long = long
    guard long.split(separator: "\n", omittingEmptySubsequences: false).count > Self.shortLimit,
      let names = Self.common[command._commandName]
    else { return long }
    let arguments = names.compactMap { name in
      info.arguments.first { $0.names?.contains { $0.name == name } == true }
    }
    let width = (arguments.map(\.label.columns).max() ?? 0) + 2
    let lines = arguments.map { argument in
      "  " + argument.label.padded(toColumns: width)
        + Self.clause(argument.abstract ?? "", columns: Self.width - width - 2)
    }
    return page([
      "Common options\n" + lines.joined(separator: "\n"),
      "All options: \(path) --help"
        + (names.contains("feed") ? "     Targets: faketrack help feeds" : ""),
    ])
  }

  private func page(_ sections: [String]) -> String {
    let positional = info.arguments.filter(\.isPositional).map(\.synopsis)
    let hasOptions = info.arguments.count > positional.count
    let configuration = command.configuration
    let usage =
      configuration.usage
      ?? ([path] + (configuration.subcommands.isEmpty ? [] : ["<command>"])
      + (hasOptions ? ["[<options>]"] : []) + positional).joined(separator: " ")
    let commands = command.visible.map { command in
      Self.entry(command._commandName, command.configuration.abstract)
    }.joined(separator: "\n")
    let head = [
      configuration.abstract.wrapped(toColumns: Self.width), "Usage: \(usage)",
      Self.wrapped(configuration.discussion), commands.isEmpty ? "" : "Commands\n\(commands)",
    ]
    return (head + sections).filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// A text, or as many of its first clauses as fit on a line.
  fileprivate static func clause(_ text: String, columns: Int) -> String {
    if text.columns <= columns { return text }
    let ends = text.ranges(of: #/[.;:,] | \(/#).map(\.lowerBound)
    let clauses = ends.map { String(text[..<$0]) + "." }
    return clauses.last { $0.columns <= columns && (!$0.contains("(") || $0.contains(")")) } ?? text
  }

  /// A text whose lines are wrapped, except for those that are indented.
  private static func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix(" ") ? String(line) : String(line).wrapped(toColumns: width)
    }.joined(separator: "\n")
  }

  private static func entry(_ label: String, _ text: String) -> String {
    let lines = text.wrapped(toColumns: width - column).split(separator: "\n")
    let indent = String(repeating: " ", count: column)
    let start = "  " + label
    let head = start.columns < column - 1 ? start.padded(toColumns: column) : start + "\n" + indent
    return head + lines.joined(separator: "\n" + indent)
  }
}

/// The first page of the help.
enum RootHelp {
  private static let groups: [(title: String, commands: [any ParsableCommand.Type])] = [
    ("Walk", [ReplayCommand.self, InfoCommand.self, CheckCommand.self, MakeCommand.self]),
    ("Look", [DemoCommand.self, ServeCommand.self, AppCommand.self, PageCommand.self]),
    ("Cities", [CitiesCommand.self, FavoritesCommand.self]),
    (
      "More",
      [
        ExportCommand.self, ListsCommand.self, DoctorCommand.self, AboutCommand.self,
        CompletionCommand.self,
      ]
    ),
  ]

  static var text: String {
    let groups = groups.map { title, commands -> String in
      let lines = commands.map { command -> String in
        "  " + command._commandName.padded(toColumns: 12)
          + HelpPage.clause(command.configuration.abstract, columns: 66)
      }
      return ([title] + lines).joined(separator: "\n")
    }
    let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: "|")
    return """
      \(Faketrack.configuration.abstract)

      Usage: faketrack <command> [<options>]

      \(groups.joined(separator: "\n"))

      Start here:  faketrack demo
                   faketrack make Potsdam --distance 5km > walk.gpx
                   faketrack replay walk.gpx --format list
      Topics:      faketrack help \(topics)
      Options:     faketrack <command> -h has the common ones, --help all

      """
  }
}
