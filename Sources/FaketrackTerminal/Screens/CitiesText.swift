import Cities
import FaketrackFeatures
import FaketrackSupport

/// Cities for reading, a line each: id, name with region and country, population, position.
package struct CityTable: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(_ rows: [CityRow]) -> String {
    let names = rows.map(Self.fullName)
    let width = min(names.map(\.columns).max() ?? 0, 48)
    return zip(rows, names).map { row, name in line(row, name: name, width: width) }.joined()
  }

  /// The city on a line of its own.
  package func line(_ row: CityRow) -> String {
    line(row, name: Self.fullName(of: row), width: 0)
  }

  /// `Potsdam, Brandenburg, DE`.
  package static func fullName(of city: City) -> String {
    fullName(city.name, of: city)
  }

  private static func fullName(of row: CityRow) -> String {
    fullName(row.shownName, of: row.city)
  }

  private static func fullName(_ name: String, of city: City) -> String {
    let place = city.shownPlace
    return (place.isEmpty ? name : "\(name), \(place)").safeForTerminal
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

/// A city with what lies around it and what the encyclopedia says, for reading.
package struct CityDetailsText: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(for state: CityViewModel.State) -> String {
    guard let details = state.details.value else { return "" }
    let city = details.city
    let star = details.isFavorite ? "  " + style.colored("★", .yellow) : ""
    var text = style.bold(CityTable.fullName(of: city)) + star + "\n"
    let facts = [
      ("id", String(city.id)),
      ("position", Quantity.position(city.coordinate, places: 5)),
      ("population", city.shownPopulation),
      ("time zone", city.timezone?.safeForTerminal),
    ]
    for (name, fact) in facts {
      if let fact { text += "  \(style.dim(name.padded(toColumns: 11)))\(fact)\n" }
    }
    text += summary(state.summary)
    text += "\n" + style.bold("Nearby") + "\n"
    text += CityTable(style: style).text(details.neighbors)
    return text
  }

  private func summary(_ summary: Loading<CitySummary?>) -> String {
    guard let loaded = summary.value else { return "" }
    guard let article = loaded else {
      return "\n" + style.dim("No encyclopedia article matches.") + "\n"
    }
    var text = "\n"
    if let description = article.description {
      text += style.dim(description.safeForTerminal) + "\n"
    }
    text += article.extract.safeForTerminal.wrapped(toColumns: min(style.width ?? 100, 100)) + "\n"
    if let url = article.url {
      text += style.dim("\(url.absoluteString.safeForTerminal) (CC BY-SA)") + "\n"
    }
    return text
  }
}

extension CityRow {
  /// The city object; with `distance` where the list is about a place.
  package var json: JSONValue { .object(members) }

  /// The city object with the name by which a search found it.
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
  /// The city object with its neighbors, its summary, and why there is no summary.
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

/// The outcome of an import, as text.
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
    for fault in CityImportReport.Fault.allCases {
      guard let occurrences = report.faults[fault] else { continue }
      let rows = occurrences.first.map(String.init).joined(separator: ", ")
      let more = occurrences.count > occurrences.first.count ? ", …" : ""
      lines.append(
        "skipped \(Quantity.count(occurrences.count, "row")) \(words(for: fault)): \(rows)\(more)")
    }
    return lines
  }

  private static func words(for fault: CityImportReport.Fault) -> String {
    switch fault {
    case .malformed: "that could not be read"
    case .noIdentifier: "without an id"
    case .noName: "without a name"
    case .noPosition: "without a position"
    case .offTheGlobe: "with a position that is not on Earth"
    case .repeatedIdentifier: "with the id of an earlier row"
    }
  }
}
