import ArgumentParser
import FaketrackTerminal
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
      """)

  @OptionGroup(title: "Tracks") var archive: ArchiveOptions

  @Option(
    help: ArgumentHelp(
      """
      Leave out the tracks that a previous ndjson output holds whole. With >> to the same file, the \
      track that was cut off at its end is taken out of it.
      """, valueName: "output"))
  var resume: String?

  @OptionGroup(title: "Walk") var walk: WalkOptions
  @OptionGroup(title: "Photos") var photos: PhotoOptions
  @OptionGroup(title: "Simulation") var simulation: SimulationOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  mutating func validate() throws {
    if resume != nil, output.format.format.name != "ndjson" {
      throw ValidationError(
        "--resume needs --format ndjson, whose records tell which tracks are whole.")
    }
  }

  @MainActor
  mutating func run() async throws {
    let root = try output.services.root(isQuiet: output.isQuiet)
    if archive.isMany || resume != nil {
      try await ArchiveReplay(self, root).start()
    } else {
      try await ReplayRun(self, track: archive.tracks[0], root).run()
    }
  }

  /// Meters between new locations.
  var distanceFilter: Double { walk.distanceFilter ?? output.format.format.distanceFilter }

  /// What of the track is walked, and how.
  var replayOptions: ReplayOptions {
    let interval = walk.interval ?? output.format.format.interval
    return ReplayOptions(
      walkingSpeed: walk.walkingSpeed, interval: interval.map { .seconds($0) },
      start: walk.from?.position, end: walk.to?.position ?? .end, isReversed: walk.reverse,
      laps: walk.loop)
  }
}

/// How results are shown.
struct OutputOptions: ParsableArguments {
  @Option(help: "The output format.")
  var format = OutputFormatArgument(.text)

  @Flag(help: "A bad point fails the run instead of being reported and skipped.")
  var strict = false

  @Flag(name: .customLong("quiet"), help: "Only errors on stderr.")
  var isQuiet = false

  @OptionGroup var clocks: ClockOptions
  @OptionGroup var services: ServiceOptions
}
