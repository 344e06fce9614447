import ArgumentParser
import Cities
import Dispatch
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Geodesy

struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Length, duration, ascent, cities of a track.",
    discussion: """
      Examples
        faketrack info walk.gpx
        faketrack info tracks --format ndjson

        How many of your own photos have a place on the track:
          faketrack info walk.gpx --photos pictures/
      """)

  @OptionGroup(title: OptionGroupTitle.input) var input: TrackOptions

  @Option(name: [.customShort("f"), .customLong("format")], help: "The output format.")
  var format = ListingFormat.text

  @Flag(name: .customLong("no-cities"), help: "Leave out the cities passed.")
  var noCities = false

  @Option(
    help: .init("Place your own photos in a folder.", valueName: "folder"),
    completion: .directory)
  var photos: String?

  @OptionGroup(title: OptionGroupTitle.ownPhotos) var own: OwnPhotoOptions
  @OptionGroup var clocks: ClockOptions
  @OptionGroup var units: UnitOptions

  mutating func validate() throws {
    try require(
      photos == nil || format != .csv, "--photos needs --format text or ndjson: it lists pictures.")
  }

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot(units: units.units)
    let cities = noCities ? nil : NearestCityCursor(try root.cities().index, within: 100_000)
    let tracks = try await input.makeTracks(in: root)
    let settings = own
    let pictures = try photos.map { try root.ownPhotos(in: $0, settings) }
    let facts = TrackFacts(
      format: format, cities: cities, namesTracks: tracks.single == nil,
      style: clocks.style(of: root.console), console: root.console, own: pictures)
    if format == .csv { try await root.output.write(JSONValue.csvHeader(TrackInfo.columns)) }
    try await root.perform(root.batch(tracks, jobs: input.jobs), work: facts.write)
  }
}

/// Reads the facts of tracks, for `info`.
private struct TrackFacts: Sendable {
  let format: ListingFormat
  /// `nil` leaves out the cities passed.
  let cities: NearestCityCursor?
  let namesTracks: Bool
  let style: TerminalStyle
  let console: Console
  let own: OwnPhotos?

  /// - Throws: `CancellationError`, or the failure of the output.
  func write(_ track: BatchTrack, to output: TrackOutput) async throws -> TrackOutcome {
    var (info, failure) = try await read(track)
    if namesTracks { failure = failure?.naming(track.id) }
    try await output.write(text(of: info, track.id, failure))
    return TrackOutcome(failure: failure)
  }

  private func read(_ track: BatchTrack) async throws -> (info: TrackInfo?, failure: Failure?) {
    switch track.input {
    case .failure(let failure): return (nil, failure)
    case .success(let input) where input.isSmall: return read(track.id, input)
    case .success(let input):
      return try await DispatchQueue.global().blocking { read(track.id, input) }
    }
  }

  private func text(of info: TrackInfo?, _ id: String, _ failure: Failure?) -> String {
    switch format {
    case .text: info?.text(style: style) ?? ""
    case .ndjson where namesTracks: TrackInfo.json(track: id, info, failure).serialized + "\n"
    case .ndjson: info.map { $0.json.serialized + "\n" } ?? ""
    case .csv: info?.json.csvRow(TrackInfo.columns) ?? ""
    }
  }

  /// Reads a file to its end or to where it breaks off: the facts of what was read, if anything
  /// was, and why that is not all.
  private func read(_ name: String, _ input: GPXInput) -> (info: TrackInfo?, failure: Failure?) {
    let track = own == nil ? Track(input) : Track(input).recorded()
    var overview = GPXOverview()
    var passed: [GPXPointKind: CitiesPassed] = [:]
    var isEmpty = true
    var failure: Failure?
    do {
      try track.read { event in
        isEmpty = false
        if let issue = overview.receive(event) { console.note(issue, in: name) }
        guard case .points(let points) = event else { return }
        passed[points.kind, default: CitiesPassed(cities)].add(points.fixes)
      }
      // A whole file has its facts, even that there is nothing in it.
      isEmpty = false
    } catch {
      failure = Failure(error)
    }
    console.noteUnshown(overview.issues, in: name)
    let (kind, statistics) = overview.walked
    let file = namesTracks ? name : nil
    console.note(on: statistics.unusableTimes, in: file, walkingSpeed: nil)
    console.note(
      ReplayText.note(on: statistics.positionOutliers, length: statistics.length), in: file)
    console.note(ReplayText.note(on: statistics.elevationOutliers), in: file)
    var cursor = cities
    var info = TrackInfo(
      file: name, overview: overview, cities: (passed[kind] ?? CitiesPassed(cities)).names,
      start: statistics.ends.flatMap { cursor?.nearest(to: $0.first.place)?.city },
      end: statistics.ends.flatMap { cursor?.nearest(to: $0.last.place)?.city })
    if let own, !isEmpty {
      let report = PhotoAlbum(own, on: track, radius: Self.radius).placement()
      info.photos = report
      if !namesTracks { console.noteUnplaced(report.unplaced) }
    }
    return (isEmpty ? nil : info, failure)
  }

  /// Meters from the track within which a photo's position counts, as in `replay`.
  private static let radius = 500.0
}

/// The cities along tracks or routes, each once, in order.
private struct CitiesPassed {
  private var cursor: NearestCityCursor?
  private var ids: Set<Int> = []
  private(set) var names: [String]?

  init(_ cursor: NearestCityCursor?) {
    self.cursor = cursor
    names = cursor == nil ? nil : []
  }

  mutating func add(_ fixes: [Fix]) {
    for fix in fixes {
      guard let city = cursor?.nearest(to: fix.coordinate)?.city else { continue }
      if ids.insert(city.id).inserted { names?.append(city.name) }
    }
  }
}
