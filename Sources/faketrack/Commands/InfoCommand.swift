import ArgumentParser
import Cities
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
    for file in files {
      let info = try Self.read(
        file, cities: index.map { NearestCityCursor($0, within: 100_000) }, console)
      let text =
        switch format {
        case .text: info.text(style: console.outputStyle)
        case .ndjson: info.json.serialized + "\n"
        }
      try await root.output.write(text)
    }
  }

  private static func read(
    _ file: String, cities cursor: NearestCityCursor?, _ console: Console
  ) throws -> TrackInfo {
    var overview = GPXOverview()
    var passed = CitiesPassed(cursor)
    try GPXReader(GPXInput(argument: file), readsDetails: false).read { event in
      if let issue = overview.receive(event) {
        console.warn(of: issue, in: file)
      }
      if case .points(let points) = event, points.kind == .trackPoint {
        for fix in points.fixes { passed.add(fix.coordinate) }
      }
    }
    console.warn(ofUnshown: overview.issues, in: file)
    return TrackInfo(file: file, overview: overview, cities: passed.names)
  }
}

/// The cities along a track, each once, in order.
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
