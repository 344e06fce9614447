import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal
import FaketrackWeb
import Foundation

struct AppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app",
    abstract: "Watch the walk in the terminal.",
    discussion: """
      Examples
        faketrack app walk.gpx
        faketrack app walk.gpx --photos pictures/
        faketrack app --at '/cities?q=pots'
        faketrack app gpsd://localhost

      ? shows the keys of each screen; q quits.
      """)

  @Argument(
    help: """
      GPX files, plain or gzipped, folders, and live receivers as gpsd://host[:port] and nmea://…; more files can \
      be opened in the app.
      """,
    completion: .file())
  var files: [String] = []

  @Option(
    help: .init(
      "The screen to begin with, by its address on the page; without one, Home or the walk.",
      valueName: "address"))
  var at: String?

  @Option(
    help: .init(
      "The feed of the Lists screen: a file or an http(s) address.", valueName: "file|url"),
    completion: .file())
  var lists: String?

  @Flag(
    name: .customLong("no-images"),
    help: "Show no photos in the terminal. They are drawn by chafa, if it is installed.")
  var hidesImages = false

  @Option(
    help: .init(
      "The characters of maps; without it, those that TERM and the locale have.",
      valueName: "glyphs"))
  var map: MapGlyphs?

  @OptionGroup var screen: ScreenOptions

  /// Whether the sample walk is among the tracks.
  var hasSample = false

  /// Whether the walk starts without anybody pressing a key.
  var startsAtOnce = false

  private var route: Route? { at.flatMap(Route.init(address:)) }

  mutating func validate() throws {
    try require(
      !files.contains("-"),
      "The app reads keys from standard input, so it cannot read a track there.")
    try require(
      screen.photos.download == nil, "The app does not download photos; use replay with --download."
    )
    try screen.walk.validate(files, screen.device)
    try require(
      at == nil || route != nil,
      "--at takes an address of the page: /, /tracking, /cities?q=pots, /cities/2852458, /lists or "
        + "/about.")
  }

  @MainActor
  mutating func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    guard FullScreen.isPossible(in: environment) else { throw FullScreen.missing(in: environment) }
    let root = try screen.diagnostics.root(screen.output.units)
    let source = try root.photoSource(screen.photos, fallsBack: true)
    let album = try root.ownPhotos(screen.photos, screen.own)
    try await root.feeding(screen.feed) { hub in
      let tracking = try await root.tracking(
        files, screen, source: source, own: album, others: hasSample ? [SampleWalk.track] : [],
        additions: .max, feeding: hub, isSteered: true)
      async let _ = hub?.follow(tracking.states())
      let dependencies = try root.dependencies(
        feed: lists, photos: source, own: album, tracks: root.trackOpener(screen.walk),
        tracking: tracking)
      let start = route ?? (files.isEmpty ? .home : .tracking)
      let run = AppRun(
        tracking: tracking, console: root.console, output: root.output,
        environment: root.settings.environment, glyphs: map)
      let startsAtOnce = startsAtOnce
      let showsPictures =
        !hidesImages && root.console.outputStyle.hasColor
        && (album != nil || source?.provider?.isMadeUp == false)
      let pictures =
        showsPictures
        ? ChafaPictures(environment: root.settings.environment, client: root.imageClient) : nil
      let feeds = hub != nil
      let saver = WalkSaver { [heic = root.settings.heic] state in
        guard let keepsake = Keepsake(state, heic: heic) else {
          throw Failure(message: "the track of the walk is still read", hint: "Try again.")
        }
        return try keepsake.page(limit: Keepsake.limit)
      }
      try await Interruption.run {
        if startsAtOnce { await tracking.send(.start(track: nil)) }
        try await run.run(
          at: start, dependencies, pictures: pictures, saver: saver, feeds: feeds)
        await tracking.send(.stop)
        if let summary = ReplayText.summary(ofVisible: tracking.state) {
          root.console.note(summary)
        }
      }
    }
  }
}
