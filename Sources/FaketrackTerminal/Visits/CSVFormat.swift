import FaketrackFeatures

/// `csv`: a header row and a column for each leaf of the ndjson object (RFC 4180, but with the line
/// ends of Unix, as the tools that read it from a pipe expect).
package struct CSVFormat: VisitFormatting {
  private static let columns = [
    "index", "time", "latitude", "longitude", "elevation", "distance", "speed", "course",
    "city_id", "city_name", "city_country", "city_distance",
    "photo_id", "photo_title", "photo_owner", "photo_license", "photo_url", "photo_page",
    "photo_latitude", "photo_longitude", "photo_distance", "error",
  ]

  package init() {}

  package var opening: String { CSVText.row(Self.columns) }

  package func text(for visit: Visit) -> String {
    var cells: [String: String] = [:]
    Self.collect(visit.json, prefix: "", into: &cells)
    return CSVText.row(Self.columns.map { cells[$0] ?? "" })
  }

  private static func collect(
    _ value: JSONValue, prefix: String, into cells: inout [String: String]
  ) {
    switch value {
    case .object(let members):
      for (key, member) in members {
        collect(member, prefix: prefix.isEmpty ? key : "\(prefix)_\(key)", into: &cells)
      }
    case .null: break
    case .string(let text): cells[prefix] = text
    default: cells[prefix] = value.serialized
    }
  }

}
