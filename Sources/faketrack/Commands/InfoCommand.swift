import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Geodesy

struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Facts of a track: points, length, duration, ascent, bounds, cities passed.",
    discussion: """
      EXAMPLES
        faketrack info walk.gpx
        faketrack info *.gpx --format ndjson
      """)

  @Argument(help: "GPX files, plain or gzipped; - reads standard input.")
  var files: [String]

  @Option(help: "The output format.")
  var format = ListingFormat.text

  @Flag(name: .customLong("no-cities"), help: "Leave out the cities passed.")
  var noCities = false

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let console = root.console
    let index = noCities ? nil : try root.cities().index
    var firstFailure: Failure?
    for file in files {
      let reading = Self.read(
        file, cities: index.map { NearestCityCursor($0, within: 100_000) }, console)
      if let info = reading.info {
        let text =
          switch format {
          case .text: info.text(style: console.outputStyle)
          case .ndjson: info.json.serialized + "\n"
          }
        try await root.output.write(text)
      }
      if let failure = reading.failure {
        console.say(failure)
        firstFailure = firstFailure ?? failure
      }
    }
    if let firstFailure { throw ExitCode(firstFailure.kind.exitCode) }
  }

  /// Reads a file to its end or to where it breaks off.
  ///
  /// - Returns: the facts of what was read, if anything was, and why that is not all.
  private static func read(
    _ file: String, cities cursor: NearestCityCursor?, _ console: Console
  ) -> (info: TrackInfo?, failure: Failure?) {
    var overview = GPXOverview()
    var onTracks = CitiesPassed(cursor)
    var onRoutes = CitiesPassed(cursor)
    var isEmpty = true
    var failure: Failure?
    do {
      try GPXReader(GPXInput(argument: file), readsDetails: false).read { event in
        isEmpty = false
        if let issue = overview.receive(event) {
          console.warn(of: issue, in: file)
        }
        guard case .points(let points) = event else { return }
        switch points.kind {
        case .trackPoint: for fix in points.fixes { onTracks.add(fix.coordinate) }
        case .routePoint: for fix in points.fixes { onRoutes.add(fix.coordinate) }
        case .waypoint: break
        }
      }
      // A whole file has its facts, even that there is nothing in it.
      isEmpty = false
    } catch {
      failure = Failure(error)
    }
    console.warn(ofUnshown: overview.issues, in: file)
    let passed = overview.statistics.points > 0 ? onTracks : onRoutes
    let info = TrackInfo(file: file, overview: overview, cities: passed.names)
    return (isEmpty ? nil : info, failure)
  }
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

  mutating func add(_ coordinate: Coordinate) {
    guard let near = cursor?.nearest(to: coordinate), ids.insert(near.city.id).inserted else {
      return
    }
    names?.append(near.city.name)
  }
}
