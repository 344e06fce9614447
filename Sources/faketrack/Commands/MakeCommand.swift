import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations

struct MakeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make",
    abstract: "Make a GPX track from cities, positions or your photos.",
    usage: "faketrack make [<options>] <place> <place>…\n"
      + "       faketrack make [<options>] <place> --distance <distance>\n"
      + "       faketrack make --from-photos <folder>",
    discussion: """
      Examples
        faketrack make Potsdam Berlin > walk.gpx
        faketrack make Potsdam --distance 5km --seed 7 -o loop.gpx
        faketrack make Berlin 53.55,9.99 --by car --stops 2 --outage 3km-4km
        faketrack make --from-photos pictures > trip.gpx
        faketrack make Potsdam Berlin | faketrack replay - --photos sample -f list

      The way leads along the shortest line, gently curved, over water and through walls; there are no elevations. \
      The same command makes the same track, and another --seed another one.
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: .init(
      "Cities as for cities show, or positions such as 52.4,13.06.",
      discussion:
        "\"Paris, Texas\" and \"Sydney, AU\" name a region and a country, a number is the id of a city.",
      valueName: "place"))
  var places: [String] = []

  @Option(
    help: .init(
      "Length of a loop from one place and back, 100m to 10000km.", valueName: "distance"),
    transform: Expected.distance(TrackMaker.distances, " of 100 m to 10,000 km", such: "5km"))
  var distance: Double?

  @Option(
    name: .customLong("by"),
    help: .init(
      "walk, run, bike, car, train or plane. (default: walk)", valueName: "means"))
  var means: TrackMaker.Means?

  @Option(
    help: .init("Pauses on the way, 0 to 100. (default: 0)", valueName: "n"),
    transform: Expected.count(0...100))
  var stops: Int?

  @Option(
    help: .init(
      "Time between two fixes, 0.1s or more. (default: 1s)",
      discussion: "A track has at most 200,000 fixes.", valueName: "time"),
    transform: Expected.value("a time of 0.1s or more, such as 1s or 1min") { text in
      (try? Expected.duration(text)).flatMap { $0 >= .milliseconds(100) ? $0 : nil }
    })
  var interval: Duration?

  @Option(
    help: .init(
      "Time of the first fix, UTC. (default: 2026-05-01T08:00:00Z)", valueName: "now|time"),
    transform: StartArgument.parser)
  var start: StartArgument?

  @Option(
    help: .init(
      "Seed of curves, pace and noise; random picks one and shows it. (default: 0)",
      valueName: "n|random"), transform: SeedArgument.parser)
  var seed: SeedArgument?

  @OptionGroup(title: OptionGroupTitle.device) var signal: SignalOptions

  @Option(
    help: .init(
      "The positions and times in your photos.",
      discussion: "Nothing is added between them; a time without an offset is local there.",
      valueName: "folder"), completion: .directory)
  var fromPhotos: String?

  @Option(
    name: .customShort("o"),
    help: .init(
      "Write to a GPX file.",
      discussion: "Replaces only files that show that faketrack wrote them.",
      valueName: "file"), completion: .file())
  var output: String?

  @Flag(name: .customLong("overwrite"), help: "With -o: replace any file except a photo.")
  var overwrites = false

  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions

  mutating func validate() throws {
    let ending = output.map { ($0 as NSString).pathExtension.lowercased() }
    try require(
      output?.isEmpty != true && ["", "gpx", nil].contains(ending),
      "-o takes the name of a GPX file, such as walk.gpx.")
    try require(output != nil || !overwrites, "--overwrite goes with -o.")
    places.removeAll { $0 == "--" }
    try require(
      places.allSatisfy { !$0.allSatisfy(\.isWhitespace) },
      "A place is empty: name a city or a position.")
    for place in places {
      if let mistake = Coordinate.mistake(in: place) { throw ValidationError("\(mistake).") }
      try require(
        Double(place) == nil || Int(place) != nil,
        "'\(place)' is half a position: join latitude and longitude with a comma, as in 52.4,13.06."
      )
    }
    if let option = places.first(where: { $0.hasPrefix("-") && Coordinate(text: $0) == nil }) {
      throw ValidationError("Unknown option '\(option)'")
    }
    guard fromPhotos == nil else {
      let isBare =
        distance == nil && means == nil && stops == nil && interval == nil && start == nil
      return try require(
        places.isEmpty && isBare && seed == nil && !signal.isChanged,
        "--from-photos takes what is in the photos: leave out places and options of the way.")
    }
    try require(
      places.count > 1 || distance != nil && !places.isEmpty,
      places.isEmpty
        ? "Name two places, or one and --distance, or give --from-photos."
        : "Name another place, or give --distance for a way around this one.")
    try require(
      distance == nil || places.count == 1, "--distance makes a way around one place.")
  }

  @MainActor
  mutating func run() async throws {
    let root = try diagnostics.root()
    let output = try output.map { try OutputFile($0, overwrites: overwrites) }
    defer { output?.discard() }
    let document: GPXDocument
    if let fromPhotos {
      document = try photoTrack(of: fromPhotos, for: output, root)
    } else {
      document = try await madeTrack(root)
    }
    try output?.check()
    try output?.begin()
    let text = String(decoding: document.data(creator: "faketrack"), as: UTF8.self)
    try await root.output.write(text)
    try output?.commit(.whole)
  }

  @MainActor
  private func madeTrack(_ root: CompositionRoot) async throws -> GPXDocument {
    let seed = seed ?? SeedArgument(0)
    seed.note(on: root.console)
    var named: [(coordinate: Coordinate, name: String)] = []
    for place in places {
      if let coordinate = Coordinate(text: place) {
        named.append((coordinate, place.replacing(" ", with: "")))
      } else {
        let city = try await root.city(place, takesLargest: true, command: "make", as: nil)
        named.append((city.coordinate, city.name))
      }
    }
    var maker = TrackMaker(named, distance: distance)
    (maker.seed, maker.means) = (seed.number, means ?? .walk)
    if let stops { maker.stops = stops }
    if let interval { maker.interval = interval }
    if let start { maker.start = start.date }
    let document: GPXDocument
    do {
      document = try maker.document()
    } catch {
      throw failure(error)
    }
    guard document.fixes.last?.time.flatMap(GPXTime.string) != nil else {
      throw Failure(
        message: "the way ends after the year 9999", hint: "Give an earlier --start.",
        kind: .wrongUsage)
    }
    var options = ReplayOptions(interpolation: .off)
    signal.disturb(&options, seed: seed)
    return signal.isChanged ? try await received(document.fixes, options, maker.name) : document
  }

  /// The track as a receiver records it: a loss of the signal begins a segment.
  private func received(
    _ fixes: [Fix], _ options: ReplayOptions, _ name: String?
  ) async throws -> GPXDocument {
    let provider = ReplayLocationProvider(
      fixes, distanceFilter: 0, speed: .max, options: options)
    var received: [Fix] = []
    var segment = 0
    for try await update in provider.updates() {
      guard let fix = update.location else {
        segment = received.isEmpty ? 0 : segment + 1
        continue
      }
      received.append(
        Fix(fix.coordinate.roundedToCentimeters, time: fix.time, segment: segment))
    }
    guard !received.isEmpty else {
      throw Failure(
        message: "there is no signal on the whole way", hint: "Give a shorter --outage.",
        kind: .wrongUsage)
    }
    return GPXDocument(made: received, name: name)
  }

  @MainActor
  private func photoTrack(
    of folder: String, for output: OutputFile?, _ root: CompositionRoot
  ) throws -> GPXDocument {
    guard FileKind(folder) == .folder else {
      throw Failure(
        message: "--from-photos \(folder): there is no such folder",
        hint: "Name a folder with pictures.")
    }
    let photos = try OwnPhotos(folder: folder, index: root.cities().index)
    for path in photos.pictures.map(\.path) + photos.unreadable.map(\.path) {
      let failure = output?.refusal(of: path) ?? OutputFile.refusal(ofStandardOutput: path)
      if let failure { throw failure }
    }
    let track = photos.track
    root.console.note(track.note)
    root.console.noteUnplaced(track.leftOut)
    guard !track.fixes.isEmpty else {
      throw Failure(
        message: "\(folder): no photo has a position and a time",
        hint: "Cameras without a receiver write none; phones do.", kind: .unusableInput)
    }
    let name = URL(fileURLWithPath: folder).lastPathComponent
    return GPXDocument(track.fixes, GPXDetails(name: name))
  }

  private func failure(_ error: TrackMakerError) -> Failure {
    switch error {
    case .samePlaces(let index):
      Failure(
        message: "\(places[index]) and \(places[index + 1]) are the same place",
        hint: "For a way around it: faketrack make <place> --distance 5km",
        kind: .wrongUsage)
    case .tooManyFixes(let count, let least):
      Failure(
        message: "this would be \(Quantity.grouped(count)) fixes, more than "
          + Quantity.grouped(TrackMaker.maximumCount),
        hint: "Take fewer with --interval \(Int(least.seconds))s, or a faster means with --by.",
        kind: .wrongUsage)
    case .tooFewPlaces, .unusableDistance:
      Failure(message: error.localizedDescription, kind: .wrongUsage)
    }
  }
}

extension TrackMaker.Means: ExpressibleByArgument {}
