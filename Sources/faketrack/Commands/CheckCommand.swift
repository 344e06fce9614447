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
    abstract: "Test tracks and recordings against expectations, for CI.",
    usage: "faketrack check [<options>] <track>…",
    discussion: """
      Examples
        faketrack check walk.gpx --enters 52.404,13.026,200m --within 15min
        faketrack check walk.gpx --passes Potsdam,Berlin --max-speed 30km/h
        faketrack check recorded/ --avoids @lake.geojson --format junit > check.xml
        faketrack replay walk.gpx --photos none -o golden.ndjson
        faketrack check recorded.gpx --matches golden.ndjson,12m

      An area is a circle (52.404,13.026,200m), a box (12.9,52.3,13.2,52.5: west, south, east, north), the polygons \
      of a file (@area.geojson), or a city (Potsdam, or Potsdam,500m; the radius is 1km by default). It is entered \
      and left where the line between two points meets its edge, and entered where the walk begins in it.

      Exits 0 if all is met, 1 if not, 2 for a file that cannot be read.
      """)

  @Argument(
    help: .init(
      "Files, or folders with GPX files; - reads GPX from standard input.",
      discussion: "A file is GPX, ndjson or geojson of replay, NMEA, or JSON of OwnTracks.",
      valueName: "track"), completion: .file())
  var tracks: [String] = []

  @Option(
    help: .init("An area that the walk enters; repeatable.", valueName: "area"),
    transform: ExpectationArgument.area("enters") { .enters($0) })
  var enters: [ExpectationArgument] = []

  @Option(
    help: .init("An area that the walk leaves; repeatable.", valueName: "area"),
    transform: ExpectationArgument.area("leaves") { .leaves($0) })
  var leaves: [ExpectationArgument] = []

  @Option(
    help: .init("An area that the walk is never in; repeatable.", valueName: "area"),
    transform: ExpectationArgument.area("avoids") { .avoids($0) })
  var avoids: [ExpectationArgument] = []

  @Option(
    help: .init(
      "An area that the walk stays in for a time.", discussion: "Such as Potsdam,500m,5min.",
      valueName: "area,time"), transform: ExpectationArgument.stays)
  var stays: [ExpectationArgument] = []

  @Option(
    help: .init(
      "Areas that the walk enters one after the other.",
      discussion: "With commas a radius has a unit, with semicolons any area is named.",
      valueName: "area,area…"),
    transform: ExpectationArgument.passes)
  var passes: [ExpectationArgument] = []

  @Option(
    help: .init(
      "Deadline from the start.", discussion: "For --enters, --leaves and --passes.",
      valueName: "time"),
    transform: Expected.duration)
  var within: Duration?

  @Flag(help: "Expect the areas in the order given.")
  var order = false

  @Option(
    help: .init(
      "Be a recording of another track.",
      discussion: """
        Its locations are passed in order, within the tolerance of the line, from the first to the last; \
        nothing is farther away than the tolerance and half the distance between two of them. A \
        recording with noise needs 12m or more. (default: 1m)
        """,
      valueName: "file[,tolerance]"), completion: .file(), transform: ExpectationArgument.matches)
  var matches: [ExpectationArgument] = []

  @Option(
    help: .init(
      "How late or early it may be; off compares no times.",
      discussion: "(default: 1s, and what the tolerance takes at the speed there)",
      valueName: "time|off"), transform: TimeToleranceArgument.init)
  var timeTolerance: TimeToleranceArgument?

  @Option(
    help: .init(
      "Stay near the line of another track, such as route.gpx,50m.", valueName: "file,distance"),
    completion: .file(), transform: ExpectationArgument.corridor)
  var withinCorridor: [ExpectationArgument] = []

  @Option(
    help: .init("The speed between two locations, such as 30km/h.", valueName: "speed"),
    transform: ExpectationArgument.maximumSpeed)
  var maxSpeed: [ExpectationArgument] = []

  @Option(
    help: .init("The way or the time between two locations: 500m, 30s.", valueName: "gap"),
    transform: ExpectationArgument.maximumGap)
  var maxGap: [ExpectationArgument] = []

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = CheckFormat.text

  @OptionGroup(title: OptionGroupTitle.input) var points: PointOptions
  @OptionGroup(title: OptionGroupTitle.part) var part: PartOptions
  @OptionGroup(title: OptionGroupTitle.locations) var locations: LocationOptions

  /// All expectations in the order of the command line.
  private var expectations: [ExpectationArgument] {
    [enters, leaves, avoids, stays, passes, matches, withinCorridor, maxSpeed, maxGap].joined()
      .sorted { $0.place < $1.place }
  }

  mutating func validate() throws {
    try require(!tracks.isEmpty, "Name a track.")
    try points.requireOneTrack()
    try require(
      !expectations.isEmpty,
      "Give what to check: --enters, --leaves, --avoids, --stays, --passes, --matches, "
        + "--within-corridor, --max-speed or --max-gap.")
  }

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    var report = CheckReport()
    do {
      var wanted: [WalkExpectation] = []
      for argument in expectations { wanted.append(try await argument.make(root, timeTolerance)) }
      let batch = try BatchTracks(tracks)
      while let next = try await batch.next() {
        let track = await root.trackConverter.converted(RecordingFile.converted(next))
        let result = await rows(of: track, wanted, root)
        if let error = result.error { root.console.say(error) }
        report.add(CheckedTrack(track.id, result))
      }
    } catch {
      throw Failure(error).unchecked
    }
    try await root.output.write(format.text(of: report))
    if let error = report.error { throw ExitCode(error.kind.exitCode) }
    if let failure = report.failure(isBrief: format == .text) { throw failure }
  }

  @MainActor
  private func rows(
    of input: BatchTrack, _ wanted: [WalkExpectation], _ root: CompositionRoot
  ) async -> CheckedTrack.Result {
    var rows: [CheckedTrack.Row] = []
    do {
      var track = Track(
        try input.input.get(), source: points.source, choice: points.tracks.first
      ).recorded()
      track.repairs = points.repairs
      let outcomes = try await outcomes(of: wanted, on: track, root.console)
      rows = zip(expectations, outcomes).map { .init($0.name, $1) }
      // The walk can end before the file does.
      var times = UnusableTimes()
      var whole = track
      whole.source = .tracks
      for try await fixes in whole.fixes().batches {
        for fix in fixes { times.count(fix) }
      }
      root.console.note(on: times, walkingSpeed: nil)
      return .init(rows)
    } catch {
      return .init(rows, error: Failure(error).unchecked.naming(input.id))
    }
  }

  private func outcomes(
    of expectations: [WalkExpectation], on track: Track, _ console: Console
  ) async throws -> [WalkOutcome] {
    var plan = WalkPlan(track, distanceFilter: locations.filter(usual: 0), speed: .max)
    plan.options = part.replayOptions(locations.interpolation(), try await part.range(of: track))
    plan.isOneOfMany = true
    plan.note = console.notes(on: track, isOneOfMany: true)
    let walk = plan.walk()
    let outcomes = try await walk.locations.outcomes(
      of: expectations, within: within, inOrder: order)
    guard let (fixes, provider) = walk.replay else { return outcomes }
    guard outcomes.contains(where: { $0.difference != .noLocation }) else {
      throw Failure.nothingToReplay(
        in: fixes, partFrom: provider.emptyPartStart, to: plan.options.end)
    }
    console.noteUnshown(fixes.issues, in: track.input.shownName)
    return outcomes
  }
}

extension Failure {
  /// The same failure, with an exit code that tells it from an expectation that is not met.
  fileprivate var unchecked: Failure {
    Failure(message: message, hint: hint, kind: kind == .failed ? .unchecked : kind)
  }
}

/// The values of `--format` of `check`.
enum CheckFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json, junit, tap

  func text(of report: CheckReport) -> String {
    switch self {
    case .text: report.text
    case .json: report.json
    case .junit: report.junit
    case .tap: report.tap
    }
  }
}
