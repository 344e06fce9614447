import FaketrackSupport

extension RecordFormat {
  /// A FeatureCollection with a Point for each location (RFC 7946).
  package static let geojson = RecordFormat(
    name: "geojson", title: "GeoJSON", mediaType: "application/geo+json"
  ) { GeoJSONRenderer() }
}

private struct GeoJSONRenderer: VisitRenderer {
  private var records = VisitRecords()
  private var isFirst = true

  func appendOpening(to text: inout TextBuffer) {
    text.append("{\"type\":\"FeatureCollection\",\"features\":[")
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    text.append(isFirst ? "\n" : ",\n")
    isFirst = false
    text.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
    text.append(visit.fix.coordinate.longitude)
    text.append(",")
    text.append(visit.fix.coordinate.latitude)
    if let elevation = visit.fix.elevation {
      text.append(",")
      text.append(json: elevation, roundedTo: 3)
    }
    text.append("]},\"properties\":")
    records.append(visit, to: &text)
    text.append("}")
  }

  func appendClosing(to text: inout TextBuffer) {
    text.append("\n]}\n")
  }
}
