import Cities
import FaketrackServices
import FaketrackTestSupport
import Foundation
import Locations
import Testing
import WorldCities

@testable import FaketrackFeatures

@MainActor
@Suite struct AboutTests {
  private func about(isImported: Bool = false, on date: Date? = nil) throws -> Document {
    About.document(
      Dependencies(
        index: try TestIndex.make(), hasImportedIndex: isImported, importDate: date,
        favorites: StubFavorites(), summaries: NoSummaries(),
        tracking: TrackingViewModel(
          catalog: TrackCatalog([]), speed: .max, permission: .notDetermined
        ) { _ in throw Failure(message: "no walk") }))
  }

  private struct NoSummaries: CitySummarizing {
    func summary(of city: City) async throws -> CitySummary? { nil }
  }

  private func text(_ paragraph: [Document.Piece]) -> String { paragraph.map(\.text).joined() }

  @Test func tellsTheVersion() throws {
    #expect(
      try #require(about().lead).hasPrefix("faketrack \(Product.version) replays a GPX track"))
  }

  @Test(
    arguments: [
      (false, nil, "built in, as of \(CityAttribution.date)."),
      (true, nil, "imported."),
      (true, Date(timeIntervalSince1970: 1_777_622_400), "imported on 2026-05-01."),
    ] as [(Bool, Date?, String)])
  func tellsWhichCitiesAreInUse(isImported: Bool, date: Date?, origin: String) throws {
    let cities = try #require(try about(isImported: isImported, on: date).sections.first)
    #expect(cities.title == "Cities")
    #expect(
      cities.paragraphs.map(text) == [
        "70 cities, \(origin)", "Built-in city data from GeoNames, licensed under CC BY 4.0.",
      ])
  }

  @Test func theDateOfTheBuiltInCitiesIsADay() throws {
    #expect(CityAttribution.date.wholeMatch(of: /20\d\d-[01]\d-[0-3]\d/) != nil)
  }

  @Test func everyPartHasAParagraphAndEveryLinkIsOnTheWeb() throws {
    let sections = try about().sections
    #expect(
      sections.map(\.title)
        == ["Cities", "Map", "Photos", "Summaries", "Software", "Report a problem"])
    for section in sections {
      #expect(!section.paragraphs.isEmpty)
      for paragraph in section.paragraphs { #expect(text(paragraph).hasSuffix(".")) }
    }
    let links = sections.flatMap(\.paragraphs).flatMap(\.self).compactMap(\.link)
    #expect(links.allSatisfy { $0.scheme == "https" && $0.host() != nil })
    let addresses = links.map(\.absoluteString)
    for address in [
      "https://github.com/faketrack/faketrack/issues",
      "https://github.com/faketrack/faketrack/security/policy",
      "https://www.apache.org/licenses/LICENSE-2.0", CityAttribution.source,
    ] {
      #expect(addresses.contains(address))
    }
  }

  /// Package.swift lists the packages to credit.
  @Test func creditsThePackagesThatItIsMadeOf() throws {
    let package = try String(
      contentsOf: Repository.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let names = package.matches(of: /url: "https:\/\/github\.com\/[^"]*\/([^"\/]*)\.git"/)
      .map { String($0.1) }
    #expect(names.count == 5)
    let software = try #require(try about().sections.first { $0.title == "Software" })
    let credits = software.paragraphs.map(text).joined()
    for name in names {
      let word = name.replacing("swift-", with: "").replacing("-", with: "")
      #expect(credits.lowercased().contains(word.lowercased()), "\(name)")
    }
  }
}

extension Document.Section {
  var paragraphs: [[Document.Piece]] {
    blocks.compactMap { if case .paragraph(let pieces, _) = $0 { pieces } else { nil } }
  }
}
