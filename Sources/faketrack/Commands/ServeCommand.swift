import ArgumentParser
import FaketrackFeatures
import FaketrackStore
import FaketrackWeb
import Foundation

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Watch the walk in the browser.",
    discussion: """
      Examples
        faketrack serve walk.gpx
        faketrack serve walk.gpx --photos pictures/
        faketrack serve walk.gpx --photos sample --port 0
        faketrack serve walk.gpx --feed chrome:127.0.0.1:9222/localhost
        faketrack serve gpsd://localhost

      Press Ctrl-C to stop.
      """)

  @Argument(
    help: """
      GPX files, plain or gzipped, folders, and live receivers as gpsd://host[:port] and nmea://…; more files can \
      be dropped on the page.
      """,
    completion: .file())
  var files: [String] = []

  @OptionGroup(title: "Page") var page: PageOptions
  @OptionGroup(title: "Page") var control: ControlOptions
  @OptionGroup var screen: ScreenOptions

  /// Whether the walk starts without anybody pressing Start.
  var startsAtOnce = false

  mutating func validate() throws {
    try require(
      !files.contains("-"),
      "serve reads each track more than once, so it cannot read standard input.")
    try require(
      screen.photos.download == nil, "serve does not download photos; use replay with --download.")
    try screen.walk.validate(files, screen.device)
  }

  @MainActor
  mutating func run() async throws {
    let root = try screen.diagnostics.root(screen.output.units)
    let tiles = try await page.makeTiles()
    let source = try root.photoSource(
      screen.photos, sampleBase: SamplePhotos.base, fallsBack: true)
    let album = try root.ownPhotos(screen.photos, screen.own)
    try await root.feeding(screen.feed) { hub in
      let tracking = try await root.tracking(
        files, screen, source: source, own: album, feeding: hub,
        isSteered: control.address != nil)
      async let _ = hub?.follow(tracking.states())
      let server = WebServer(
        try root.dependencies(feed: page.lists, photos: source, own: album, tracking: tracking),
        own: album.map {
          OwnPhotoFiles($0, thumbnails: root.settings.thumbnails, heic: root.settings.heic)
        },
        imageHosts: source?.imageHosts ?? [], tiles: tiles, host: page.host, port: page.port)
      let (console, output, startsAtOnce) = (root.console, root.output, startsAtOnce)
      try await root.controlling(control, WalkControl(tracking, targets: hub)) {
        try await Interruption.run {
          try await server.run { address in
            console.note("the page is at \(address) until you press Ctrl-C")
            if server.isReachable {
              console.note(
                "warning: anyone on the network can steer the walk and fetch your photos there")
            }
            try? await output.write(address + "\n")
            if startsAtOnce { await tracking.send(.start(track: nil)) }
          }
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

  @Option(
    help: .init("Port to listen on; 0 picks a free one. (default: 8080)", valueName: "n"),
    transform: Expected.value("a port, 0 to 65535") { UInt16($0) })
  var port = usualPort

  @Option(
    help: .init(
      "The feed of the Lists screen: a file or an http(s) address.", valueName: "file|url"),
    completion: .file())
  var lists: String?

  @Option(
    help: .init(
      """
      Map tiles: a raster MBTiles file, which works offline, or an address with {z}, {x} and {y} in it.
      """, valueName: "file|template"), completion: .file())
  var tiles: String?

  @Option(help: .init("Attribution that the terms of the tiles require.", valueName: "text"))
  var tilesAttribution: String?

  mutating func validate() throws {
    guard let tiles, tiles.contains("{") || tiles.contains("://") else { return }
    try require(
      TileTemplate(tiles, attribution: nil) != nil,
      "--tiles takes an MBTiles file, or an http(s) address with {z}, {x} and {y} in it.")
  }

  /// The tiles of an address or a file; `nil` without the option.
  ///
  /// - Throws: `TileFileError` for a file that cannot be used.
  func makeTiles() async throws -> TileTemplate? {
    guard let tiles else { return nil }
    if let template = TileTemplate(tiles, attribution: tilesAttribution) { return template }
    return TileTemplate(try await TileFile.open(tiles), attribution: tilesAttribution)
  }
}

extension TileFile: TileReading {}
