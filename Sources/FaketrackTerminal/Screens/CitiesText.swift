import Cities
import FaketrackFeatures
import FaketrackSupport

/// A table of cities: id, name with region and country, population and position.
package struct CityTable: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(_ rows: [CityRow]) -> String {
    let names = rows.map(\.shortName.safeForTerminal)
    let width = min(names.map(\.columns).max() ?? 0, 48)
    return zip(rows, names).map { row, name in line(row, name: name, width: width) }.joined()
  }

  /// A single row, without padding the name.
  package func line(_ row: CityRow) -> String {
    line(row, name: row.shortName.safeForTerminal, width: 0)
  }

  private func line(_ row: CityRow, name: String, width: Int) -> String {
    let city = row.city
    let population = city.shownPopulation ?? ""
    var columns = [
      style.dim("\(city.id)".padded(toColumns: 8, onLeft: true)),
      name.truncated(toColumns: max(width, 48)).padded(toColumns: width),
      population.padded(toColumns: 10, onLeft: true),
      style.dim(Quantity.position(city.coordinate, places: 5)),
    ]
    if let distance = row.distance { columns.append(Quantity.distance(distance)) }
    if row.isFavorite { columns.append(style.colored("★", .yellow)) }
    return columns.joined(separator: "  ") + "\n"
  }
}

/// A city as text, with its summary and its neighbors.
package struct CityDetailsText: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(for state: CityViewModel.State) -> String {
    guard let details = state.details.value else { return "" }
    let city = details.city
    var block = TextBlock(columns: min(style.width ?? 100, 100))
    block.add([
      (city.shortName.safeForTerminal, .heading),
      (details.isFavorite ? "  ★" : "", CellStyle(.highlight)),
    ])
    let facts = [
      ("id", String(city.id)),
      ("position", Quantity.position(city.coordinate, places: 5)),
      ("population", city.shownPopulation),
      ("time zone", city.timezone?.safeForTerminal),
    ]
    for (name, fact) in facts {
      if let fact { block.add(fact: "  " + name, fact, width: 13) }
    }
    block.addSpace()
    if let summary = state.summary.value {
      if let summary { block.add(summary) } else { block.add(CitySummary.missing, .muted) }
      if let url = summary?.url {
        block.add([("\(url.absoluteString.safeForTerminal) (CC BY-SA)", .muted)])
      }
      block.addSpace()
    }
    block.add("Nearby", .heading)
    return block.text(in: style) + CityTable(style: style).text(details.neighbors)
  }
}

extension TextBlock {
  /// Adds the description and the text of an article.
  mutating func add(_ article: CitySummary) {
    if let description = article.description { add(description.safeForTerminal, .muted) }
    add(article.extract.safeForTerminal)
  }
}

extension CitySummary {
  /// The text instead of a summary.
  static let missing = "No Wikipedia article found."
}

extension CityRow {
  /// The city object; with `distance` in a list with a position.
  package var json: JSONValue { .object(members) }

  /// The city object with the other name that matched a search.
  package var searchJSON: JSONValue { .object(members + [("matched", .text(matched))]) }

  fileprivate var members: [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .integer(city.id)),
      ("name", .string(city.name)),
      ("country", .text(city.country)),
      ("region", .text(city.region)),
      ("latitude", .number(city.coordinate.latitude)),
      ("longitude", .number(city.coordinate.longitude)),
      ("population", city.population.map(JSONValue.integer) ?? .null),
      ("timezone", .text(city.timezone)),
      ("favorite", .bool(isFavorite)),
    ]
    if let distance { members.append(("distance", .rounded(distance, places: 3))) }
    return members
  }
}

extension CityViewModel.State {
  /// The city object with its neighbors and its summary, or the error of the summary.
  package var json: JSONValue {
    guard let details = details.value else { return .null }
    let row = CityRow(city: details.city, isFavorite: details.isFavorite)
    return .object(
      row.members + [
        ("neighbors", .array(details.neighbors.map(\.json))),
        ("summary", summary.value??.json ?? .null),
        ("error", .text(summary.failure?.message)),
      ])
  }
}

extension CitySummary {
  fileprivate var json: JSONValue {
    [
      "title": .string(title),
      "description": .text(description),
      "extract": .string(extract),
      "url": .text(url?.absoluteString),
    ]
  }
}

/// The result of an import as text.
package enum ImportReportText {
  package static func lines(_ report: CityImportReport) -> [String] {
    var lines = [
      "imported \(Quantity.count(report.cities, "city", plural: "cities")) of "
        + Quantity.count(report.rows, "row")
    ]
    if report.otherFeatures > 0 {
      let places = Quantity.count(report.otherFeatures, "place")
      lines.append(
        "skipped \(places) that \(report.otherFeatures == 1 ? "is not a city" : "are not cities")")
    }
    for issue in CityIssue.allCases {
      guard let occurrences = report.issues[issue] else { continue }
      let rows = occurrences.first.map(String.init).joined(separator: ", ")
      let more = occurrences.count > occurrences.first.count ? ", …" : ""
      lines.append(
        "skipped \(Quantity.count(occurrences.count, "row")) \(words(for: issue)): \(rows)\(more)")
    }
    return lines
  }

  private static func words(for issue: CityIssue) -> String {
    switch issue {
    case .malformed: "that could not be read"
    case .noIdentifier: "without an id"
    case .noName: "without a name"
    case .noPosition: "without a position"
    case .offTheGlobe: "with a position that is not on Earth"
    case .repeatedIdentifier: "with the id of an earlier row"
    }
  }
}
