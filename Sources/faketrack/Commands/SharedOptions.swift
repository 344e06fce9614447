import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Locations
import Logging
import PhotoSearch

// Options that several commands share, and those of the walk.

extension ParsableArguments {
  /// Rejects options that do not meet a condition, with a sentence that says what they take.
  func require(_ condition: Bool, _ sentence: String) throws {
    if !condition { throw ValidationError(sentence) }
  }

  func requirePace(_ walkingSpeed: Double) throws {
    try require(
      walkingSpeed > 0 && walkingSpeed.isFinite,
      "--walking-speed takes meters per second, more than 0.")
  }
}

/// The tracks of `replay` and `info`.
struct TrackOptions: ParsableArguments {
  @Argument(
    help: """
      GPX files, plain or gzipped, and folders with all .gpx and .gpx.gz below; - reads standard \
      input. With replay, gpsd://host[:port] is a live receiver, until Ctrl-C.
      """, completion: .file())
  private var tracks: [String] = []

  @Option(
    help: .init(
      """
      Take the tracks from lines, each a path, {"track":"id","path":"walk.gpx"} or \
      {"track":"id","gpx":"<gpx …"}; - reads standard input.
      """, valueName: "file|-"), completion: .file())
  private var tracksFrom: String?

  @Option(
    name: .customLong("jobs"),
    help: .init(
      "Tracks to process concurrently, 1 to 256. (default: the number of cores)",
      valueName: "n"))
  private var jobCount: Int?

  /// The receiver in place of tracks.
  var receiver: GPSDAddress? { tracks.count == 1 ? GPSDAddress(tracks[0]) : nil }

  var jobs: Int { jobCount ?? min(256, ProcessInfo.processInfo.activeProcessorCount) }

  /// The paths of the tracks and of their list.
  var paths: [String] { tracks + [tracksFrom].compactMap(\.self) }

  /// The tracks, one after the other, without the tracks that a previous output holds whole.
  ///
  /// - Parameter output: the file of `-o`.
  func makeTracks(
    without finished: FinishedTracks? = nil, output: OutputFile? = nil
  ) throws -> BatchTracks {
    try BatchTracks(tracks, list: tracksFrom, finished: finished, output: output)
  }

  mutating func validate() throws {
    try require(
      tracks.isEmpty == (tracksFrom != nil),
      tracks.isEmpty
        ? "Name a GPX file or a folder, or give --tracks-from; faketrack demo has a sample walk."
        : "Either name the tracks, or give --tracks-from.")
    try require(
      receiver != nil || !tracks.contains { $0.hasPrefix(GPSDAddress.scheme) },
      "A receiver is named alone, as gpsd://host or gpsd://host:port.")
    try require((1...256).contains(jobs), "--jobs takes a number from 1 to 256.")
  }
}

/// The time zone used for display.
struct ClockOptions: ParsableArguments {
  @Flag(
    name: .customLong("utc"),
    help: "Show times in UTC instead of the local time of the nearest city.")
  private var isUTC = false

  var clocks: Clocks { isUTC ? .utc : .local }

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
    help: .init(
      """
      Meters between new locations; 0 delivers every fix. (default: 100; 0 for nmea, xcode, \
      simctl and adb)
      """,
      valueName: "m"))
  var distanceFilter: Double?

  @Option(
    help: .init(
      """
      Multiple of the recorded pace, 0.1 to 1000; max replays without waiting. (default: max; 1 \
      with --feed)
      """, valueName: "x|max"))
  var speed: ReplaySpeed?

  @Option(help: .init("Pace of a track without usable times.", valueName: "m/s"))
  var walkingSpeed = 1.3

  @Option(
    help: .init(
      """
      auto adds fixes where points are farther apart than the distance filter; off takes the \
      recorded fixes; s takes fixes at multiples of s of track time. (default: auto; 1 for nmea, \
      xcode, simctl and adb)
      """,
      valueName: "auto|off|s"))
  var interval: IntervalArgument?

  @Option(
    help: .init(
      "Shorten longer pauses, within and between segments. (default: as recorded)",
      valueName: "duration"))
  var maxPause: DurationArgument?

  @Option(
    help: .init(
      "Time of the first fix, such as 2026-05-01T08:00:00Z; all times move with it.",
      valueName: "now|time"))
  var start: StartArgument?

  @Option(
    help: .init("Replay one track of the file, or one route; counted from 1.", valueName: "n|name"))
  var track: GPXTrackChoice?

  @Option(
    parsing: .unconditional,
    help: .init(
      """
      Start of the replay: a time such as 90s, 10min, 1h30, 1:05:00, or a distance such as 500m, \
      0.5km, 1mi.
      """,
      valueName: "time|distance"))
  var from: PartArgument?

  @Option(
    parsing: .unconditional,
    help: .init("End of the replay, inclusive.", valueName: "time|distance"))
  var to: PartArgument?

  @Flag(help: "Replay in reverse, with ascending times.")
  var reverse = false

  /// Whether there are options that only a track has.
  var changesTrack: Bool {
    speed != nil || interval != nil || track != nil || source != .auto || changesPart
  }

  /// Whether another part of the track is replayed than the whole, or at other times than recorded.
  var changesPart: Bool {
    from != nil || to != nil || reverse || loop != 1 || start != nil || maxPause != nil
  }

  @Option(help: .init("Number of replays, each from the start.", valueName: "n"))
  var loop = 1

  @Option(help: "Points to replay; auto uses tracks, else routes, else waypoints.")
  var source = GPXSource.auto

  /// - Parameter interval: the fixes between recorded ones, unless `--interval` says it.
  func replayOptions(interval: ReplayOptions.Interpolation = .automatic) -> ReplayOptions {
    ReplayOptions(
      walkingSpeed: walkingSpeed, interpolation: self.interval?.interpolation ?? interval,
      maximumPause: maxPause?.duration, startTime: start?.date, start: from?.position,
      end: to?.position ?? .end, isReversed: reverse, laps: loop)
  }

  mutating func validate() throws {
    let filter = distanceFilter ?? 0
    try require(filter >= 0 && filter.isFinite, "--distance-filter takes meters, 0 or more.")
    try requirePace(walkingSpeed)
    try require(
      interval?.isInRange ?? true, "--interval takes auto, off, or seconds, 0.001 or more.")
    try require(maxPause?.isInRange ?? true, "--max-pause takes a duration of 0 s or more.")
    for (option, end) in [("--from", from), ("--to", to)] {
      try require(
        end?.isNegative != true,
        "\(option) takes a time or distance from the start of the track, 0 or more.")
    }
    if case .number(..<1) = track {
      try require(false, "--track takes a number from 1, or a name.")
    }
    try require(
      track == nil || source != .waypoints, "--track takes a track or a route, not waypoints.")
    if let from, let to {
      try require(
        !to.position.isBefore(from.position),
        "--to takes a position that is not before --from.")
    }
    try require(loop >= 1, "--loop takes a number of 1 or more.")
  }
}

/// Options for photos.
struct PhotoOptions: ParsableArguments {
  @Option(
    help: .init(
      """
      Photo source: flickr needs FLICKR_API_KEY, commons needs no key, sample needs no network. \
      auto uses flickr with a key, else commons; serve and app show sample if Commons \
      cannot be reached. A folder has your own photos. \
      (default: auto, or FAKETRACK_PHOTOS)
      """))
  var photos: PhotoSourceChoice?

  @OptionGroup var own: OwnPhotoOptions

  @Option(help: .init("Search radius.", valueName: "km"))
  var radius = 0.5

  @Option(
    help: .init(
      "Photo size: s and q are squares of 75 and 150 pixels; t, m, n, w, z, c, b are 100 to 1024.",
      valueName: "s|q|t|m|n|w|z|c|b"))
  var size = PhotoSize.pixels640

  @Option(help: "Accepted licenses.")
  var license = LicenseFilter.any

  @Option(
    help: .init(
      "Seed for the choice of photos and for noise; random picks one and shows it.",
      valueName: "n|random"))
  var seed = SeedArgument(0)

  @Option(help: .init("Number of concurrent searches.", valueName: "n"))
  var concurrency = 4

  @Option(
    help: .init(
      "Download the photos to a folder, with credits.csv; text then prints the paths.",
      valueName: "dir"), completion: .directory)
  var download: String?

  @Flag(help: "Repeat searches even if results from the last 24 hours are stored.")
  var refresh = false

  mutating func validate() throws {
    try require(
      radius > 0 && radius < 32, "--radius takes kilometers, more than 0 and less than 32.")
    try require(download?.isEmpty != true, "--download takes a folder.")
    try require((1...64).contains(concurrency), "--concurrency takes a number from 1 to 64.")
  }

  func choice(distanceFilter: Double) -> PhotoPickerSettings {
    PhotoPickerSettings(
      radius: radius * 1_000, distanceFilter: distanceFilter, size: size, license: license,
      seed: seed.number)
  }
}

/// Options for the user's own photos.
struct OwnPhotoOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: .init(
      "Correct the clock of your camera, such as +1h30s or -1h.", valueName: "duration"))
  var cameraOffset: SignedDurationArgument?

  @Option(
    help: .init(
      """
      Correct it by a photo of a clock, such as IMG_1.jpg=2026-05-01T10:02:11+02:00.
      """, valueName: "file=time"))
  var cameraSync: OwnPhotos.Times.Sync?

  @Option(help: "loose also uses the names and dates of your photo files.")
  var photoTimes = PhotoTimesChoice.strict

  mutating func validate() throws {
    try require(
      cameraOffset == nil || cameraSync == nil, "Give --camera-offset or --camera-sync, not both.")
  }

  var times: OwnPhotos.Times {
    var times = OwnPhotos.Times()
    times.offset = cameraOffset?.seconds ?? 0
    times.sync = cameraSync
    times.isLoose = photoTimes == .loose
    return times
  }
}

/// The size of cities.
struct CitySizeOptions: ParsableArguments {
  @Option(help: .init("Minimum population; 0 includes all.", valueName: "n"))
  var minPopulation = 0

  mutating func validate() throws {
    try require(minPopulation >= 0, "--min-population takes a number of 0 or more.")
  }
}

/// Options of the simulated device.
struct SimulationOptions: ParsableArguments {
  @Flag(name: .customLong("no-cities"), help: "Omit the nearest city.")
  var noCities = false

  @Option(help: .init("Maximum distance to the nearest city.", valueName: "km"))
  var maxCityDistance = 100.0

  @OptionGroup var citySize: CitySizeOptions

  @Option(help: "The simulated permission.")
  var authorization = PermissionName.authorized

  @Option(
    help: .init("Sensor noise: 68 % of fixes are within m meters of the track.", valueName: "m"))
  var noise = 0.0

  @Option(
    help: .init(
      "Lose the signal between two positions, such as 10min-12min or 1km-1.2km; repeatable.",
      valueName: "from-to"))
  var outage: [SignalConditions.Outage] = []

  @Option(
    help: .init(
      """
      Permission script: a file of lines such as "0s not-determined", "3s authorized", "2km \
      denied".
      """,
      valueName: "file"), completion: .file())
  var permissionScript: String?

  mutating func validate() throws {
    try require(
      maxCityDistance > 0 && maxCityDistance.isFinite,
      "--max-city-distance takes kilometers, more than 0.")
    try require((0...10_000).contains(noise), "--noise takes meters, 0 to 10000.")
    try require(
      !outage.contains { $0.end.isBefore($0.start) },
      "--outage takes two positions, the first of which is before the other.")
  }

  /// The permission on the walk; `not-determined` is requested, then granted.
  func permission() throws -> [AuthorizationChange] {
    if let permissionScript { return try PermissionScript.steps(inFile: permissionScript) }
    let initial = AuthorizationChange.initially(authorization.status)
    return authorization == .notDetermined
      ? [initial, .after(.zero, .authorizedWhenInUse)] : [initial]
  }

  /// Whether the permission and the signal are others than those of a perfect receiver.
  var changesReceiver: Bool {
    authorization != .authorized || noise != 0 || !outage.isEmpty || permissionScript != nil
  }

  func signal(seed: SeedArgument) -> SignalConditions {
    SignalConditions(noise: noise, outages: outage, seed: seed.number)
  }

  /// Names the cities along a walk; `nil` if they are left out.
  @MainActor
  func cities(_ root: CompositionRoot) throws -> CityNames? {
    if noCities { return nil }
    let index = try root.cities().index
    return CityNames(
      NearestCityCursor(
        index, within: maxCityDistance * 1_000, minPopulation: citySize.minPopulation),
      zones: NearestCityCursor(index, within: Clocks.farthestCity))
  }
}

/// Logging options for service calls.
struct ServiceOptions: ParsableArguments {
  @Flag(
    name: .customLong("verbose"), help: "Show each service call with its duration and result.")
  private var isVerbose = false

  @Option(
    help: .init("Append structured log records to a file.", valueName: "file"),
    completion: .file())
  var log: String?

  @Option(help: .init("Minimum severity of log records. (default: debug)", valueName: "level"))
  private var logLevel: LogLevel?

  mutating func validate() throws {
    try require(logLevel == nil || log != nil, "--log-level needs --log, which names the file.")
  }

  /// - Throws: `Failure` when the log cannot be written.
  @MainActor
  func root(isQuiet: Bool = false) throws -> CompositionRoot {
    try CompositionRoot(
      isQuiet: isQuiet, isVerbose: isVerbose, logPath: log,
      logLevel: logLevel.flatMap { Logger.Level(rawValue: $0.rawValue) } ?? .debug)
  }
}

/// The values of `--log-level`.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
  case debug, info, warning, error
}
