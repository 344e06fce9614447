import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Locations
import PhotoSearch

// Options that several commands share, and those of the walk.

/// The tracks of `replay` and `info`.
struct TrackOptions: ParsableArguments {
  @Argument(
    help: """
      GPX files, plain or gzipped, and folders with all .gpx and .gpx.gz below; - reads standard \
      input.
      """)
  private var tracks: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Take the tracks from lines of {"track":"id","path":"walk.gpx"} or \
      {"track":"id","gpx":"<gpx …"}; - reads standard input.
      """, valueName: "file|-"))
  private var tracksFrom: String?

  @Option(
    name: .customLong("jobs"),
    help: ArgumentHelp(
      "Tracks to process concurrently, 1 to 256. (default: the number of cores)",
      valueName: "n"))
  private var jobCount: Int?

  var jobs: Int { jobCount ?? min(256, ProcessInfo.processInfo.activeProcessorCount) }

  /// The tracks, one after the other.
  ///
  /// - Parameter finished: the tracks that a previous output holds whole.
  func makeTracks(without finished: FinishedTracks? = nil) throws -> BatchTracks {
    try BatchTracks(tracks, list: tracksFrom, finished: finished)
  }

  mutating func validate() throws {
    guard tracks.isEmpty == (tracksFrom != nil) else {
      throw ValidationError(
        tracks.isEmpty
          ? "Name a GPX file or a folder, or give --tracks-from."
          : "Either name the tracks, or give --tracks-from.")
    }
    if let jobCount, !(1...256).contains(jobCount) {
      throw ValidationError("--jobs takes a number from 1 to 256.")
    }
  }
}

/// The time zone used for display.
struct ClockOptions: ParsableArguments {
  @Flag(
    name: .customLong("utc"),
    help: "Show times in UTC instead of the local time of the nearest city.")
  private var isUTC = false

  var clocks: Clocks { isUTC ? .utc : .local }

  /// The style of text for people.
  func style(of console: Console) -> TerminalStyle {
    var style = console.outputStyle
    style.clocks = clocks
    return style
  }
}

/// Output options of `serve` and `app`.
struct ScreenOutputOptions: ParsableArguments {
  @OptionGroup var clocks: ClockOptions
  @OptionGroup var services: ServiceOptions
}

/// The part of the tracks that is replayed, and its speed.
struct WalkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Meters between new locations; 0 delivers every fix. (default: 100; 0 for nmea)",
      valueName: "m"))
  var distanceFilter: Double?

  @Option(
    help: ArgumentHelp(
      "Multiple of the recorded pace, 0.1 to 1000; max replays without waiting.", valueName: "x|max"
    ))
  var speed = ReplaySpeed.max

  @Option(
    help: ArgumentHelp("Pace of a track without usable times.", valueName: "m/s"))
  var walkingSpeed = 1.3

  @Option(
    help: ArgumentHelp(
      """
      Interpolate fixes at multiples of s of track time, instead of the recorded fixes. \
      (default: off; 1 for nmea)
      """,
      valueName: "s"))
  var interval: Double?

  @Option(
    help: ArgumentHelp(
      "Start of the replay: a time such as 90s, 10min, 1h5min, or a distance such as 500m, 0.5km, 1mi.",
      valueName: "time|distance"))
  var from: ReplayPosition?

  @Option(help: ArgumentHelp("End of the replay, inclusive.", valueName: "time|distance"))
  var to: ReplayPosition?

  @Flag(help: "Replay in reverse, with ascending times.")
  var reverse = false

  @Option(help: ArgumentHelp("Number of replays, each from the start.", valueName: "n"))
  var loop = 1

  @Option(help: "Points to replay; auto uses tracks, else routes, else waypoints.")
  var source = GPXSource.auto

  mutating func validate() throws {
    if let distanceFilter, !(distanceFilter >= 0 && distanceFilter.isFinite) {
      throw ValidationError("--distance-filter takes meters, 0 or more.")
    }
    try validate(walkingSpeed: walkingSpeed)
    if let interval, !(0.001...1e9).contains(interval) {
      throw ValidationError("--interval takes seconds, 0.001 or more.")
    }
    if let from, let to, to.isBefore(from) {
      throw ValidationError("--to takes a place that does not lie before --from.")
    }
    guard loop >= 1 else { throw ValidationError("--loop takes a number of 1 or more.") }
  }
}

extension ParsableArguments {
  /// Checks `--walking-speed`.
  func validate(walkingSpeed: Double) throws {
    guard walkingSpeed > 0, walkingSpeed.isFinite else {
      throw ValidationError("--walking-speed takes meters per second, more than 0.")
    }
  }
}

/// Options for photos.
struct PhotoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Photo source: flickr needs FLICKR_API_KEY, commons needs no key, sample needs no network. \
      auto uses flickr with a key, else commons, else sample. (default: auto, or \
      FAKETRACK_PHOTOS)
      """))
  var photos: PhotoSourceChoice?

  @Option(help: ArgumentHelp("Search radius.", valueName: "km"))
  var radius = 0.5

  @Option(
    help: ArgumentHelp(
      "Photo size: s and q are squares of 75 and 150 pixels; t, m, n, w, z, c, b are 100 to 1024.",
      valueName: "s|q|t|m|n|w|z|c|b"))
  var size = PhotoSize.pixels640

  @Option(help: "Accepted licenses.")
  var license = LicenseFilter.any

  @Option(
    help: ArgumentHelp(
      "Seed for the choice of photos and for noise; random picks one and shows it.",
      valueName: "n|random"))
  var seed = SeedArgument(0)

  @Option(help: ArgumentHelp("Number of concurrent searches.", valueName: "n"))
  var concurrency = 4

  @Option(
    help: ArgumentHelp(
      "Download the photos to a folder, with credits.csv; text then prints the paths.",
      valueName: "dir"))
  var download: String?

  @Flag(help: "Repeat searches even if results from the last 24 hours are stored.")
  var refresh = false

  mutating func validate() throws {
    guard radius > 0, radius < 32 else {
      throw ValidationError("--radius takes kilometers, more than 0 and less than 32.")
    }
    if download?.isEmpty == true { throw ValidationError("--download takes a folder.") }
    guard (1...64).contains(concurrency) else {
      throw ValidationError("--concurrency takes a number from 1 to 64.")
    }
  }
}

/// The size of cities.
struct CitySizeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Minimum population; 0 includes all.", valueName: "n"))
  var minPopulation = 0

  mutating func validate() throws {
    guard minPopulation >= 0 else {
      throw ValidationError("--min-population takes a number of 0 or more.")
    }
  }
}

/// Options of the simulated device.
struct SimulationOptions: ParsableArguments {
  @Flag(name: .customLong("no-cities"), help: "Omit the nearest city.")
  var noCities = false

  @Option(help: ArgumentHelp("Maximum distance to the nearest city.", valueName: "km"))
  var maxCityDistance = 100.0

  @OptionGroup var citySize: CitySizeOptions

  @Option(help: "The simulated permission.")
  var authorization = PermissionName.authorized

  @Option(
    help: ArgumentHelp(
      "Sensor noise: 68 % of fixes are within m meters of the track.", valueName: "m"))
  var noise = 0.0

  @Option(
    help: ArgumentHelp(
      "Lose the signal between two positions, such as 10min-12min or 1km-1.2km; repeatable.",
      valueName: "from-to"))
  var outage: [SignalConditions.Outage] = []

  @Option(
    help: ArgumentHelp(
      """
      Permission script: a file of lines such as "0s not-determined", "3s authorized", "2km \
      denied".
      """,
      valueName: "file"))
  var permissionScript: String?

  mutating func validate() throws {
    guard maxCityDistance > 0, maxCityDistance.isFinite else {
      throw ValidationError("--max-city-distance takes kilometers, more than 0.")
    }
    guard noise >= 0, noise <= 10_000 else {
      throw ValidationError("--noise takes meters, 0 to 10000.")
    }
    guard !outage.contains(where: { $0.end.isBefore($0.start) }) else {
      throw ValidationError("--outage takes two places, the first of which lies before the other.")
    }
  }
}
