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

  @OptionGroup(title: "Tracks") var archive: ArchiveOptions

  @Option(help: "The output format.")
  var format = ListingFormat.text

  @Flag(name: .customLong("no-cities"), help: "Leave out the cities passed.")
  var noCities = false

  @OptionGroup var clocks: ClockOptions

  @MainActor
  mutating func run() async throws {
    let root = try CompositionRoot()
    let cities = noCities ? nil : NearestCityCursor(try root.cities().index, within: 100_000)
    let isMany = archive.isMany
    let facts = TrackFacts(
      format: format, cities: cities, namesTracks: isMany,
      style: clocks.style(of: root.console), console: root.console)
    if isMany {
      try await ArchiveRun(try ArchiveSource(archive), jobs: archive.jobs, root).run(
        work: { track, lane in
          // Only a canceled task leaves its track without an end.
          try? await lane.put(try await facts.chunk(of: track))
        })
    } else {
      let track = archive.tracks[0]
      let (info, failure) = facts.read(track, .init(argument: track))
      try await root.output.write(facts.text(of: info, track, failure))
      if let failure { throw failure }
    }
  }
}
