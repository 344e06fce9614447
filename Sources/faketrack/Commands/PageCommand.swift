import ArgumentParser
import FaketrackFeatures

struct PageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Write the walk as one HTML file to send.",
    usage: "faketrack page [<options>] <track> -o walk.html",
    discussion: """
      Examples
        faketrack page walk.gpx -o walk.html
        faketrack page walk.gpx --photos pictures/ -o walk.html
        faketrack page walk.gpx --privacy 52.4009,13.0591,300m -o walk.html
        faketrack page walk.gpx --photos commons --download photos -o walk.html
        faketrack page walk.gpx --photos pictures/ -o album/
        faketrack page walk.gpx --photos pictures/ --captions texts.csv -o walk.html

      The page reads offline: a cover, chapters by day or town with rows of photos, \
      and a map that plays as one scrolls; printed, it is a booklet. Given a folder, \
      writes index.html with the photos beside it. HEIC photos are inside where \
      libheif-examples or libvips-tools is installed.
      """)

  @OptionGroup(title: OptionGroupTitle.input) var input: TrackOptions
  @OptionGroup(title: OptionGroupTitle.input) var points: PointOptions
  @OptionGroup(title: OptionGroupTitle.part) var part: PartOptions
  @OptionGroup(title: OptionGroupTitle.locations) var locations: LocationOptions
  @OptionGroup(title: OptionGroupTitle.photos) var photos: PhotoOptions
  @OptionGroup(title: OptionGroupTitle.ownPhotos) var own: OwnPhotoOptions
  @OptionGroup(title: OptionGroupTitle.cities) var cities: CityOptions
  @OptionGroup(title: OptionGroupTitle.output) var file: FileOptions
  @OptionGroup(title: OptionGroupTitle.output) var keepsake: KeepsakeOptions
  @OptionGroup(title: OptionGroupTitle.output) var clocks: ClockOptions
  @OptionGroup(title: OptionGroupTitle.output) var units: UnitOptions
  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions

  /// The replay that writes the page.
  private func replay() throws -> ReplayCommand {
    var replay = try ReplayCommand.parse(["-", "--format", OutputFormat.html.name])
    (replay.input, replay.points, replay.part) = (input, points, part)
    (replay.locations, replay.photos, replay.own) = (locations, photos, own)
    (replay.cities, replay.diagnostics) = (cities, diagnostics)
    (replay.output.target, replay.output.keepsake) = (file, keepsake)
    (replay.output.clocks, replay.output.units) = (clocks, units)
    try replay.validate()
    return replay
  }

  mutating func validate() throws {
    try points.requireOneTrack()
    try require(file.path != nil, "name the page: -o walk.html")
    try require(
      ["", "html", "htm"].contains(file.fileExtension.lowercased()),
      "a page is an HTML file or a folder: -o walk.html")
    _ = try replay()
  }

  @MainActor
  mutating func run() async throws {
    var replay = try replay()
    try await replay.run()
  }
}
