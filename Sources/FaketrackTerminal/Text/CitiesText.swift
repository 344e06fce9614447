import Cities
import FaketrackFeatures
import FaketrackSupport

extension TerminalStyle {
  /// A table of cities: id, name with region and country, population and position.
  package func text(_ rows: [CityRow]) -> String {
    let width = rows.map(\.shortName.safeForTerminal.columns).max() ?? 0
    return rows.map { line($0, nameWidth: min(width, 48)) }.joined()
  }

  /// A row that fits the width: names are cut, and positions left out where little room is left.
  package func line(_ row: CityRow, nameWidth: Int = 0) -> String {
    let city = row.city
    let name = row.shortName.safeForTerminal
    let distance = row.distance.map { Quantity.distance($0) }
    // The id, the population, the widest position and distance, a star and the spaces between.
    var room = width.map { $0 - (8 + 2 + 2 + 10 + 2 + 20 + (distance == nil ? 0 : 10) + 3) } ?? 48
    let showsPosition = room >= 16
    if !showsPosition { room = max(8, room + 22) }
    let columns = [
      dim("\(city.id)".padded(toColumns: 8, onLeft: true)),
      name.truncated(toColumns: min(room, 48)).padded(toColumns: min(room, nameWidth)),
      (city.shownPopulation ?? "").padded(toColumns: 10, onLeft: true),
      showsPosition ? dim(Quantity.position(city.coordinate, places: 5)) : nil,
      distance, row.isFavorite ? colored("★", .highlight) : nil,
    ]
    return columns.compactMap(\.self).joined(separator: "  ") + "\n"
  }
}

extension CityImportReport {
  package var lines: [String] {
    var lines = [
      "imported \(Quantity.count(cities, "city", plural: "cities")) of "
        + Quantity.count(rows, "row")
    ]
    if otherFeatures > 0 {
      lines.append(
        "skipped \(Quantity.count(otherFeatures, "place")) that "
          + (otherFeatures == 1 ? "is not a city" : "are not cities"))
    }
    for kind in CityIssue.Kind.allCases {
      guard let occurrences = issues[CityIssue(kind: kind)] else { continue }
      let rows = occurrences.first.map(String.init).joined(separator: ", ")
      let more = occurrences.count > occurrences.first.count ? ", …" : ""
      lines.append(
        "skipped \(Quantity.count(occurrences.count, "row")) \(kind.words): \(rows)\(more)")
    }
    return lines
  }
}

extension CityIssue.Kind {
  fileprivate var words: String {
    switch self {
    case .malformed: "that could not be read"
    case .noIdentifier: "without an id"
    case .noName: "without a name"
    case .noPosition: "without a position"
    case .offTheGlobe: "with a position that is not on Earth"
    case .repeatedIdentifier: "with the id of an earlier row"
    }
  }
}
