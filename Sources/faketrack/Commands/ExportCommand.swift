import ArgumentParser
import FaketrackFeatures

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a walk that Xcode, simctl or adb plays.",
    usage: "faketrack export [<options>] <track> --to xcode|simctl|adb",
    discussion: """
      Examples
        faketrack export walk.gpx --to xcode -o walk-for-xcode.gpx
        faketrack export walk.gpx --to simctl > walk.sh && sh walk.sh
        faketrack export walk.gpx --to adb > walk.sh && sh walk.sh emulator-5554

      A fix each second, with ascending times. faketrack help formats describes the formats.
      """)

  /// A value of `--to`.
  enum End: Sendable {
    case player(String)
    case place(TrackPlace)

    static let players = [OutputFormat.xcode, .simctl, .adb].map(\.name)
    static let parser: @Sendable (String) throws -> End = { text in
      if players.contains(text) { return .player(text) }
      guard let place = TrackPlace(text: text) else {
        throw ValidationError("expected xcode, simctl or adb, or the end of the part, such as 2km")
      }
      return .place(place)
    }
  }

  @OptionGroup(title: OptionGroupTitle.input) var input: TrackOptions
  @OptionGroup(title: OptionGroupTitle.input) var points: PointOptions

  @Option(
    parsing: .unconditionalSingleValue,
    help: .init(
      "The player: xcode, simctl or adb.",
      discussion: "A place, such as --to 2km, ends the part; give both.",
      valueName: "player|place"), completion: .list(End.players), transform: End.parser)
  var to: [ExportCommand.End] = []

  @Option(
    parsing: .unconditional,
    help: .init("Where to start, such as 1km or 10min.", valueName: "place"),
    transform: Expected.place)
  var from: TrackPlace?

  @OptionGroup(title: OptionGroupTitle.part) var times: TimeOptions
  @OptionGroup(title: OptionGroupTitle.output) var file: FileOptions
  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions

  /// The replay that writes the file.
  private func replay() throws -> ReplayCommand {
    let players = to.compactMap { if case .player(let name) = $0 { name } else { nil } }
    let places = to.compactMap { if case .place(let place) = $0 { place } else { nil } }
    try require(
      players.count == 1 && places.count <= 1,
      "name one player: --to xcode, --to simctl or --to adb")
    var replay = try ReplayCommand.parse(["-", "--format", players[0], "--photos", "none"])
    (replay.input, replay.points, replay.diagnostics) = (input, points, diagnostics)
    (replay.part.from, replay.part.to, replay.part.times) = (from, places.first, times)
    replay.output.target = file
    try replay.part.validate()
    try replay.validate()
    return replay
  }

  mutating func validate() throws {
    try points.requireOneTrack()
    _ = try replay()
  }

  @MainActor
  mutating func run() async throws {
    var replay = try replay()
    try await replay.run()
  }
}
