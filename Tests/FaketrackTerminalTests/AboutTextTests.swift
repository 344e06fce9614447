import Cities
import FaketrackFeatures
import FaketrackTerminal
import FaketrackTestSupport
import Foundation
import Testing
import WorldCities

@MainActor
@Suite struct AboutTextTests {
  private struct NoArticles: CitySummarizing {
    func summary(of city: City) async throws -> CitySummary? { nil }
  }

  private func about() throws -> Document {
    let tracking = TrackingViewModel(
      catalog: TrackCatalog([]), speed: .max, permission: .notDetermined
    ) { _ in throw Failure(message: "no walk") }
    let dependencies = Dependencies(
      index: .world, favorites: StubFavorites(), summaries: NoArticles(), tracking: tracking)
    guard case .about(let about) = Screen(.about, dependencies) else {
      throw Failure(message: "not the screen")
    }
    return about
  }

  @Test func tellsEverythingThatThePageTells() throws {
    let about = try about()
    let text = TerminalStyle().text(about)
    let words = text.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.hasPrefix(try #require(about.lead)))
    for section in about.sections {
      #expect(text.contains("\n\n\(try #require(section.title))\n  "))
      for case .paragraph(let pieces, _) in section.blocks {
        for piece in pieces {
          #expect(words.contains(piece.text.trimmingCharacters(in: .whitespaces)))
          if let link = piece.link { #expect(words.contains("(\(link.absoluteString))")) }
        }
      }
    }
    #expect(
      text.contains(
        """
        Cities
          234,908 cities, built in, as of \(CityAttribution.date).
          Built-in city data from GeoNames (https://www.geonames.org), licensed under CC BY 4.0
          (https://creativecommons.org/licenses/by/4.0/).

        Map

        """))
  }

  @Test(arguments: [40, 80, 200])
  func linesEndWhereTheTerminalDoes(width: Int) throws {
    let text = TerminalStyle(width: width).text(try about())
    // An address is never broken.
    let lines = text.split(separator: "\n").filter { !$0.contains("https://") }
    #expect(lines.allSatisfy { String($0).columns <= min(width, 100) })
    #expect(text.hasSuffix(".\n"))
  }

  @Test func onATerminalTheTitlesStandOut() throws {
    let text = TerminalStyle(hasColor: true).text(try about())
    #expect(text.contains("\n\u{1B}[1mReport a problem\u{1B}[0m\n"))
  }
}
