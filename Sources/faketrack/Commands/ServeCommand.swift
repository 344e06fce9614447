import ArgumentParser
import FaketrackFeatures
import FaketrackWeb
import Foundation

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "The web page: the map, the photo stream, the cities.",
    discussion: """
      EXAMPLES
        faketrack serve walk.gpx

        Without any network, at whatever port is free:
          faketrack serve walk.gpx --photos sample --port 0

        With a street map under the walk:
          faketrack serve walk.gpx \\
            --tiles 'https://tile.openstreetmap.org/{z}/{x}/{y}.png' \\
            --tiles-attribution '© OpenStreetMap contributors'

        The position in the app under test follows the page:
          faketrack serve walk.gpx --feed chrome:127.0.0.1:9222/localhost

        Watch a receiver from Start to Stop; fixes during a pause are left out:
          faketrack serve gpsd://localhost

      Press Ctrl-C to stop.
      """)

  @Argument(
    help: """
      GPX files, plain or gzipped, folders, and live receivers as gpsd://host[:port]; more files can \
      be dropped on the page.
      """,
    completion: .file())
  var files: [String] = []

  @OptionGroup(title: "Page") var page: PageOptions
  @OptionGroup(title: "Walk") var walk: ScreenWalkOptions
  @OptionGroup(title: "Feeds") var feed: FeedOptions
  @OptionGroup(title: "Photos") var photos: PhotoOptions
  @OptionGroup(title: "Simulation") var simulation: SimulationOptions
  @OptionGroup(title: "Output") var output: ScreenOutputOptions

  mutating func validate() throws {
    try require(
      !files.contains("-"),
      "serve reads each track more than once, so it cannot read standard input.")
    try require(
      photos.download == nil, "serve does not download photos; use replay with --download.")
    try walk.validate(files, simulation)
  }

  /// The locations of a walk that the page can show, and that can be kept: 2,000 km at 100 m.
  private static let memory = 20_000

  @MainActor
  mutating func run() async throws {
    let root = try output.services.root()
    let source = try root.photoSource(photos, sampleBase: SamplePhotos.base, fallsBack: true)
    let own = try root.ownPhotos(photos)
    try await root.feeding(feed) { hub in
      let tracking = try await root.tracking(
        files, walk, photos, simulation, source: source, own: own,
        clocks: output.clocks.clocks, memory: Self.memory, feeding: hub)
      let server = WebServer(
        try root.dependencies(feed: page.lists, photos: source, own: own, tracking: tracking),
        own: own.map { OwnPhotoFiles($0, thumbnails: root.settings.thumbnails) },
        imageHosts: source?.imageHosts ?? [], tiles: page.tileTemplate, host: page.host,
        port: page.port)
      let (console, output) = (root.console, root.output)
      try await Interruption.run {
        try await server.run { address in
          console.note("the page is at \(address) until you press Ctrl-C")
          if server.isReachable {
            console.note(
              "warning: anyone on the network can steer the walk and fetch your photos there")
          }
          try? await output.write(address + "\n")
        }
      }
    }
  }
}

/// The address of the page, and its content besides the walk.
struct PageOptions: ParsableArguments {
  static let usualPort: UInt16 = 8080

  @Option(
    help: .init(
      """
      Address to listen on; only a loopback address blocks access from the network.
      """,
      valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: .init("Port to listen on; 0 picks a free one.", valueName: "n"))
  var port = usualPort

  @Option(
    help: .init(
      "The feed of the Lists screen: a file or an http(s) address.", valueName: "file|url"),
    completion: .file())
  var lists: String?

  @Option(
    help: .init("Address of raster map tiles, with {z}, {x} and {y} in it.", valueName: "template"))
  var tiles: String?

  @Option(help: .init("Attribution that the terms of the tiles require.", valueName: "text"))
  var tilesAttribution: String?

  mutating func validate() throws {
    try require(
      tiles == nil || tileTemplate != nil,
      "--tiles takes an http(s) address with {z}, {x} and {y} in it.")
  }

  var tileTemplate: TileTemplate? {
    tiles.flatMap { TileTemplate($0, attribution: tilesAttribution) }
  }
}
