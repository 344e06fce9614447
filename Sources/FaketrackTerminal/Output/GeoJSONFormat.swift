import FaketrackFeatures

extension OutputFormat {
  /// A FeatureCollection with a Point for each location (RFC 7946).
  package static let geojson = OutputFormat("geojson") { _ in GeoJSONRenderer() }
}

private struct GeoJSONRenderer: VisitRenderer {
  private var isFirst = true

  var opening: String { #"{"type":"FeatureCollection","features":["# }

  mutating func text(for visit: Visit) -> String {
    let coordinate = visit.fix.coordinate
    var position: [JSONValue] = [.number(coordinate.longitude), .number(coordinate.latitude)]
    if let elevation = visit.fix.elevation { position.append(.rounded(elevation, places: 3)) }
    let feature: JSONValue = [
      "type": "Feature",
      "geometry": ["type": "Point", "coordinates": .array(position)],
      "properties": visit.json,
    ]
    defer { isFirst = false }
    return (isFirst ? "\n" : ",\n") + feature.serialized
  }

  var closing: String { "\n]}\n" }
}
