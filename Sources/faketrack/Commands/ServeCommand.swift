import ArgumentParser
import FaketrackFeatures
import FaketrackWeb
import Foundation
import GPX

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
          faketrack serve walk.gpx --tiles 'https://tile.openstreetmap.org/{z}/{x}/{y}.png' \\
            --tiles-attribution '© OpenStreetMap contributors'

      Ends with Ctrl-C.
      """)

  @Argument(help: "GPX files, plain or gzipped; more can be dropped on the page.")
  var files: [String] = []

  @OptionGroup(title: "Page") var page: PageOptions
  @OptionGroup(title: "Walk") var walk: PageWalkOptions
  @OptionGroup(title: "Photos") var photos: PhotoOptions
  @OptionGroup(title: "Simulation") var simulation: SimulationOptions

  mutating func validate() throws {
    if files.contains("-") {
      throw ValidationError("serve reads a track more than once, and so not standard input.")
    }
    if photos.download != nil {
      throw ValidationError("serve shows photos; to keep them, use replay with --download.")
    }
  }

  @MainActor
  mutating func run() async throws {
    let serving = try Serving(self)
    try await Interruption().run { try await serving.run() }
  }
}

/// Where the page is, and what is on it besides the walk.
struct PageOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address to listen on. Others on the network see the page at any but this machine's own.",
      valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The port to listen on; 0 takes any that is free.", valueName: "n"))
  var port: UInt16 = 8080

  @Option(
    help: ArgumentHelp(
      "The feed of the Lists screen: a file or an http(s) address.", valueName: "file|url"))
  var lists: String?

  @Option(
    help: ArgumentHelp(
      "Raster tiles under the map: an address with {z}, {x} and {y} in it.", valueName: "template"))
  var tiles: String?

  @Option(
    help: ArgumentHelp("Whom the tiles are owed to, as their terms ask.", valueName: "text"))
  var tilesAttribution: String?

  mutating func validate() throws {
    if let tiles, TileTemplate(tiles, attribution: nil) == nil {
      throw ValidationError("--tiles takes an http(s) address with {z}, {x} and {y} in it.")
    }
  }

  var tileTemplate: TileTemplate? {
    tiles.flatMap { TileTemplate($0, attribution: tilesAttribution) }
  }
}

/// What is walked on the page, and how fast to begin with.
struct PageWalkOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Metres between new locations.", valueName: "m"))
  var distanceFilter = 100.0

  @Option(
    help: ArgumentHelp(
      "Multiple of the recorded pace to begin with, 0.1 to 1000, or max.", valueName: "x|max"))
  var speed = SpeedArgument(.multiple(50))

  @Option(help: ArgumentHelp("Pace of a track without usable times.", valueName: "m/s"))
  var walkingSpeed = 1.3

  @Option(help: "What of a file is walked; auto is tracks, else routes, else waypoints.")
  var source = GPXSource.auto

  mutating func validate() throws {
    guard distanceFilter >= 1, distanceFilter.isFinite else {
      throw ValidationError("--distance-filter takes metres, 1 or more.")
    }
    guard walkingSpeed > 0, walkingSpeed.isFinite else {
      throw ValidationError("--walking-speed takes metres per second, more than 0.")
    }
  }
}
