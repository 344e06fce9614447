import FaketrackFeatures

/// `geojson` (RFC 7946): a FeatureCollection with a Point for each location.
package struct GeoJSONFormat: VisitFormatting {
  private var isFirst = true

  package init() {}

  package var opening: String { #"{"type":"FeatureCollection","features":["# }

  package mutating func text(for visit: Visit) -> String {
    let coordinate = visit.fix.coordinate
    var position: [JSONValue] = [.number(coordinate.longitude), .number(coordinate.latitude)]
    if let elevation = visit.fix.elevation { position.append(.rounded(elevation, decimals: 3)) }
    let feature: JSONValue = [
      "type": "Feature",
      "geometry": ["type": "Point", "coordinates": .array(position)],
      "properties": visit.json,
    ]
    defer { isFirst = false }
    return (isFirst ? "\n" : ",\n") + feature.serialized
  }

  package var closing: String { "\n]}\n" }
}
