import FaketrackSupport
import Geodesy
import Locations

/// A command that steers a walk, as it is written in a script and sent by a program.
package enum WalkCommand: Hashable, Sendable {
  /// Goes on to a position, and stops there.
  case walk(to: ReplayPosition)
  /// Goes on for an amount of track time or a distance, and stops there.
  case advance(by: ReplayPosition)
  case pause
  case resume
  /// Changes the speed, at once or evenly over a time.
  case speed(ReplaySpeed, over: Duration)
  /// Changes what the device knows or where it is.
  case change(DeviceStep.Change)
  /// Puts the walk at a position along the track.
  case jump(to: ReplayPosition)
  /// Puts the walk at the start of another track, a file.
  case track(String)
  case stop

  /// The text is no command; the form of the command that it may be.
  package struct Unknown: Error {
    package let form: String?
  }

  /// A form of commands in the help.
  package struct Form: Sendable {
    package let form: String
    package let summary: String
    /// Whether a line of a script may have it.
    package let isForScripts: Bool
    /// The first words of the commands.
    let names: [String]
    fileprivate let parse: @Sendable (_ words: [String]) -> WalkCommand?

    /// - Parameters:
    ///   - names: the first words, which the parser then gets, too; by default the first of the form.
    ///   - parse: reads the words of a command.
    fileprivate init(
      _ form: String, names: [String]? = nil, _ summary: String, isForScripts: Bool = false,
      parse: @escaping @Sendable (_ words: [String]) -> WalkCommand?
    ) {
      self.form = form
      self.names = names ?? [String(form.prefix { $0 != " " })]
      self.summary = summary
      self.isForScripts = isForScripts
      let hasOneName = names == nil
      self.parse = { words in parse(hasOneName ? Array(words.dropFirst()) : words) }
    }
  }

  private static let permissions: [(name: String, status: AuthorizationStatus)] =
    PermissionName.allCases.map { ($0.rawValue, $0.status) }
    + [("allow", .authorizedWhenInUse), ("deny", .denied)]

  /// All forms, in the order of the help.
  package static let forms: [Form] = [
    Form("walk to 1km|10min|end", "Go on to a position, and stop there.", parse: readWalk),
    Form("advance 30s|200m", "Go on for a time or a distance, and stop.", parse: readAdvance),
    Form("pause", "Stop where the walk is.") { $0.isEmpty ? .pause : nil },
    Form("resume", "Go on, to the end.") { $0.isEmpty ? .resume : nil },
    Form("speed 2x|max", "Change the speed.", isForScripts: true, parse: readSpeed),
    Form("speed 2x over 10s", "Change the speed evenly in a time of the clock.", parse: readRamp),
    Form(
      "authorized|denied|restricted|not-determined", names: permissions.map { $0.name },
      "Set the permission; allow and deny are authorized and denied.", isForScripts: true,
      parse: readPermission),
    Form(
      "accuracy full|reduced", "Allow the precise location, or an area of 5 km.",
      isForScripts: true, parse: readAccuracy),
    Form(
      "outage [30s|end]", "Lose the signal, for a track time or until outage end.",
      isForScripts: true, parse: readOutage),
    Form(
      "teleport 52.4,13.06", "Put the device there; it goes on from there as the track does.",
      isForScripts: true, parse: readTeleport),
    Form("teleport 2km|10min", "Put the walk at a position along the track.", parse: readJump),
    Form("return", "Put a device that was teleported back on the track.", isForScripts: true) {
      $0.isEmpty ? .change(.moved(to: nil)) : nil
    },
    Form("track other.gpx", "Put the walk at the start of another track.") { words in
      words.single.map { .track($0) }
    },
    Form("stop", "End the walk.") { $0.isEmpty ? .stop : nil },
  ]

  private static func readWalk(_ words: [String]) -> WalkCommand? {
    guard words.count == 2, words[0] == "to" else { return nil }
    return words[1] == "end"
      ? .walk(to: .end) : ReplayPosition(text: words[1]).map { .walk(to: $0) }
  }

  private static func readAdvance(_ words: [String]) -> WalkCommand? {
    words.single.flatMap(ReplayPosition.init(text:)).map { .advance(by: $0) }
  }

  private static func readSpeed(_ words: [String]) -> WalkCommand? {
    words.single.flatMap(ReplaySpeed.init(name:)).map { .speed($0, over: .zero) }
  }

  private static func readRamp(_ words: [String]) -> WalkCommand? {
    guard words.count == 3, words[1] == "over", let speed = ReplaySpeed(name: words[0]),
      speed.multiple != nil, case .time(let seconds) = Amount(words[2])
    else { return nil }
    return .speed(speed, over: .seconds(clamping: seconds))
  }

  private static func readPermission(_ words: [String]) -> WalkCommand? {
    permissions.first { [$0.name] == words }.map { .change(.status($0.status)) }
  }

  private static func readJump(_ words: [String]) -> WalkCommand? {
    words.single.flatMap(ReplayPosition.init(text:)).map { .jump(to: $0) }
  }

  private static func readAccuracy(_ words: [String]) -> WalkCommand? {
    switch words {
    case ["full"]: .change(.accuracy(.fullAccuracy))
    case ["reduced"]: .change(.accuracy(.reducedAccuracy))
    default: nil
    }
  }

  private static func readOutage(_ words: [String]) -> WalkCommand? {
    if words.isEmpty { return .change(.signalLost(for: nil)) }
    if words == ["end"] { return .change(.signalReturns) }
    guard let word = words.single, case .time(let seconds) = Amount(word) else { return nil }
    return .change(.signalLost(for: .seconds(clamping: seconds)))
  }

  private static func readTeleport(_ words: [String]) -> WalkCommand? {
    let numbers = words.joined().split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2, let latitude = Double(numbers[0]), let longitude = Double(numbers[1]),
      let place = try? Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    return .change(.moved(to: place))
  }

  /// Reads a command such as `walk to 1km`.
  package init(_ text: String) throws(Unknown) {
    var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let forms = Self.forms.filter { $0.names.contains(words.first ?? "") }
    // The name of a file keeps its spaces.
    if words.first == "track" {
      words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
    }
    guard let command = forms.lazy.compactMap({ $0.parse(words) }).first else {
      throw Unknown(form: forms.isEmpty ? nil : forms.map(\.form).joined(separator: ", or "))
    }
    self = command
  }

  /// The first words of the commands, or of those that a script may have.
  package static func names(isForScripts: Bool = false) -> [String] {
    forms.filter { $0.isForScripts || !isForScripts }.flatMap(\.names)
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension [String] {
  fileprivate var single: String? { count == 1 ? first : nil }
}
