import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import Foundation
import GPX
import Locations
import PhotoSearch
import Receivers

struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Print a photo URL for each new location of a walk.",
    usage: "faketrack replay [<options>] <track>…",
    discussion: """
      Examples
        faketrack replay walk.gpx --format list
        faketrack replay walk.gpx --photos commons | xargs -r -n1 curl -O
        faketrack replay walk.gpx --from 1km --to 2km --speed 10 -f ndjson
        faketrack replay tracks -o all.csv
        faketrack replay walk.gpx --feed chrome:127.0.0.1:9222/localhost
      """)

  @OptionGroup(title: OptionGroupTitle.input) var input: TrackOptions
  @OptionGroup(title: OptionGroupTitle.input) var points: PointOptions
  @OptionGroup(title: OptionGroupTitle.input) var reading: ReadingOptions
  @OptionGroup(title: OptionGroupTitle.part) var part: PartOptions
  @OptionGroup(title: OptionGroupTitle.part) var pace: SpeedOptions
  @OptionGroup(title: OptionGroupTitle.locations) var locations: LocationOptions
  @OptionGroup(title: OptionGroupTitle.photos) var photos: PhotoOptions
  @OptionGroup(title: OptionGroupTitle.ownPhotos) var own: OwnPhotoOptions
  @OptionGroup(title: OptionGroupTitle.cities) var cities: CityOptions
  @OptionGroup(title: OptionGroupTitle.device) var device: DeviceOptions
  @OptionGroup(title: OptionGroupTitle.output) var output: OutputOptions
  @OptionGroup(title: OptionGroupTitle.output) var feed: FeedOptions
  @OptionGroup(title: OptionGroupTitle.output) var ending: HoldOptions
  @OptionGroup(title: OptionGroupTitle.output) var steering: ReplayControlOptions
  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions

  mutating func validate() throws {
    try require(
      reading.resume == nil || output.format.name == OutputFormat.ndjson.name,
      "--resume needs --format ndjson, whose records tell which tracks are whole.")
    try require(
      !output.events || output.format.name == OutputFormat.ndjson.name,
      "--events needs --format ndjson, whose records are told apart by their keys.")
    let changesTrack =
      pace.speed != nil || locations.interval != nil || locations.every != nil
      || !points.tracks.isEmpty || points.source != .auto || part.changesReceiver
    try require(
      input.receiver == nil
        || !changesTrack && !device.isChanged && output.keepsake.privacy.isEmpty,
      ReceiverAddress.isLive)
    try require(
      !isSteered || input.receiver == nil && !output.format.isPage,
      "--control steers the track of a file, and not --format html.")
    try require(
      steering.isStepped || feed.feeds.isEmpty || speed.multiple != nil,
      "--feed needs a pace: --speed takes a multiple of the recorded one.")
    try require(!feed.feeds.isEmpty || ending.hold == nil, "--hold goes with --feed.")
    try require(
      points.tracks.count <= 1 || hasWalkForEachTarget,
      "Several --track go with as many --feed, and with one file or as many files.")
    try require(
      !hasWalkForEachTarget || ["text", "ndjson", "csv"].contains(output.format.name),
      "Walks at once mix their records: --format is text, ndjson or csv.")
    try require(
      output.format.isPage || output.keepsake.sizeLimit == nil,
      "--size-limit needs --format html, which puts photos inside.")
    try require(
      output.format.isPage || output.keepsake.captions == nil,
      "--captions needs --format html, which shows them.")
    try require(
      !output.format.isPage || input.receiver == nil && !part.times.isChanged,
      "A page shows a track of a file as it was recorded: leave out --reverse, --loop, --start and "
        + "--max-pause.")
    try require(
      output.folder == nil || output.keepsake.sizeLimit == nil,
      "A folder has no limit: leave out --size-limit.")
  }

  /// With targets or commands, the recorded pace by default.
  var speed: ReplaySpeed {
    let isWatched = !feed.feeds.isEmpty || isSteered
    return pace.speed ?? (isWatched && !steering.isStepped ? .realTime : .max)
  }

  /// Whether the first target gets the first track, the second the second, and so on: of as many files as
  /// targets, of as many tracks of one file, or of both.
  var hasWalkForEachTarget: Bool {
    let (files, tracks, targets) = (input.named.count, points.tracks.count, feed.feeds.count)
    return targets > 1 && (files == targets || files == 1 && tracks == targets)
      && (tracks <= 1 || tracks == targets) && reading.resume == nil
      && !input.named.contains { $0 == "-" || FileKind($0) == .folder }
  }

  /// The track of a file that is replayed; `nil` for all.
  func choice(of track: BatchTrack) -> GPXTrackChoice? {
    points.tracks.count > 1 ? points.tracks.dropFirst(track.number).first : points.tracks.first
  }

  /// Whether commands steer the walk.
  var isSteered: Bool { steering.control.address != nil }

  @MainActor
  mutating func run() async throws {
    let file = try output.file.map { try OutputFile($0, overwrites: output.target.overwrites) }
    defer { file?.discard() }
    do {
      try await diagnostics.root(output.units).replay(self, into: file)
    } catch let error as OutputError where !error.isClosedPipe {
      throw file.map { FileError(path: $0.name, code: error.code) } ?? error as any Error
    }
  }

  /// The files besides own photos that the run reads or appends to.
  var inputs: [String] {
    // Standard input may be a file too.
    let others = [reading.resume, device.script, diagnostics.log, "/dev/stdin"]
    return input.paths + others.compactMap(\.self)
  }

  /// The output format, with the style of `list`.
  func outputFormat(_ style: TerminalStyle) -> OutputFormat {
    OutputFormat.all(style).first { $0.name == output.format.name } ?? output.format
  }

  /// Meters between new locations.
  var distanceFilter: Double { locations.filter(usual: output.format.distanceFilter) }

  /// The choice of photos, the nearest of which are preferred.
  var photoChoice: PhotoPickerSettings {
    photos.choice(distanceFilter: locations.every ?? distanceFilter)
  }

  /// The options of a replay of a part.
  func replayOptions(_ part: (start: ReplayPosition, end: ReplayPosition)) -> ReplayOptions {
    var options = self.part.replayOptions(
      locations.interpolation(seconds: output.format.interval), part)
    // Programs that play a fix each second need ascending times.
    if output.format.interval != nil {
      (options.untimedStart, options.countsTimes) = (StartArgument.now, true)
    }
    return options
  }
}

/// Options for reading tracks with `replay`.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: .init(
      """
      Skip the tracks that are complete in a previous ndjson output. When appending to that file \
      with >>, first removes its failed and incomplete tracks.
      """, valueName: "output"), completion: .file())
  var resume: String?

  @Flag(help: "Fail on a bad point instead of reporting and skipping it.")
  var strict = false
}

/// Output options of `replay`.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("f"), .customLong("format")],
    help: .init(
      "text, list, ndjson, csv, geojson, gpx, nmea, md.",
      discussion: "See faketrack help formats. (default: by the ending of -o, or text)",
      valueName: "format"))
  private var formatName: OutputFormat?

  @OptionGroup var target: FileOptions
  @OptionGroup var keepsake: KeepsakeOptions

  @Flag(help: "Add a record to ndjson for each change of permission and signal.")
  var events = false

  @OptionGroup var clocks: ClockOptions
  @OptionGroup var units: UnitOptions

  mutating func validate() throws {
    try require(
      formatName != nil || target.fileExtension.isEmpty || formatOfFile != nil,
      "-o: no format has the ending .\(target.fileExtension); add --format.")
    try require(
      formatName != nil || target.path.flatMap { OutputFormat(argument: $0) } == nil,
      "-o \(target.path ?? "") names a format, not a file: -o walk.\(target.path ?? "")")
  }

  private var formatOfFile: OutputFormat? { OutputFormat.of(fileExtension: target.fileExtension) }

  var format: OutputFormat { formatName ?? formatOfFile ?? .text }

  /// The folder of `-o` for a page: one that exists, or a new name without the ending of a format.
  var folder: String? {
    guard format.isPage, let path = target.path, path != "-" else { return nil }
    let isFolder =
      FileKind(path).map { $0 == .folder } ?? (formatOfFile == nil || path.hasSuffix("/"))
    return isFolder ? path : nil
  }

  /// The file of `-o`.
  var file: String? { folder == nil ? target.path : nil }

  var privateAreas: PrivateAreas { PrivateAreas(keepsake.privacy.map(\.region)) }
}

/// The file of the output.
struct FileOptions: ParsableArguments {
  @Option(
    name: .customShort("o"),
    help: .init(
      "Write to a file; the ending picks the format.",
      discussion: """
        Given a folder, a page is index.html with the photos beside it. Replaces only files that show \
        that faketrack wrote them; text, list, nmea and md need --overwrite.
        """, valueName: "file"), completion: .file())
  var path: String?

  @Flag(
    name: .customLong("overwrite"),
    help: "With -o: replace any file except an input.")
  var overwrites = false

  var fileExtension: String { ((path ?? "") as NSString).pathExtension }

  mutating func validate() throws {
    try require(path?.isEmpty != true, "-o takes a file.")
    // Bytes that are not UTF-8 have become this sign.
    try require(path?.contains("\u{FFFD}") != true, "-o takes a name in UTF-8.")
    try require(path != nil || !overwrites, "--overwrite goes with -o.")
  }
}

/// Options of a page, and the privacy of every format.
struct KeepsakeOptions: ParsableArguments {
  @Option(
    help: .init(
      "Captions of photos, and texts of chapters.",
      discussion: """
        A CSV file in UTF-8 with the columns photo and caption: IMG_1003.jpg,"The lake, at last". A \
        photo is named by its file, a path below the folder, its id or its address; a chapter by its \
        heading, such as Potsdam or 2026-05-01. An empty caption hides the title of the photo. \
        (default: captions.csv in the folder of --photos)
        """, valueName: "file"), completion: .file())
  var captions: String?

  @Option(
    help: .init(
      "Maximum size of a page; photos are made smaller to fit. (default: 20)", valueName: "MB"),
    transform: Expected.value("megabytes, 1 to 2000") { text in
      Double(text).flatMap { (1...2_000).contains($0) ? $0 : nil }
    })
  var sizeLimit: Double?

  @Option(
    help: .init(
      "Remove everything within a radius; repeatable.",
      discussion: """
        Leaves out the track and your own photos; center it a few streets from your home. Paths of \
        your photos are then relative to their folder. Distances and times count from what is left.
        """,
      valueName: "lat,lon,radius"), transform: RegionArgument.init)
  var privacy: [RegionArgument] = []

  mutating func validate() throws {
    try require(
      privacy.allSatisfy { $0.region.radius > 0 }, "--privacy takes a radius of more than 0 m.")
  }
}
