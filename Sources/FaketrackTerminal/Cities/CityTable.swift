import Cities
import FaketrackFeatures

/// Cities for reading, a line each: id, name with region and country, population, position.
package struct CityTable: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) {
    self.style = style
  }

  package func text(_ rows: [CityRow]) -> String {
    let names = rows.map { Self.fullName(of: $0.city) }
    let width = min(names.map(\.columns).max() ?? 0, 48)
    return zip(rows, names).map { row, name in line(row, name: name, width: width) }.joined()
  }

  /// The city on a line of its own.
  package func line(_ row: CityRow) -> String {
    line(row, name: Self.fullName(of: row.city), width: 0)
  }

  /// `Potsdam, Brandenburg, DE`.
  package static func fullName(of city: City) -> String {
    [city.name, city.region, city.country].compactMap(\.self)
      .joined(separator: ", ").safeForTerminal
  }

  private func line(_ row: CityRow, name: String, width: Int) -> String {
    let city = row.city
    let latitude = Quantity.fixed(city.coordinate.latitude, decimals: 5)
    let longitude = Quantity.fixed(city.coordinate.longitude, decimals: 5)
    let population = city.population.map(Quantity.grouped) ?? ""
    var columns = [
      style.dim("\(city.id)".padded(toColumns: 8, onLeft: true)),
      name.truncated(toColumns: max(width, 48)).padded(toColumns: width),
      population.padded(toColumns: 10, onLeft: true),
      style.dim("\(latitude), \(longitude)"),
    ]
    if let distance = row.distance { columns.append(Quantity.distance(distance)) }
    if row.isFavorite { columns.append(style.colored("★", .yellow)) }
    return columns.joined(separator: "  ") + "\n"
  }
}
