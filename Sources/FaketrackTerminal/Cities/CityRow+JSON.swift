import Cities
import FaketrackFeatures

extension CityRow {
  /// The city object; with `distance` where the list is about a place.
  package var json: JSONValue {
    .object(members)
  }

  /// The members of the city object, for those that add to it.
  package var members: [(key: String, value: JSONValue)] {
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
    if let distance { members.append(("distance", .rounded(distance, decimals: 3))) }
    return members
  }
}
