import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import Foundation

/// Turns an error of the argument parser into what is wrong and one remedy.
struct UsageError {
  private let arguments: [String]
  private let path: CommandPath
  /// The arguments of the command, and the names of its options.
  private let info: CommandInfo
  private let names: [String]
  /// The command line of the command: `faketrack cities search`.
  private let command: String

  init(_ arguments: [String]) {
    self.arguments = arguments
    path = CommandPath(arguments)
    info = CommandInfo(path.command)
    names = info.arguments.flatMap { ($0.names ?? []).map(\.text) }
    command = (["faketrack"] + path.words).joined(separator: " ")
  }

  /// The failure for a message of the argument parser.
  func failure(_ text: String) -> Failure {
    if let file = fileLikeOptions {
      return wrong("\(file) looks like an option", "For a file of that name: ./\(file)")
    }
    if let option = unknownOption {
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
          Self.remedy(for: String(match.1), of: String(match.2)))
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
    return wrong(Self.sentence(text[...]), remedy(forText: text))
  }

  /// The remedy for an error of the command itself.
  private func remedy(forText text: String) -> String? {
    if text.hasPrefix("Name a GPX file") { return remedyForInput }
    if text.hasPrefix("A receiver is live") {
      return "To record five minutes: timeout 300 \(command) gpsd:// --photos none "
        + "--distance-filter 0 -o walk.gpx"
    }
    // A city in place of its position.
    if text.hasPrefix("Give a latitude"), let name = arguments.last,
      name.contains(where: \.isLetter)
    {
      return "faketrack cities show \(name)"
    }
    return nil
  }

  /// The first option that the command does not have.
  private var unknownOption: String? {
    // Demo passes its options on to app or serve.
    if path.command == DemoCommand.self { return nil }
    let known = names + ["--help", "--version", "--generate-completion-script"]
    return arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }.first { word in
      if word.hasPrefix("--") { return !known.contains(word) }
      // Several letters may follow one hyphen.
      return word.wholeMatch(of: #/-[A-Za-z]+/#) != nil
        && word.dropFirst().contains { !known.contains("-\($0)") }
    }
  }

  /// The option that was meant by a value of another one.
  private static func remedy(for value: String, of option: String) -> String? {
    switch (option, Amount(value)) {
    case ("--feed", _): "faketrack help feeds"
    case ("--photos", _) where value.lowercased().hasPrefix("wiki"): "--photos commons"
    case ("--speed", .speed): "--walking-speed \(value)"
    case ("--every", .time): "--interval \(value)"
    case ("--loop", _) where ["forever", "infinite", "0"].contains(value): "--loop 1000000"
    case ("--interval", .distance): "--every \(value)"
    default: nil
    }
  }

  /// The way to read a track from a pipe.
  private var remedyForInput: String? {
    [.pipe, .regular].contains(FileKind(STDIN_FILENO))
      ? "To read standard input: \(command) -" : nil
  }

  private func wrong(_ message: String, _ remedy: String? = nil) -> Failure {
    // Names such as GPX keep their capitals.
    let isName = message.dropFirst().first?.isUppercase == true
    let message = isName ? message : message.prefix(1).lowercased() + message.dropFirst()
    // The short help has not all options.
    let help = message.hasPrefix("-") ? "--help" : "-h"
    return Failure(message: message, hint: remedy ?? "\(command) \(help)", kind: .wrongUsage)
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
    "--no-photos": "--photos none", "--tz": "--utc", "--timezone": "--utc",
    "--min-distance": "--distance-filter", "--delay": "--speed", "--golden": "--matches",
    "--tolerance": "--matches golden.ndjson,5m", "--top": "--limit", "--count": "--limit",
    "-p": "--port", "-s": "--quiet", "-help": "--help", "-n": "| head", "--limit": "| head",
    "--max": "| head", "--xcode": "--to xcode", "--simctl": "--to simctl", "--adb": "--to adb",
    "--imperial": "--units imperial", "--miles": "--units imperial", "--metric": "--units metric",
  ]

  private func remedy(forOption option: String) -> String? {
    let name = String(option.drop { $0 == "-" })
    if option.count > 2, names.contains("--\(name)") { return "--\(name)" }
    let format = info.arguments.first { $0.names?.contains { $0.name == "format" } == true }
    if format?.allValues?.contains(Self.usualName(of: name)) == true {
      return "\(command) --format \(Self.usualName(of: name))"
    }
    if let usual = Self.usual[option] {
      return !usual.hasPrefix("-")
        || names.contains(String(usual.prefix { $0 != " " && $0 != "," }))
        ? usual : nil
    }
    return Self.value(like: option, of: names)
  }

  /// The most similar one of some values.
  private static func value(like word: String, of values: [String]) -> String? {
    if values.contains(usualName(of: word)) { return usualName(of: word) }
    // A letter is like every other letter.
    if word.count < 3 { return nil }
    return values.compactMap { value in
      editDistance(Array(value.utf8), Array(word.utf8), limit: word.utf8.count < 5 ? 1 : 2)
        .map { (value, $0) }
    }.min { $0.1 < $1.1 }?.0
  }

  /// Values by other names that people type.
  private static let usualValues = [
    "json": "ndjson", "jsonl": "ndjson", "markdown": "md", "htm": "html", "miles": "imperial",
    "km": "metric", "granted": "authorized", "android": "adb", "ios": "simctl", "xml": "junit",
    "cc-by": "cc",
  ]

  /// The name that a value has here.
  private static func usualName(of name: String) -> String {
    usualValues[name.lowercased()] ?? name.lowercased()
  }
}
