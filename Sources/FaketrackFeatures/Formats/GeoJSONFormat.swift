import FaketrackSupport

extension OutputFormat {
  /// A FeatureCollection with a Point for each location (RFC 7946).
  package static let geojson = OutputFormat(
    "geojson",
    summary: """
      A FeatureCollection with a Point per location; the properties have
      the keys of ndjson.
      """,
    download: ("GeoJSON", "application/geo+json"),
    frame: { _ in
      DocumentFrame(
        opening: "{\"type\":\"FeatureCollection\",\"features\":[", separator: ",",
        closing: "\n]}\n")
    },
    recognizes: {
      let feature =
        #/\{"type":"FeatureCollection","features":\[\n\{"type":"Feature",[^}]*\},"properties":/#
      if $0 == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n" { return true }
      guard let match = $0.prefixMatch(of: feature) else { return false }
      return VisitRecords.begin($0[match.range.upperBound...])
    }
  ) { GeoJSONRenderer(track: $0) }
}

private struct GeoJSONRenderer: VisitRenderer {
  private var records: VisitRecords
  private var isFirst = true

  init(track: String?) {
    records = VisitRecords(track: track)
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
}
