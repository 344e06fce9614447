import Cities

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
