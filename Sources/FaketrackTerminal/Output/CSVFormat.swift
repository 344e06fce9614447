import FaketrackFeatures
import FaketrackSupport

extension OutputFormat {
  /// A header row and a column for each leaf of the ndjson object (RFC 4180, but with the line ends
  /// of Unix, as the tools that read it from a pipe expect).
  package static let csv = OutputFormat("csv") { _ in CSVRenderer() }
}

private struct CSVRenderer: VisitRenderer {
  private static let columns = [
    "index", "time", "latitude", "longitude", "elevation", "distance", "speed", "course",
    "city_id", "city_name", "city_country", "city_distance",
    "photo_id", "photo_title", "photo_owner", "photo_license", "photo_url", "photo_page",
    "photo_latitude", "photo_longitude", "photo_distance", "error",
  ]

  var opening: String { CSV.row(Self.columns) }

  func text(for visit: Visit) -> String {
    var cells: [String: String] = [:]
    Self.collect(visit.json, prefix: "", into: &cells)
    return CSV.row(Self.columns.map { cells[$0] ?? "" })
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

/// The table that credits downloaded photos.
package enum PhotoCredits {
  package static let header = CSV.row([
    "file", "place", "latitude", "longitude", "title", "author", "license", "license_url", "page",
  ])

  /// The line of a visit's photo; the place is the city that the visit was near.
  @Sendable package static func line(for visit: Visit, file: String) -> String {
    let photo = visit.photo
    let position = photo?.coordinate ?? visit.fix.coordinate
    return CSV.row([
      file, visit.city?.city.name ?? "", "\(position.latitude)", "\(position.longitude)",
      photo?.title ?? "", photo?.owner ?? "", photo?.license?.name ?? "",
      photo?.license?.url?.absoluteString ?? "", photo?.page?.absoluteString ?? "",
    ])
  }
}

/// Rows of comma-separated values (RFC 4180).
enum CSV {
  /// The cells with their line break.
  static func row(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: ",") + "\n"
  }

  /// The text on one line, in quotes where it needs them.
  static func cell(_ text: String) -> String {
    let text = text.safeForTerminal
    let needsQuotes =
      text.contains { $0 == "," || $0 == "\"" } || text.first == " " || text.last == " "
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
