import ArgumentParser
import FaketrackTerminal
import Locations

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a track; print a photo URL for each new location.",
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
      """)

  @Argument(help: "A GPX file, plain or gzipped; - reads standard input.")
  var file: String

  @OptionGroup(title: "Walk") var walk: WalkOptions
  @OptionGroup(title: "Photos") var photos: PhotoOptions
  @OptionGroup(title: "Simulation") var simulation: SimulationOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @MainActor
  mutating func run() async throws {
    try await ReplayRun(self).run()
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

  @Flag(
    name: .customLong("verbose"), help: "Show each call to a service, its time and its outcome.")
  var isVerbose = false

  @Option(help: ArgumentHelp("Write structured log records to a file.", valueName: "file"))
  var log: String?
}
