import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Locations
import Logging
import PhotoSearch
import Receivers

// Options that several commands share, by their groups in the help.

/// The titles of groups of options.
enum OptionGroupTitle {
  static let input = "Input"
  static let part = "Part and pace"
  static let locations = "Locations"
  static let photos = "Photos"
  static let ownPhotos = "Own photos"
  static let cities = "Cities"
  static let device = "Simulated device"
  static let output = "Output"
  static let diagnostics = "Diagnostics"
}

extension ParsableArguments {
  /// Rejects options that do not meet a condition, with a sentence that says what they take.
  func require(_ condition: Bool, _ sentence: String) throws {
    if !condition { throw ValidationError(sentence) }
  }
}

/// The tracks of a command.
struct TrackOptions: ParsableArguments {
  @Argument(
    help: .init(
      "GPX files, web addresses, folders, - for standard input.",
      discussion: """
        Files may be gzipped; a folder means all .gpx and .gpx.gz files in it. FIT, TCX, KML and others are read through \
        gpsbabel where it is installed. With replay, gpsd://host[:port], nmea://host:port and \
        nmea:///dev/ttyUSB0 are live receivers, until --to or Ctrl-C.
        """, valueName: "track"), completion: .file())
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
      valueName: "n"), transform: Expected.count(1...256))
  private var jobCount: Int?

  /// The receiver in place of tracks.
  var receiver: ReceiverAddress? { tracks.count == 1 ? ReceiverAddress(tracks[0]) : nil }

  var jobs: Int { jobCount ?? min(256, ProcessInfo.processInfo.activeProcessorCount) }

  /// The paths of the tracks and of their list.
  var paths: [String] { tracks + [tracksFrom].compactMap(\.self) }

  /// The files that are named, for a command that has to know each.
  var named: [String] { tracks }

  /// The tracks, one after the other, without the tracks that a previous output holds whole.
  ///
  /// - Parameters:
  ///   - output: the file of `-o`.
  ///   - choices: the track of each, of the only file or of as many files.
  /// - Throws: `Failure`, also for a track on the web that cannot be downloaded.
  @MainActor
  func makeTracks(
    in root: CompositionRoot, without finished: FinishedTracks? = nil, output: OutputFile? = nil,
    choices: [GPXTrackChoice] = []
  ) async throws -> BatchTracks {
    var downloads: [String: GPXInput] = [:]
    for track in tracks where ["http://", "https://"].contains(where: track.lowercased().hasPrefix)
    {
      downloads[track] = try await root.download(track)
    }
    let isOneFile = tracks.count == 1 && choices.count > 1
    let batch = try BatchTracks(
      isOneFile ? choices.map { _ in tracks[0] } : tracks,
      names: isOneFile ? choices.map { "\(tracks[0])#\($0.label)" } : [], list: tracksFrom,
      downloads: downloads, finished: finished, output: output,
      converter: root.trackConverter)
    await batch.convertSingle()
    return batch
  }

  mutating func validate() throws {
    try require(
      tracks.isEmpty == (tracksFrom != nil),
      tracks.isEmpty
        ? "Name a GPX file or a folder, or give --tracks-from; faketrack demo has a sample walk."
        : "Either name the tracks, or give --tracks-from.")
    try require(
      receiver != nil || !tracks.contains { ReceiverAddress.isAddress($0) },
      "A receiver is named alone: gpsd://host[:port], nmea://host:port or nmea:///dev/ttyUSB0.")
  }
}

extension ReceiverAddress {
  static let isLive =
    "A receiver is live: options that change a track, the signal or the permission need a file; "
    + "--to takes a time or a distance."
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

/// The units that people read.
struct UnitOptions: ParsableArguments {
  @Option(
    help: .init(
      "Units in text for people; records stay metric.",
      discussion: "(default: metric, unless LC_MEASUREMENT says otherwise)",
      valueName: "metric|imperial"))
  var units: Units?
}

/// The points of the file to replay.
struct PointOptions: ParsableArguments {
  @Option(
    name: .customLong("track"),
    help: .init("Replay one track of the file, or one route; counted from 1.", valueName: "n|name"))
  var tracks: [GPXTrackChoice] = []

  @Option(help: "Points to replay; auto uses tracks, else routes, else waypoints.")
  var source = GPXSource.auto

  @Flag(help: "Walk tracks and segments in the order of their times.")
  var sortByTime = false

  @Flag(
    help: """
      Leave out positions of 0, 0 in a track elsewhere, and up to 32 that are reached and left faster than 350 m/s.
      """)
  var skipOutliers = false

  /// Refuses several tracks.
  func requireOneTrack() throws { try require(tracks.count <= 1, "--track chooses one track.") }

  var repairs: GPXFixes.Repairs {
    var repairs: GPXFixes.Repairs = []
    if sortByTime { repairs.insert(.sortingByTime) }
    if skipOutliers { repairs.insert(.skippingOutliers) }
    return repairs
  }

  mutating func validate() throws {
    for case .number(..<1) in tracks {
      try require(false, "--track takes a number from 1, or a name.")
    }
    try require(
      tracks.isEmpty || source != .waypoints, "--track takes a track or a route, not waypoints.")
  }
}

/// The times and the direction of a replay.
struct TimeOptions: ParsableArguments {
  @Option(
    help: .init(
      "Pace of a track without usable times, such as 5km/h or 12:30/km; a number is in meters per "
        + "second. (default: 1.3)",
      valueName: "speed"), transform: Expected.speed)
  var walkingSpeed = ReplayOptions().walkingSpeed

  @Option(
    help: .init(
      "Shorten longer pauses, within and between segments. (default: as recorded)",
      valueName: "time"), transform: Expected.duration)
  var maxPause: Duration?

  @Option(
    help: .init(
      "Time of the first fix, such as 2026-05-01T08:00:00Z; all times move with it.",
      valueName: "now|time"), transform: StartArgument.parser)
  var start: StartArgument?

  @Flag(
    help: "Replay in reverse, with ascending times; --from and --to count along the reversed track."
  )
  var reverse = false

  @Option(
    help: .init("Number of replays, each from the start. (default: 1)", valueName: "n"),
    transform: Expected.count(1 ... .max))
  var loop = 1

  var isChanged: Bool { reverse || loop != 1 || start != nil || maxPause != nil }
}

/// The part of a track to replay, and its times.
struct PartOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: .init(
      "Start: 500m, 10min, a date, -2km (from the end).",
      discussion: """
        A distance, a track time, or the first recorded time at or after a date with a time, such as \
        2026-05-01T09:00, which is UTC without an offset.
        """,
      valueName: "place"), transform: Expected.place)
  var from: TrackPlace?

  @Option(
    parsing: .unconditional,
    help: .init("End, inclusive, in the same forms.", valueName: "place"), transform: Expected.place
  )
  var to: TrackPlace?

  @OptionGroup var times: TimeOptions

  /// Whether another part of the track is replayed than the whole, or at other times than recorded.
  var isChanged: Bool { from != nil || to != nil || times.isChanged }

  /// Whether it is another part of a receiver's way than one from its start up to a time or a distance.
  var changesReceiver: Bool {
    from != nil || times.isChanged || to.map { $0.position == nil } ?? false
  }

  /// The part to replay. Reads the track if an end of the part depends on its end or its times.
  ///
  /// - Throws: `Failure` for a date without a time at or after it.
  func range(
    of track: Track
  ) async throws -> (start: ReplayPosition, end: ReplayPosition) {
    if !needsTrack { return (from?.position ?? .start, to?.position ?? .end) }
    let extent = await TrackExtent(
      track, replayOptions(.off, (.start, .end)), dates: [from, to].compactMap(\.?.date))
    return (
      try from.map { try extent.position(of: $0, "--from") } ?? .start,
      try to.map { try extent.position(of: $0, "--to") } ?? .end
    )
  }

  /// Whether an end of the part is known only after the whole track has been read.
  var needsTrack: Bool { [from, to].contains { $0 != nil && $0?.position == nil } }

  /// The options of a replay.
  ///
  /// - Parameter part: the part, as of ``range(reading:)``.
  func replayOptions(
    _ interpolation: ReplayOptions.Interpolation,
    _ part: (start: ReplayPosition, end: ReplayPosition)
  ) -> ReplayOptions {
    ReplayOptions(
      walkingSpeed: times.walkingSpeed, interpolation: interpolation, maximumPause: times.maxPause,
      startTime: times.start?.date, start: part.start, end: part.end, isReversed: times.reverse,
      laps: times.loop)
  }

  mutating func validate() throws {
    try require(
      times.maxPause == nil && !times.reverse || from?.date == nil && to?.date == nil,
      "A date is a recorded time: leave out --max-pause and --reverse.")
    if case .position(let start) = from, case .position(let end) = to {
      try require(
        !end.isBefore(start), "--to takes a place that is not before --from.")
    }
  }
}

/// The speed of a replay.
struct SpeedOptions: ParsableArguments {
  @Option(
    help: .init(
      "Multiple of the recorded pace, 0.1 to 1000.",
      discussion: "max replays without waiting. (default: max; 1 with --feed)", valueName: "x|max"),
    transform: Expected.replaySpeed)
  var speed: ReplaySpeed?
}

/// The fixes of a replay that become locations.
struct LocationOptions: ParsableArguments {
  @Option(
    help: .init(
      "Straight-line distance between locations.",
      discussion: """
        As on a device, a location once it is this far from the last one; 0 delivers every fix. \
        (default: 100m; 0 with --interval and for nmea)
        """,
      valueName: "d"), transform: Expected.distance(such: "100m, 0.5km or 300ft"))
  var distanceFilter: Double?

  @Option(
    help: .init(
      "Distance between locations along the track.",
      discussion: "A location at each multiple, such as 500m, in place of the distance filter.",
      valueName: "distance"),
    transform: Expected.distance(1...1e12, " of 1 m or more", such: "500m or 0.5mi"))
  var every: Double?

  @Option(
    help: .init(
      """
      auto adds fixes where points are farther apart than the distance filter; off takes the \
      recorded fixes; a time such as 60s takes fixes at its multiples. (default: auto; 1s for nmea)
      """,
      valueName: "auto|off|time"), transform: IntervalArgument.parser)
  var interval: IntervalArgument?

  mutating func validate() throws {
    try require(
      every == nil || interval == nil && distanceFilter == nil,
      "--every replaces --interval and --distance-filter: leave them out.")
  }

  /// The fixes between the recorded ones.
  ///
  /// - Parameter seconds: the interval of the output format.
  func interpolation(seconds: Double? = nil) -> ReplayOptions.Interpolation {
    every.map { .spacing($0) } ?? interval?.interpolation
      ?? seconds.map { .interval(.seconds($0)) } ?? .automatic
  }

  /// The meters between locations.
  ///
  /// - Parameter usual: the meters of the output format.
  func filter(usual: Double) -> Double {
    if every != nil { return 0 }
    if case .interval = interval?.interpolation.kind { return distanceFilter ?? 0 }
    return distanceFilter ?? usual
  }
}

/// Options for photos.
struct PhotoOptions: ParsableArguments {
  @Option(
    help: .init(
      "auto, flickr, commons, sample, none, or a folder.",
      discussion: """
        flickr needs FLICKR_API_KEY, commons needs no key, sample needs no network. auto uses flickr \
        with a key, else commons; serve and app show sample if Commons cannot be reached. A folder \
        has your own photos. (default: auto, or FAKETRACK_PHOTOS)
        """, valueName: "source"),
    completion: .list(PhotoSourceChoice.allCases.map(\.rawValue)),
    transform: Expected.value("auto, flickr, commons, sample, none, or an existing folder") {
      PhotoSourceChoice(rawValue: $0)
    })
  var photos: PhotoSourceChoice?

  @Option(
    help: .init(
      "Search radius; a number is in kilometers. (default: 0.5km)", valueName: "distance"),
    transform: Expected.distance(
      1e-3...31_999.999, unit: 1_000, " of more than 0 and less than 32 km", such: "500m or 0.5km"))
  var radius = 500.0

  @Option(
    help: .init(
      "Photo size: s and q are squares of 75 and 150 pixels; t, m, n, w, z, c, b are 100 to 1024.",
      valueName: "s|q|t|m|n|w|z|c|b"))
  var size = PhotoSize.pixels640

  @Option(help: "Accepted licenses.")
  var license = LicenseFilter.any

  @Option(
    help: .init(
      "Seed for the choice of photos and for noise; random picks one and shows it. (default: 0)",
      valueName: "n|random"), transform: SeedArgument.parser)
  var seed = SeedArgument(0)

  @Option(
    help: .init("Number of concurrent searches. (default: 4)", valueName: "n"),
    transform: Expected.count(1...64))
  var concurrency = 4

  @Option(
    help: .init(
      "Keep the photos, with credits.csv.", discussion: "text then prints the paths.",
      valueName: "folder"), completion: .directory)
  var download: String?

  @Flag(help: "Repeat searches even if results from the last 24 hours are stored.")
  var refresh = false

  mutating func validate() throws {
    try require(download?.isEmpty != true, "--download takes a folder.")
  }

  func choice(distanceFilter: Double) -> PhotoPickerSettings {
    PhotoPickerSettings(
      radius: radius, distanceFilter: distanceFilter, size: size, license: license,
      seed: seed.number)
  }
}

/// Options for the user's own photos.
struct OwnPhotoOptions: ParsableArguments {
  @Option(
    name: .customLong("camera-offset"), parsing: .unconditionalSingleValue,
    help: .init(
      "Correct the clock of your camera, such as +1h30 or -90s.",
      discussion: """
        Clocks of photos with an offset from UTC stay, as a phone's; name a camera to correct it alone: \
        "Canon EOS R6:+1h". Repeatable.
        """, valueName: "time"),
    transform: OwnPhotos.Times.Offset.parser)
  var cameraOffsets: [OwnPhotos.Times.Offset] = []

  @Option(
    name: .customLong("camera-sync"),
    help: .init(
      "Correct the clock of a camera with its photo of a clock.",
      discussion: """
        IMG_1.jpg=2026-05-01T10:02:11+02:00; without an offset, the time is local along the track. \
        Repeatable, once for each camera.
        """, valueName: "file=time"), transform: OwnPhotos.Times.Sync.parser)
  var cameraSyncs: [OwnPhotos.Times.Sync] = []

  @Option(
    help: .init(
      "loose also uses the names and dates of your photo files.", valueName: "strict|loose"))
  var photoTimes = PhotoTimesChoice.strict

  mutating func validate() throws {
    try require(
      cameraSyncs.isEmpty || cameraOffsets.allSatisfy(\.isNamed),
      "Give --camera-offset for a camera by its name beside --camera-sync.")
  }

  var times: OwnPhotos.Times {
    var times = OwnPhotos.Times()
    times.offsets = cameraOffsets
    times.syncs = cameraSyncs
    times.isLoose = photoTimes == .loose
    return times
  }
}

/// The size of cities.
struct CitySizeOptions: ParsableArguments {
  @Option(
    help: .init("Minimum population; 0 includes all. (default: 0)", valueName: "n"),
    transform: Expected.count(0 ... .max))
  var minPopulation = 0
}

/// Options for the city of each location.
struct CityOptions: ParsableArguments {
  @Flag(name: .customLong("no-cities"), help: "Omit the nearest city.")
  var areOmitted = false

  @Option(
    help: .init(
      "Maximum distance to the nearest city; a number is in kilometers. (default: 100km)",
      valueName: "distance"),
    transform: Expected.distance(
      1e-3...1e12, unit: 1_000, " of more than 0", such: "20km or 10mi"))
  var maxCityDistance = 100_000.0

  @OptionGroup var size: CitySizeOptions

  /// Names the cities along a walk; `nil` if they are left out.
  @MainActor
  func names(_ root: CompositionRoot) throws -> CityNames? {
    if areOmitted { return nil }
    let index = try root.cities().index
    return CityNames(
      NearestCityCursor(index, within: maxCityDistance, minimumPopulation: size.minPopulation),
      zones: NearestCityCursor(index, within: Clocks.farthestCity), index: index)
  }
}

/// Options of the simulated device.
struct DeviceOptions: ParsableArguments {
  @Option(help: "The simulated permission.")
  var authorization = PermissionName.authorized

  @Option(
    name: [.customLong("script"), .customLong("permission-script")],
    help: .init(
      "A file of what happens: lines such as \"1km denied\" or \"2km outage 30s\".",
      discussion: "See faketrack help control. Also --permission-script.",
      valueName: "file"), completion: .file())
  var script: String?

  @OptionGroup var signal: SignalOptions

  /// The events of the walk; the permission `not-determined` is requested, then granted.
  func walkScript() throws -> WalkScript {
    if let script { return try WalkScript(file: script) }
    let initial = DeviceStep(.status(authorization.status), at: .start)
    return WalkScript(
      steps: authorization == .notDetermined
        ? [initial, DeviceStep(.status(.authorizedWhenInUse), at: .elapsed(.zero))] : [initial])
  }

  /// Whether the permission and the signal differ from a perfect receiver.
  var isChanged: Bool {
    authorization != .authorized || signal.isChanged || script != nil
  }
}

/// Options of the signal of the satellites.
struct SignalOptions: ParsableArguments {
  @Option(
    help: .init(
      "Sensor noise: 68 % of fixes are within this distance of the track.",
      discussion: "The error drifts over about half a minute.", valueName: "distance"),
    transform: Expected.distance(0...10_000, " of up to 10 km", such: "8m"))
  var noise: Double?

  @Option(
    help: .init(
      "Lose the signal between two positions, such as 10min-12min or 1km-1.2km; repeatable.",
      valueName: "from-to"), transform: ReplayOptions.Outage.parser)
  var outage: [ReplayOptions.Outage] = []

  @Option(
    help: .init(
      "open, street, forest or tunnel.",
      discussion: """
        Noise of 3 m under the open sky, 12 m in a street, 7 m in a forest. A tunnel has 5 m, and no signal from \
        500 m to 900 m. --noise replaces the noise.
        """, valueName: "surroundings"))
  var reception: Reception?

  /// Whether the signal differs from a perfect one.
  var isChanged: Bool { reception != nil || noise ?? 0 > 0 || !outage.isEmpty }

  /// Adds the noise and the outages to the options of a replay.
  func disturb(_ options: inout ReplayOptions, seed: SeedArgument) {
    options.noise = noise ?? reception?.noise ?? 0
    options.outages = outage + (reception?.outages ?? [])
    options.seed = seed.number
  }
}

/// The values of `--reception`.
enum Reception: String, ExpressibleByArgument, CaseIterable {
  case open, street, forest, tunnel

  /// Meters.
  fileprivate var noise: Double {
    switch self {
    case .open: 3
    case .street: 12
    case .forest: 7
    case .tunnel: 5
    }
  }

  fileprivate var outages: [ReplayOptions.Outage] {
    self == .tunnel ? [.init(from: .meters(500), to: .meters(900))] : []
  }
}

/// Options for messages, and for the log of service calls.
struct DiagnosticOptions: ParsableArguments {
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Show only errors on stderr.")
  var isQuiet = false

  @Flag(
    name: [.customShort("v"), .customLong("verbose")],
    help: "Show each service call with its duration and result.")
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
  func root(_ units: UnitOptions? = nil) throws -> CompositionRoot {
    try CompositionRoot(
      units: units?.units, isQuiet: isQuiet, isVerbose: isVerbose, logPath: log,
      logLevel: logLevel.flatMap { Logger.Level(rawValue: $0.rawValue) } ?? .debug)
  }
}

/// The values of `--log-level`.
enum LogLevel: String, ExpressibleByArgument, CaseIterable {
  case debug, info, warning, error
}
