import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Locations
import PhotoSearch

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a track; print a photo URL for each new location.",
    discussion: """
      EXAMPLES
        A photo URL for every 100 metres of a walk:
          faketrack replay walk.gpx

        To read, with distance, time, city and photographer:
          faketrack replay walk.gpx --format list

        Fetch real photos, which need no key:
          faketrack replay walk.gpx --photos commons | xargs -n1 curl -O

        The second kilometre, ten times as fast as it was walked, as JSON:
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
    let environment = ProcessInfo.processInfo.environment
    let console = Console(isQuiet: output.isQuiet, environment: environment)
    let replay = try Replay(
      options: self, console: console, settings: Settings(environment: environment))
    try await replay.run()
  }
}

/// What is walked, and how fast.
struct WalkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Metres between new locations; 0 delivers every fix. (default: 100; 0 for nmea)",
      valueName: "m"))
  var distanceFilter: Double?

  @Option(
    help: ArgumentHelp(
      "Multiple of the recorded pace, 0.1 to 1000; max waits for nothing.", valueName: "x|max"))
  var speed = SpeedArgument(.max)

  @Option(
    help: ArgumentHelp("Pace of a track without usable times.", valueName: "m/s"))
  var walkingSpeed = 1.3

  @Option(
    help: ArgumentHelp(
      """
      Emit at multiples of s of track time, interpolated, instead of the recorded fixes. \
      (default: off; 1 for nmea)
      """,
      valueName: "s"))
  var interval: Double?

  @Option(
    help: ArgumentHelp(
      "Begin here: a time such as 90s, 10min, 1h5min, or a distance such as 500m, 0.5km, 1mi.",
      valueName: "time|distance"))
  var from: TrackPlace?

  @Option(help: ArgumentHelp("End here, included.", valueName: "time|distance"))
  var to: TrackPlace?

  @Flag(help: "Walk it backwards; times still ascend.")
  var reverse = false

  @Option(help: ArgumentHelp("Walk it several times, each from the beginning.", valueName: "n"))
  var loop = 1

  @Option(help: "What of the file is walked; auto is tracks, else routes, else waypoints.")
  var source = GPXSource.auto

  mutating func validate() throws {
    if let distanceFilter, !(distanceFilter >= 0 && distanceFilter.isFinite) {
      throw ValidationError("--distance-filter takes metres, 0 or more.")
    }
    guard walkingSpeed > 0, walkingSpeed.isFinite else {
      throw ValidationError("--walking-speed takes metres per second, more than 0.")
    }
    if let interval, !(interval >= 0.001 && interval.isFinite) {
      throw ValidationError("--interval takes seconds, 0.001 or more.")
    }
    if let from, let to, to.position.isBefore(from.position) {
      throw ValidationError("--to takes a place that does not lie before --from.")
    }
    guard loop >= 1 else { throw ValidationError("--loop takes a number of 1 or more.") }
  }

  var itinerary: Itinerary {
    Itinerary(
      walkingSpeed: walkingSpeed, interval: interval.map { .seconds($0) },
      start: from?.position, end: to?.position ?? .end, isReversed: reverse, laps: loop)
  }
}

/// Where photos come from, and which.
struct PhotoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Where photos come from: flickr needs FLICKR_API_KEY, commons needs no key, sample needs no \
      network. auto is flickr with a key, else commons, else sample. (default: auto, or \
      FAKETRACK_PHOTOS)
      """))
  var photos: PhotoSourceChoice?

  @Option(help: ArgumentHelp("How near a photo must be.", valueName: "km"))
  var radius = 0.5

  @Option(
    help: ArgumentHelp(
      "Photo size: s and q are squares of 75 and 150 pixels; t, m, n, w, z, c, b are 100 to 1024.",
      valueName: "s|q|t|m|n|w|z|c|b"))
  var size = PhotoSize.z

  @Option(help: "Which licences are accepted.")
  var license = LicenseFilter.any

  @Option(
    help: ArgumentHelp("Makes the choice among photos, and noise, repeatable.", valueName: "n"))
  var seed: UInt64 = 0

  @Option(help: ArgumentHelp("Searches under way at once.", valueName: "n"))
  var concurrency = 4

  @Option(
    help: ArgumentHelp(
      "Keep the photos in a directory, with credits.csv; text then prints the paths.",
      valueName: "dir"))
  var download: String?

  @Flag(help: "Search again even for places found in the last 24 hours.")
  var refresh = false

  mutating func validate() throws {
    guard radius > 0, radius < 32 else {
      throw ValidationError("--radius takes kilometres, more than 0 and less than 32.")
    }
    if download?.isEmpty == true { throw ValidationError("--download takes a directory.") }
    guard (1...64).contains(concurrency) else {
      throw ValidationError("--concurrency takes a number from 1 to 64.")
    }
  }
}

/// What the simulated device does.
struct SimulationOptions: ParsableArguments {
  @Flag(name: .customLong("no-cities"), help: "Leave out the nearest city.")
  var noCities = false

  @Option(help: ArgumentHelp("How far the nearest city may be.", valueName: "km"))
  var maxCityDistance = 100.0

  @Option(help: "The simulated permission.")
  var authorization = PermissionName.authorized

  @Option(
    help: ArgumentHelp(
      "Sensor noise: 68 % of the fixes lie within m metres of the track.", valueName: "m"))
  var noise = 0.0

  @Option(
    help: ArgumentHelp(
      "Lose the signal between two places, for example 10min-12min or 1km-1.2km; repeatable.",
      valueName: "from-to"))
  var outage: [OutageArgument] = []

  @Option(
    help: ArgumentHelp(
      """
      Play a scripted permission: a file of lines such as "0s not-determined", "3s authorized", \
      "2km denied".
      """,
      valueName: "file"))
  var permissionScript: String?

  mutating func validate() throws {
    guard maxCityDistance > 0, maxCityDistance.isFinite else {
      throw ValidationError("--max-city-distance takes kilometres, more than 0.")
    }
    guard noise >= 0, noise <= 10_000 else {
      throw ValidationError("--noise takes metres, 0 to 10000.")
    }
  }
}

/// How results are shown.
struct OutputOptions: ParsableArguments {
  @Option(help: "The form of the output.")
  var format = ReplayFormat.text

  @Flag(help: "A bad point fails the run instead of being reported and skipped.")
  var strict = false

  @Flag(name: .customLong("quiet"), help: "Only errors on stderr.")
  var isQuiet = false

  @Flag(name: .customLong("verbose"), help: "Tell each call, its time and its outcome on stderr.")
  var isVerbose = false

  @Option(help: ArgumentHelp("Write structured log records to a file.", valueName: "file"))
  var log: String?
}
