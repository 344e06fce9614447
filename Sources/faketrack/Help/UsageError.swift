import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import Foundation

/// Turns an error of the argument parser into what is wrong and one remedy.
struct UsageError {
  private let arguments: [String]
  private let path: CommandPath
  /// The command line of the command: `faketrack cities search`.
  private let command: String

  init(_ arguments: [String]) {
    self.arguments = arguments
    path = CommandPath(arguments)
    command = (["faketrack"] + path.words).joined(separator: " ")
  }

  /// The failure for a message of the argument parser.
  func failure(_ text: String) -> Failure {
    if let file = fileLikeOptions {
      return wrong("\(file) looks like options", "For a file of that name: ./\(file)")
    }
    if let match = text.wholeMatch(of: #/Unknown option '([^']*)'.*/#) {
      let option = String(match.1)
      return wrong("unknown option \(option)", remedy(forOption: option))
    }
    if let match = text.wholeMatch(of: #/Missing value for '(\S+)( <.*>)?'.*/#.dotMatchesNewlines())
    {
      let value = match.2.map { $0.dropFirst() } ?? "<value>"
      return wrong("\(match.1): the value is missing", "\(command) \(match.1) \(value)")
    }
    if let match = text.wholeMatch(
      of:
        #/The value '(.*)' is invalid for '(\S+)( <.*?>)?'(: (.*)|\. Please provide one of (.*))?/#
        .dotMatchesNewlines())
    {
      let option = match.2.hasPrefix("-") ? "\(match.2) \(match.1)" : String(match.1)
      if let expected = match.5 {
        return wrong(
          "\(option): \(Self.sentence(expected))",
          match.2 == "--feed" ? "faketrack help feeds" : nil)
      }
      guard let list = match.6 else { return wrong("\(option): expected a number") }
      let values = list.matches(of: #/'([^']*)'|- (\S+)/#).map { String($0.1 ?? $0.2 ?? "") }
      return wrong(
        "\(option): expected \(Self.listed(values))",
        Self.value(like: String(match.1), of: values).map {
          match.2.hasPrefix("-") ? "\(match.2) \($0)" : "\(command) \($0)"
        })
    }
    if let match = text.wholeMatch(of: #/Unexpected argument '(.*)'/#.dotMatchesNewlines()) {
      return wrong("unexpected argument '\(match.1)'")
    }
    if let match = text.wholeMatch(of: #/\d+ unexpected arguments: '(.*?)'.*/#.dotMatchesNewlines())
    {
      return wrong("unexpected argument '\(match.1)'")
    }
    if let match = text.wholeMatch(of: #/Missing expected argument '<(.*?)>.*'/#) {
      return wrong("<\(match.1)> is missing")
    }
    if let match = text.wholeMatch(
      of: #/The option '(.*)' does not take any value, but '(.*)' was specified\./#)
    {
      return wrong("\(match.1) takes no value", "\(command) \(match.1)")
    }
    return wrong(
      Self.sentence(text[...]), text.hasPrefix("Name a GPX file") ? remedyForInput : nil)
  }

  /// The way to read a track from a pipe.
  private var remedyForInput: String? {
    var status = stat()
    let isPiped =
      fstat(STDIN_FILENO, &status) == 0 && [S_IFIFO, S_IFREG].contains(status.st_mode & S_IFMT)
    return isPiped ? "To read standard input: \(command) -" : nil
  }

  private func wrong(_ message: String, _ remedy: String? = nil) -> Failure {
    // Names such as GPX keep their capitals.
    let isName = message.dropFirst().first?.isUppercase == true
    let message = isName ? message : message.prefix(1).lowercased() + message.dropFirst()
    return Failure(message: message, hint: remedy ?? "\(command) -h", kind: .wrongUsage)
  }

  /// A sentence without its period.
  private static func sentence(_ text: Substring) -> String {
    String(text.hasSuffix(".") && !text.hasSuffix("…") ? text.dropLast() : text)
  }

  private static func listed(_ values: [String]) -> String {
    values.count < 2
      ? values.joined()
      : values.dropLast().joined(separator: ", ") + " or " + (values.last ?? "")
  }

  /// An argument with one hyphen that is a file, or has the name of one.
  private var fileLikeOptions: String? {
    arguments.first { word in
      word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2
        && ([".gpx", ".gpx.gz"].contains(where: word.lowercased().hasSuffix)
          || FileManager.default.fileExists(atPath: word))
    }
  }

  /// Options by other names that people type.
  private static let usual = [
    "--color": "NO_COLOR=1 turns colors off", "--colour": "NO_COLOR=1 turns colors off",
    "--no-color": "NO_COLOR=1 turns colors off", "--output": "-o", "--out": "-o", "--file": "-o",
    "--dir": "--download", "--key": "FLICKR_API_KEY=…", "--api-key": "FLICKR_API_KEY=…",
    "--distance": "--every, or --distance-filter", "--filter": "--distance-filter",
    "--step": "--every", "--begin": "--from", "--end": "--to", "--silent": "--quiet",
    "--photo": "--photos", "--debug": "--verbose", "--force": "--overwrite",
    "--imperial": "--units imperial", "--miles": "--units imperial", "--metric": "--units metric",
  ]

  private func remedy(forOption option: String) -> String? {
    let names = CommandInfo(path.command).arguments.flatMap { ($0.names ?? []).map(\.text) }
    let name = String(option.dropFirst(2))
    if names.contains("--format"),
      CommandInfo(path.command).arguments.contains(where: {
        $0.names?.contains { $0.name == "format" } == true
          && ($0.allValues?.contains(Self.format(name)) == true
            || OutputFormat.allValueStrings.contains(Self.format(name)) && path.words == ["replay"])
      })
    {
      return "\(command) --format \(Self.format(name))"
    }
    if let usual = Self.usual[option] {
      return !usual.hasPrefix("-")
        || names.contains(String(usual.prefix { $0 != " " && $0 != "," }))
        ? usual : nil
    }
    return Self.value(like: option, of: names)
  }

  /// The value that people mean.
  private static func value(like word: String, of values: [String]) -> String? {
    if values.contains(format(word)) { return format(word) }
    // A letter is like every other letter.
    if word.count < 3 { return nil }
    return values.compactMap { value in
      editDistance(Array(value.utf8), Array(word.utf8), limit: word.utf8.count < 5 ? 1 : 2)
        .map { (value, $0) }
    }.min { $0.1 < $1.1 }?.0
  }

  /// The name of a format that people mean.
  private static func format(_ name: String) -> String {
    ["json": "ndjson", "jsonl": "ndjson", "markdown": "md", "htm": "html"][name.lowercased()]
      ?? name
  }
}
