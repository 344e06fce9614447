import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import FaketrackTestSupport
import Testing

// A format that a reader of CONTRIBUTING might add: its own file holds this and nothing else.

extension OutputFormat {
  /// The number and the city of each location.
  static let mine = OutputFormat("mine", showsPhotos: false, distanceFilter: 250) { _ in
    MineRenderer(style: TerminalStyle())
  }
}

private struct MineRenderer: VisitRenderer {
  let style: TerminalStyle
  private var count = 0

  init(style: TerminalStyle) {
    self.style = style
  }

  func appendOpening(to text: inout TextBuffer) {
    text.append("begin\n")
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    count += 1
    text.append(visit.index)
    text.append(contentsOf: " \(style.bold(visit.city?.city.name ?? "nowhere"))\n")
  }

  func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer) {
    text.append(contentsOf: "end of \(count)\n")
  }
}

@Suite struct OutputFormatTests {
  @Test func theFormatsAreThoseOfTheHelp() {
    #expect(
      OutputFormat.all().map(\.name) == [
        "text", "list", "ndjson", "csv", "geojson", "gpx", "nmea", "xcode", "simctl", "adb",
        "md", "html",
      ])
  }

  @Test func aFormatIsOneFileAndOneLine() throws {
    let formats = OutputFormat.all() + [.mine]
    let format = try #require(formats.first { $0.name == "mine" })
    #expect(!format.showsPhotos)
    #expect(format.distanceFilter == 250)
    #expect(format.interval == nil)
    #expect(
      Output.text(format, [try Visits.full(0), try Visits.bare(1)])
        == "begin\n0 Potsdam\n1 nowhere\nend of 2\n")
  }

  @Test func aRendererBelongsToOneRun() throws {
    let visits = [try Visits.full(0), try Visits.full(1)]
    for format in OutputFormat.all() + [.mine] {
      #expect(Output.text(format, visits) == Output.text(format, visits), "\(format.name)")
    }
  }

  @Test func formatsWithPhotosHaveOneEvery100Meters() {
    for format in OutputFormat.all() where format.showsPhotos {
      #expect(format.distanceFilter == 100, "\(format.name)")
      #expect(format.interval == nil, "\(format.name)")
    }
  }

  @Test func namesAreUnlikeEachOther() {
    #expect(Set(OutputFormat.all().map(\.name)).count == OutputFormat.all().count)
  }

  @Test(arguments: OutputFormat.all().map(\.name))
  func everyTextEndsItsOwnLine(name: String) throws {
    let format = try #require(OutputFormat.all().first { $0.name == name })
    for visit in [try Visits.full(1), try Visits.bare(2), try Visits.hostile()] {
      let text = Output.text(format, [visit])
      #expect(text.isEmpty || text.utf8.last == 0x0A)
    }
  }

  @Test(arguments: OutputFormat.all().map(\.name))
  func nothingSteersATerminal(name: String) throws {
    let format = try #require(OutputFormat.all().first { $0.name == name })
    let text = Output.text(format, [try Visits.hostile()])
    let harmful = text.unicodeScalars.filter {
      [.control, .format].contains($0.properties.generalCategory) && $0 != "\n" && $0 != "\r"
    }
    #expect(harmful.isEmpty)
  }
}
