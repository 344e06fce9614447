import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal
import Foundation

struct AppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "app",
    abstract: "The app in the terminal: the page's screens, by keys.",
    discussion: """
      EXAMPLES
        faketrack app walk.gpx

        Straight to a search:
          faketrack app --at '/cities?q=pots'

        Watch a receiver from start to stop; fixes during a pause are left out:
          faketrack app gpsd://localhost

      ? shows the keys of each screen; q leaves.
      """)

  @Argument(
    help: """
      GPX files, plain or gzipped, folders, and live receivers as gpsd://host[:port]; more files can \
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

  @OptionGroup(title: "Walk") var walk: ScreenWalkOptions
  @OptionGroup(title: "Feeds") var feed: FeedOptions
  @OptionGroup(title: "Photos") var photos: PhotoOptions
  @OptionGroup(title: "Simulation") var simulation: SimulationOptions
  @OptionGroup(title: "Output") var output: ScreenOutputOptions

  private var route: Route? { at.flatMap(Route.init(address:)) }

  mutating func validate() throws {
    try require(
      !files.contains("-"),
      "The app reads keys from standard input, so it cannot read a track there.")
    try require(
      photos.download == nil, "The app does not download photos; use replay with --download.")
    try walk.validate(files, simulation)
    try require(
      at == nil || route != nil,
      "--at takes an address of the page: /, /tracking, /cities?q=pots, /cities/2852458, /lists or "
        + "/about.")
  }

  @MainActor
  mutating func run() async throws {
    guard FullScreen.isPossible(in: ProcessInfo.processInfo.environment) else {
      throw FullScreen.missing
    }
    let root = try output.services.root()
    let source = try root.photoSource(photos, fallsBack: true)
    let own = try root.ownPhotos(photos)
    try await root.feeding(feed) { hub in
      let tracking = try await root.tracking(
        files, walk, photos, simulation, source: source, own: own,
        clocks: output.clocks.clocks, feeding: hub)
      let dependencies = try root.dependencies(
        feed: lists, photos: source, own: own, tracking: tracking)
      let start = route ?? (files.isEmpty ? .home : .tracking)
      let run = AppRun(
        tracking: tracking, console: root.console, output: root.output,
        environment: root.settings.environment)
      let pointSource = walk.source
      let showsPictures =
        !hidesImages && root.console.outputStyle.hasColor
        && (own != nil || source?.provider?.isMadeUp == false)
      let pictures =
        showsPictures
        ? ChafaPictures(environment: root.settings.environment, client: root.imageClient) : nil
      try await Interruption.run {
        try await run.run(at: start, dependencies, source: pointSource, pictures: pictures)
        await tracking.send(.stop)
        if let summary = ReplayText.summary(ofVisible: tracking.state) {
          root.console.note(summary)
        }
      }
    }
  }
}
