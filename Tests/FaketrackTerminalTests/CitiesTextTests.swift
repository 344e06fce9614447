import FaketrackSupport
import FaketrackTerminal
import Foundation
import Geodesy
import Testing

@testable import Cities
@testable import FaketrackFeatures

/// Made-up cities.
enum Rows {
  static func potsdam(isFavorite: Bool = false, distance: Double? = nil) throws -> CityRow {
    CityRow(
      city: City(
        id: 2_852_458, name: "Potsdam", country: "DE", region: "Brandenburg",
        coordinate: try Coordinate(latitude: 52.39886, longitude: 13.06566), population: 178_089,
        timezone: "Europe/Berlin"),
      isFavorite: isFavorite, distance: distance)
  }

  /// A city of which nothing is known but its place.
  static func bare(named name: String = "Nowhere") throws -> CityRow {
    CityRow(
      city: City(
        id: 7, name: name, coordinate: try Coordinate(latitude: -33.5, longitude: -0.000_001)),
      isFavorite: false)
  }
}

@Suite struct CityListTextTests {
  private let style = TerminalStyle()

  @Test(arguments: [36, 44, 60, 80, 100])
  func aRowFitsTheTerminal(width: Int) throws {
    let style = TerminalStyle(width: width)
    let rows = [
      try Rows.potsdam(isFavorite: true),
      try Rows.bare(named: String(repeating: "long ", count: 20)),
    ]
    let lines = style.text(rows).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
    #expect(lines[0].contains("52.39886") == (width > 60))
  }

  @Test func aCityIsALine() throws {
    #expect(
      style.line(try Rows.potsdam())
        == " 2852458  Potsdam, Brandenburg, DE     178,089  52.39886, 13.06566\n")
    #expect(
      style.line(try Rows.potsdam(isFavorite: true, distance: 4_321))
        == " 2852458  Potsdam, Brandenburg, DE     178,089  52.39886, 13.06566  4.3 km  ★\n")
    #expect(style.line(try Rows.bare()) == "       7  Nowhere              -33.50000, 0.00000\n")
  }

  @Test func columnsAlign() throws {
    let text = style.text([
      try Rows.potsdam(), try Rows.bare(), try Rows.bare(named: "東京"),
      try Rows.bare(named: String(repeating: "x", count: 60)),
    ])
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    let starts = lines.map { line in
      (line.range(of: "52.39886") ?? line.range(of: "-33.50000"))
        .map { String(line[..<$0.lowerBound]).columns }
    }
    #expect(starts == [72, 72, 72, 72])
    #expect(lines[3].contains(String(repeating: "x", count: 47) + "…  "))
  }

  @Test func noCitiesAreNoLines() {
    #expect(style.text([]).isEmpty)
  }

  @Test func namesCannotSteerTheTerminal() throws {
    var row = try Rows.bare(named: "No\u{1B}[2Jwhere")
    row.city.region = "\u{202E}Region\n"
    #expect(row.shortName.safeForTerminal == "No [2Jwhere, Region ")
    #expect(style.line(row).contains("No [2Jwhere, Region "))
  }

  @Test func colorsAreOnlyForTerminals() throws {
    let row = try Rows.potsdam(isFavorite: true)
    let colored = TerminalStyle(hasColor: true).line(row)
    #expect(colored.hasSuffix("\u{1B}[33m★\u{1B}[0m\n"))
    #expect(colored.replacing(#/\u{1B}\[\d+m/#, with: "") == style.line(row))
  }
}

@Suite struct CityDetailsTextTests {
  private static func state(
    summary: Loading<CitySummary?> = .idle, isFavorite: Bool = false
  ) throws -> CityViewModel.State {
    var state = CityViewModel.State(id: 2_852_458)
    state.details = .loaded(
      CityViewModel.Details(
        city: try Rows.potsdam().city, isFavorite: isFavorite,
        neighbors: [try Rows.potsdam(isFavorite: true, distance: 900)]))
    state.summary = summary
    return state
  }

  private static let facts = """
    Region       Brandenburg, Germany
    Population   178,089
    Position     52.39886, 13.06566
    Time zone    Europe/Berlin
    GeoNames id  2852458

    """

  private static let nearby = """

    Nearby
     2852458  Potsdam, Brandenburg, DE     178,089  52.39886, 13.06566  900 m  ★

    """

  @Test func tellsTheFactsAndTheNeighbors() throws {
    let text = TerminalStyle().text(try Self.state(summary: .loaded(nil)).document)
    #expect(
      text == "Potsdam, Brandenburg, DE\n" + Self.facts + """

        About
          Wikipedia has no article that is certain to be about this city.

        """ + Self.nearby)
  }

  @Test func aFavoriteHasAStar() throws {
    let text = TerminalStyle().text(try Self.state(isFavorite: true).document)
    #expect(text.hasPrefix("Potsdam, Brandenburg, DE ★\n"))
  }

  @Test func theSummaryStandsBetween() throws {
    let article = CitySummary(
      title: "Potsdam", description: "capital of\u{1B}[2J Brandenburg",
      extract: "Potsdam is the capital of the state of Brandenburg.",
      url: URL(string: "https://en.wikipedia.example/wiki/Potsdam"))
    let text = TerminalStyle(width: 30)
      .text(try Self.state(summary: .loaded(article)).document)
    #expect(
      text == "Potsdam, Brandenburg, DE\n" + Self.facts + """

        About
          capital of [2J Brandenburg
          Potsdam is the capital of
          the state of Brandenburg.
          Potsdam on Wikipedia
          (https://en.wikipedia.example/wiki/Potsdam),
          CC BY-SA

        """
        + Self.nearby.replacing(
          "Potsdam, Brandenburg, DE     178,089  52.39886, 13.06566",
          with: "Potsdam…     178,089"))
  }

  @Test func aSummaryMayBeWithoutADescriptionOrAnAddress() throws {
    let text = TerminalStyle()
      .text(try Self.state(summary: .loaded(CitySummary(title: "P", extract: "A city."))).document)
    #expect(
      text == "Potsdam, Brandenburg, DE\n" + Self.facts
        + "\nAbout\n  A city.\n  P on Wikipedia, CC BY-SA\n" + Self.nearby)
  }

  @Test func whatFailedIsSaidWithItsRemedy() throws {
    let failed = try Self.state(summary: .failed(Failure(message: "down", hint: "Wait.")))
    #expect(
      TerminalStyle().text(failed.document)
        .contains("\nAbout\n  The summary cannot be loaded\n  down\n  Wait.\n"))
    #expect(CityViewModel.State(id: 7).json.serialized == "null")
  }

  @Test func isTheObjectOfTheContract() throws {
    #expect(
      try Rows.potsdam().json.serialized == """
        {"id":2852458,"name":"Potsdam","country":"DE","region":"Brandenburg",\
        "latitude":52.39886,"longitude":13.06566,"population":178089,\
        "timezone":"Europe/Berlin","favorite":false}
        """)
    #expect(
      try Rows.bare().json.serialized == """
        {"id":7,"name":"Nowhere","country":null,"region":null,"latitude":-33.5,\
        "longitude":-1e-06,"population":null,"timezone":null,"favorite":false}
        """)
    #expect(
      try Rows.potsdam(isFavorite: true, distance: 12.345_678).json.serialized
        .hasSuffix(#""favorite":true,"distance":12.346}"#))
  }

  @Test func showTellsNeighborsSummaryAndError() throws {
    let potsdam = String(try Rows.potsdam().json.serialized.dropLast())
    let neighbor = try Rows.potsdam(isFavorite: true, distance: 900).json.serialized
    let article = CitySummary(title: "Potsdam", extract: "A \"city\".")
    #expect(
      try Self.state(summary: .loaded(article)).json.serialized
        == potsdam + ",\"neighbors\":[\(neighbor)],"
        + #""summary":{"title":"Potsdam","description":null,"extract":"A \"city\".","url":null},"#
        + #""error":null}"#)
    #expect(
      try Self.state(summary: .failed(Failure(message: "Wikipedia cannot be reached: down")))
        .json.serialized
        .hasSuffix(#""summary":null,"error":"Wikipedia cannot be reached: down"}"#))
    #expect(
      try Self.state(summary: .loaded(nil)).json.serialized
        .hasSuffix(#""summary":null,"error":null}"#))
  }
}

@Suite struct CityImportReportTests {
  private static func report(
    rows: Int, cities: Int, otherFeatures: Int = 0,
    issues: [(issue: CityIssue, rows: [Int])] = []
  ) -> CityImportReport {
    var report = CityImportReport()
    report.rows = rows
    report.cities = cities
    report.otherFeatures = otherFeatures
    for (issue, rows) in issues {
      for row in rows { report.add(issue, at: row) }
    }
    return report
  }

  @Test func cleanDataIsOneLine() {
    #expect(
      Self.report(rows: 1, cities: 1).lines == ["imported 1 city of 1 row"])
    #expect(
      Self.report(rows: 234_908, cities: 234_908).lines
        == ["imported 234,908 cities of 234,908 rows"])
  }

  @Test func placesThatAreNotCitiesAreSkipped() {
    #expect(
      Self.report(rows: 13, cities: 1, otherFeatures: 12).lines
        == ["imported 1 city of 13 rows", "skipped 12 places that are not cities"])
    #expect(
      Self.report(rows: 2, cities: 1, otherFeatures: 1).lines.last
        == "skipped 1 place that is not a city")
  }

  @Test(
    arguments: [
      (.malformed, "skipped 3 rows that could not be read: 1, 2, 3"),
      (.noIdentifier, "skipped 3 rows without an id: 1, 2, 3"),
      (.noName, "skipped 3 rows without a name: 1, 2, 3"),
      (.noPosition, "skipped 3 rows without a position: 1, 2, 3"),
      (.offTheGlobe, "skipped 3 rows with a position that is not on Earth: 1, 2, 3"),
      (.repeatedIdentifier, "skipped 3 rows with the id of an earlier row: 1, 2, 3"),
    ] as [(CityIssue, String)])
  func reportsSkippedRows(issue: CityIssue, line: String) {
    let report = Self.report(rows: 4, cities: 1, issues: [(issue, [1, 2, 3])])
    #expect(report.lines == ["imported 1 city of 4 rows", line])
  }

  @Test func ofManyBadRowsTheFirstAreNamed() {
    let report = Self.report(
      rows: 1_300, cities: 99,
      issues: [(.noName, [5]), (.malformed, Array(100...1_299))])
    #expect(
      report.lines == [
        "imported 99 cities of 1,300 rows",
        "skipped 1,200 rows that could not be read: "
          + "100, 101, 102, 103, 104, 105, 106, 107, 108, 109, …",
        "skipped 1 row without a name: 5",
      ])
  }
}
