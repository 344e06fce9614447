import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation
import Locations

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay tracks; print a photo URL for each new location.",
    discussion: """
      EXAMPLES
        A photo URL for every 100 meters of a walk:
          faketrack replay walk.gpx

        To read, with distance, time, city and photographer:
          faketrack replay walk.gpx --format list

        Fetch real photos, which need no key:
          faketrack replay walk.gpx --photos commons | xargs -n1 curl -O

        The second kilometer, ten times as fast as it was walked, as JSON:
          faketrack replay walk.gpx --from 1km --to 2km --speed 10 --format ndjson

        All tracks of a folder, and later those that are new, failed or were cut off:
          faketrack replay tracks --format ndjson > out.ndjson
          faketrack replay tracks --format ndjson --resume out.ndjson >> out.ndjson

        In the app under test, as fast as it was walked:
          faketrack replay walk.gpx --feed nmea:tcp:127.0.0.1:2000

        A page of the walk with your own photos, to send to a friend:
          faketrack replay walk.gpx --photos ./pictures -o walk.html

        Record a receiver, until Ctrl-C:
          faketrack replay gpsd:// --photos none --distance-filter 0 \\
            --format gpx > walk.gpx

      TARGETS OF --feed
      \(FeedOptions.targets)
      """)

  @OptionGroup(title: "Tracks") var input: TrackOptions

  @Option(
    help: .init(
      """
      Skip the tracks that are complete in a previous ndjson output. With >> to the same file, \
      removes failed and incomplete tracks from it first.
      """, valueName: "output"), completion: .file())
  var resume: String?

  @OptionGroup(title: "Walk") var walk: WalkOptions
  @OptionGroup(title: "Feeds") var feed: FeedOptions
  @OptionGroup(title: "Photos") var photos: PhotoOptions
  @OptionGroup(title: "Simulation") var simulation: SimulationOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  mutating func validate() throws {
    try require(
      resume == nil || output.format.name == OutputFormat.ndjson.name,
      "--resume needs --format ndjson, whose records tell which tracks are whole.")
    try require(
      !output.events || output.format.name == OutputFormat.ndjson.name,
      "--events needs --format ndjson, whose records are told apart by their keys.")
    try require(
      input.receiver == nil
        || !walk.changesTrack && !simulation.changesReceiver && output.privacy.isEmpty,
      GPSDAddress.isLive)
    try require(
      feed.feeds.isEmpty || speed.multiple != nil,
      "--feed needs a pace: --speed takes a multiple of the recorded one.")
    try require(
      output.isKeepsake || output.sizeLimit == nil,
      "--size-limit needs --format html, which puts photos inside.")
    try require(
      !output.isKeepsake || input.receiver == nil && !walk.changesPart,
      "--format html shows a whole track of a file as it was recorded: leave out --from, --to, "
        + "--reverse, --loop, --start and --max-pause.")
    try require(
      output.folder == nil || output.sizeLimit == nil,
      "A folder has no limit: leave out --size-limit.")
  }

  /// With targets, the recorded pace by default.
  var speed: ReplaySpeed { walk.speed ?? (feed.feeds.isEmpty ? .max : .realTime) }

  @MainActor
  mutating func run() async throws {
    let file = try output.file.map { try OutputFile($0, overwrites: output.overwrites) }
    defer { file?.discard() }
    do {
      try await output.services.root(isQuiet: output.isQuiet).replay(self, into: file)
    } catch let error as OutputError where !error.isClosedPipe {
      throw file.map { FileError(path: $0.name, code: error.code) } ?? error as any Error
    }
  }

  /// The files besides own photos that the run reads or appends to.
  var inputs: [String] {
    // Standard input may be a file too.
    let others = [resume, simulation.permissionScript, output.services.log, "/dev/stdin"]
    return input.paths + others.compactMap(\.self)
  }

  /// The output format, with the style of `list`.
  func outputFormat(_ style: TerminalStyle) -> OutputFormat {
    OutputFormat.all(style).first { $0.name == output.format.name } ?? output.format
  }

  /// Meters between new locations.
  var distanceFilter: Double { walk.distanceFilter ?? output.format.distanceFilter }

  var replayOptions: ReplayOptions {
    var options = walk.replayOptions(
      interval: output.format.interval.map { .interval(.seconds($0)) } ?? .automatic)
    // Programs that play a fix each second need ascending times.
    if output.format.interval != nil {
      (options.untimedStart, options.countsTimes) = (StartArgument.now, true)
    }
    return options
  }
}

/// Output options of `replay`.
struct OutputOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: .init(
      """
      The output format; see faketrack help formats. (default: by the ending of -o, or text)
      """, valueName: "format"))
  private var formatName: OutputFormat?

  @Option(
    name: .customShort("o"),
    help: .init(
      """
      Write to a file; the ending picks the format. With html, a folder gets index.html and the photos. \
      Replaces only files that show that faketrack wrote them, not text, list, nmea and md.
      """, valueName: "file"), completion: .file())
  private var path: String?

  @Flag(
    name: .customLong("overwrite"),
    help: "With -o: replace any file except an input.")
  var overwrites = false

  @Option(
    help: .init(
      "With html: maximum size; photos are made smaller to fit. (default: 20)", valueName: "MB"))
  var sizeLimit: Double?

  @Option(
    help: .init(
      """
      Leave out the track and your own photos around a position, best not exactly that of your \
      home; the radius in meters or with a unit: m, km, mi; repeatable. Paths of your photos then \
      begin in their folder.
      """,
      valueName: "lat,lon,radius"), transform: RegionArgument.init)
  var privacy: [RegionArgument] = []

  @Flag(help: "Add a record to ndjson for each change of permission and signal.")
  var events = false

  @Flag(help: "Fail on a bad point instead of reporting and skipping it.")
  var strict = false

  @Flag(name: .customLong("quiet"), help: "Show only errors on stderr.")
  var isQuiet = false

  @OptionGroup var clocks: ClockOptions
  @OptionGroup var services: ServiceOptions

  mutating func validate() throws {
    try require(
      sizeLimit.map { (1...2_000).contains($0) } ?? true,
      "--size-limit takes megabytes, 1 to 2000.")
    try require(path?.isEmpty != true, "-o takes a file.")
    // Bytes that are not UTF-8 have become this sign.
    try require(path?.contains("\u{FFFD}") != true, "-o takes a name in UTF-8.")
    try require(path != nil || !overwrites, "--overwrite goes with -o.")
    try require(
      formatName != nil || fileExtension.isEmpty || formatOfFile != nil,
      "-o: .\(fileExtension) is the ending of no format; add --format.")
    try require(
      privacy.allSatisfy { $0.region.radius > 0 }, "--privacy takes a radius of more than 0 m.")
  }

  private var fileExtension: String { ((path ?? "") as NSString).pathExtension }

  private var formatOfFile: OutputFormat? { OutputFormat.of(fileExtension: fileExtension) }

  var format: OutputFormat { formatName ?? formatOfFile ?? .text }

  /// The folder of `-o` for a page: one that exists, or a new name without the ending of a format.
  var folder: String? {
    guard isKeepsake, let path, path != "-" else { return nil }
    var status = stat()
    let isFolder =
      stat(path, &status) == 0
      ? status.st_mode & S_IFMT == S_IFDIR : formatOfFile == nil || path.hasSuffix("/")
    return isFolder ? path : nil
  }

  /// The file of `-o`.
  var file: String? { folder == nil ? path : nil }

  /// Whether the output is one page of the whole walk.
  var isKeepsake: Bool { format.name == OutputFormat.html.name }

  var privateAreas: PrivateAreas { PrivateAreas(privacy.map(\.region)) }
}

/// A page of the help: `faketrack help formats`.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats", abstract: "The output formats of replay, and the fields of a record.",
    usage: "faketrack help formats", discussion: FormatReference.text, shouldDisplay: false)

  func run() throws {
    throw CleanExit.helpRequest(self)
  }
}
