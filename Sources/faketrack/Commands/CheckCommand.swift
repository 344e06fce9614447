import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations

struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a track against expectations; exits 1 on the first difference.",
    discussion: """
      Examples
        faketrack check walk.gpx --enters 52.404,13.026,200m --within 15min
        faketrack check walk.gpx --leaves 52.404,13.026,200m --from 1km
        faketrack replay walk.gpx --photos none -o golden.ndjson
        faketrack check walk.gpx --matches golden.ndjson,5m
        faketrack check walk.gpx --matches golden.ndjson --format junit > check.xml

      A region is entered or left where the line between two points crosses its
      circle; --matches compares the locations that replay prints.
      """)

  @Argument(
    help: "A GPX file, plain or gzipped; - reads standard input.", completion: .file())
  var track: String

  @Option(
    help: .init(
      "A circle that the walk enters; repeatable.",
      discussion: "A number as the radius is in meters.",
      valueName: "lat,lon,radius"), transform: RegionArgument.init)
  var enters: [RegionArgument] = []

  @Option(
    help: .init(
      "A circle that the walk leaves; repeatable.", valueName: "lat,lon,radius"),
    transform: RegionArgument.init)
  var leaves: [RegionArgument] = []

  @Option(
    help: .init(
      "Deadline for each --enters and --leaves, from the start.", valueName: "time"),
    transform: Expected.duration)
  var within: Duration?

  @Flag(help: "Expect the circles in the order given.")
  var order = false

  @Option(
    help: .init(
      "Compare with the ndjson output of replay.",
      discussion: """
        The tolerance is a distance. (default: 1m) Times are compared too. Give check the options of \
        that replay; for a recording, --interval 60s in both.
        """,
      valueName: "file[,tolerance]"), completion: .file(), transform: GoldenArgument.init)
  var matches: [GoldenArgument] = []

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = CheckFormat.text

  @OptionGroup(title: OptionGroupTitle.input) var points: PointOptions
  @OptionGroup(title: OptionGroupTitle.part) var part: PartOptions
  @OptionGroup(title: OptionGroupTitle.locations) var locations: LocationOptions

  mutating func validate() throws {
    try require(
      !(enters.isEmpty && leaves.isEmpty && matches.isEmpty),
      "Give what to check: --enters, --leaves or --matches.")
  }

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let batch = try BatchTracks([track], converter: root.trackConverter)
    await batch.convertSingle()
    guard let single = batch.single else {
      throw Failure(
        message: "\(track): this is a folder", hint: "Name a single file.", kind: .wrongUsage)
    }
    var track = Track(
      try single.input.get(), source: points.source, choice: points.track
    ).recorded()
    track.repairs = points.repairs
    let goldens = try matches.map {
      WalkExpectation.matches(try GoldenFile.locations(in: $0.path), tolerance: $0.tolerance)
    }
    let regions = (enters.map { ($0, true) } + leaves.map { ($0, false) })
      .sorted { $0.0.place < $1.0.place }
    var rows: [CheckReport.Row] = []
    if !regions.isEmpty {
      let outcomes = try await outcomes(
        of: regions.map { $1 ? .enters($0.region) : .leaves($0.region) }, on: track,
        distanceFilter: 0, notes: root.console)
      rows += zip(regions, outcomes).map { region, outcome in
        .init("\(region.1 ? "enters" : "leaves") \(region.0.region.identifier)", outcome)
      }
    }
    if !goldens.isEmpty {
      // The regions have reported the unusable points already.
      let outcomes = try await outcomes(
        of: goldens, on: track, distanceFilter: OutputFormat.ndjson.distanceFilter,
        notes: regions.isEmpty ? root.console : nil)
      rows += zip(matches, outcomes).map { .init("matches \($0.path)", $1) }
    }
    let report = CheckReport(single.id, rows)
    try await root.output.write(format == .text ? report.text : report.junit)
    // The walk can end before the file does.
    var times = UnusableTimes()
    var tracks = track
    tracks.source = .tracks
    for try await fixes in tracks.fixes().batches {
      for fix in fixes { times.count(fix) }
    }
    root.console.note(on: times, walkingSpeed: nil)
    if let failure = report.failure { throw failure }
  }

  private func outcomes(
    of expectations: [WalkExpectation], on track: Track, distanceFilter: Double,
    notes console: Console?
  ) async throws -> [WalkOutcome] {
    var plan = WalkPlan(
      track, distanceFilter: locations.filter(usual: distanceFilter), speed: .max)
    plan.options = part.replayOptions(locations.interpolation(), try await part.range(of: track))
    plan.isOneOfMany = true
    if let console { plan.note = console.notes(on: track, isOneOfMany: true) }
    let walk = plan.walk()
    let outcomes = try await walk.locations.outcomes(
      of: expectations, within: within, inOrder: order)
    guard let (fixes, provider) = walk.replay else { return outcomes }
    guard outcomes.contains(where: { ![.noLocation, .tooFew(0)].contains($0.difference) }) else {
      throw Failure.nothingToReplay(
        in: fixes, partFrom: provider.emptyPartStart, to: plan.options.end)
    }
    console?.noteUnshown(fixes.issues, in: track.input.shownName)
    return outcomes
  }
}

/// The values of `--format` of `check`.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
  case text, junit
}

/// The value of `--enters`, `--leaves` and `--privacy`: latitude, longitude and radius.
struct RegionArgument: Sendable {
  private static let count = Locked(0)

  let region: CircularRegion
  /// The values that come later on the command line have higher numbers.
  let place: Int

  init(_ argument: String) throws {
    let parts = argument.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }
    guard parts.count == 3, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      let center = try? Coordinate(latitude: latitude, longitude: longitude),
      let radius = try? Expected.distance()(String(parts[2]))
    else {
      throw ValidationError(
        "expected a latitude, a longitude and a radius, such as 52.404,13.026,200m.")
    }
    region = CircularRegion(identifier: argument, center: center, radius: radius)
    place = Self.count.withLock { count in
      count += 1
      return count
    }
  }
}

/// The value of `--matches`: a file and, after a comma, meters.
struct GoldenArgument {
  let path: String
  let tolerance: Double

  init(_ argument: String) throws {
    guard let comma = argument.lastIndex(of: ","),
      !FileManager.default.fileExists(atPath: argument)
    else {
      (path, tolerance) = (argument, 1)
      return
    }
    guard let meters = try? Expected.distance()(String(argument[comma...].dropFirst())) else {
      throw ValidationError(
        "there is no such file; after a comma, a tolerance such as 5m is expected.")
    }
    (path, tolerance) = (String(argument[..<comma]), meters)
  }
}
