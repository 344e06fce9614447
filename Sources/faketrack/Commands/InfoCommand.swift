import ArgumentParser
import Cities
import FaketrackFeatures
import GPX

struct InfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Facts of a track: points, length, duration, ascent, bounds, cities passed.",
    discussion: """
      EXAMPLES
        faketrack info walk.gpx
        faketrack info tracks --format ndjson
      """)

  @OptionGroup(title: "Tracks") var input: TrackOptions

  @Option(help: "The output format.")
  var format = ListingFormat.text

  @Flag(name: .customLong("no-cities"), help: "Leave out the cities passed.")
  var noCities = false

  @OptionGroup var clocks: ClockOptions

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let cities = noCities ? nil : NearestCityCursor(try root.cities().index, within: 100_000)
    let tracks = try input.makeTracks()
    let facts = TrackFacts(
      format: format, cities: cities, namesTracks: tracks.single == nil,
      style: clocks.style(of: root.console), console: root.console)
    try await root.perform(root.batch(tracks, jobs: input.jobs), work: facts.write)
  }
}
