import FaketrackSupport
import GPX
import Geodesy
import PhotoSearch

extension OutputFormat {
  /// A header row and a column for each leaf of the ndjson object (RFC 4180, with the line ends
  /// of Unix, which tools that read from a pipe expect).
  package static let csv = OutputFormat(
    "csv", download: ("CSV", "text/csv; charset=utf-8"),
    frame: { DocumentFrame(opening: ($0 ? "track," : "") + header) },
    recognizes: {
      $0.prefixMatch(
        of: #/(track,)?index,time,latitude,longitude,elevation,.*,horizontal_accuracy,.*,city_id,/#)
        != nil
    }
  ) { CSVRenderer(track: $0) }

  private static let header = RecordField.all.map(\.column).joined(separator: ",") + "\n"
}

private struct CSVRenderer: VisitRenderer {
  /// The cell of the track and its comma.
  private var track = TextBuffer()

  init(track: String?) {
    guard let track else { return }
    self.track.append(contentsOf: track.csvCell + ",")
  }

  func append(_ visit: Visit, to text: inout TextBuffer) {
    text.append(contentsOf: track)
    text.append(visit.index)
    text.append(",")
    if let time = visit.fix.time { GPXTime.append(time, to: &text) }
    text.append(",")
    append(visit.fix.coordinate, to: &text)
    append(visit.fix.elevation, to: &text)
    append(visit.fix.distance, to: &text)
    append(visit.fix.elapsed, to: &text)
    append(visit.fix.speed, to: &text)
    text.append(",")
    if let course = visit.fix.course { text.append(course.roundedCourse(places: 2)) }
    append(visit.fix.horizontalAccuracy, to: &text)
    text.append(visit.fix.isInterpolated ? ",true," : ",false,")
    if let city = visit.city?.city {
      text.append(city.id)
      append(city.name, to: &text)
      append(city.country, to: &text)
      append(city.region, to: &text)
      text.append(",")
      if let population = city.population { text.append(population) }
    } else {
      text.append(",,,,")
    }
    append(visit.city?.distance, to: &text)
    append(visit.photo, to: &text)
    append(visit.photoDistance, to: &text)
    append(visit.photo?.taken?.description, to: &text)
    append(visit.placement?.rule.rawValue, to: &text)
    append(visit.photo?.source, to: &text)
    append(visit.error, to: &text)
    text.append("\n")
  }

  private func append(_ photo: Photo?, to text: inout TextBuffer) {
    guard let photo else { return text.append(",,,,,,,,") }
    append(photo.id, to: &text)
    append(photo.title, to: &text)
    append(photo.owner, to: &text)
    append(photo.license?.name, to: &text)
    append(photo.url.relativeString, to: &text)
    append(photo.page?.absoluteString, to: &text)
    text.append(",")
    if let coordinate = photo.coordinate {
      append(coordinate, to: &text)
    } else {
      text.append(",")
    }
  }

  private func append(_ coordinate: Coordinate, to text: inout TextBuffer) {
    text.append(coordinate.latitude)
    text.append(",")
    text.append(coordinate.longitude)
  }

  /// Appends a number rounded to the millimeter, or an empty cell.
  private func append(_ number: Double?, to text: inout TextBuffer) {
    text.append(",")
    if let number, number.isFinite { text.append(number, roundedTo: 3) }
  }

  private func append(_ cell: String?, to text: inout TextBuffer) {
    text.append(",")
    if let cell { text.append(contentsOf: cell.csvCell) }
  }
}

/// The table that credits photos: a file of the download folder, and a download on the page.
package enum PhotoCredits {
  /// The table as a format, with the address of each photo in place of its file.
  package static let format = OutputFormat(
    "credits", download: ("Credits", "text/csv; charset=utf-8"),
    frame: { _ in DocumentFrame(opening: header) }
  ) { _ in CreditsRenderer() }

  package static let header = row([
    "file", "place", "latitude", "longitude", "title", "author", "license", "license_url", "page",
  ])

  /// The line of a visit's photo; the place is the nearest city.
  @Sendable package static func line(for visit: Visit, file: String) -> String {
    let photo = visit.photo
    let position = photo?.coordinate ?? visit.fix.coordinate
    return row([
      file, visit.city?.city.name ?? "", "\(position.latitude)", "\(position.longitude)",
      photo?.title ?? "", photo?.owner ?? "", photo?.license?.name ?? "",
      photo?.license?.url?.absoluteString ?? "", photo?.page?.absoluteString ?? "",
    ])
  }

  private static func row(_ cells: [String]) -> String {
    cells.map(\.csvCell).joined(separator: ",") + "\n"
  }
}

private struct CreditsRenderer: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {
    guard let photo = visit.photo else { return }
    text.append(contentsOf: PhotoCredits.line(for: visit, file: photo.url.relativeString))
  }
}

extension JSONValue {
  /// The names of the members of an object; empty for other values.
  package var names: [String] {
    if case .object(let members) = self { members.map(\.key) } else { [] }
  }

  /// The header of a table of objects, as of ``csvRow(_:)``.
  ///
  /// - Parameter columns: the names of members, with a period before a member of a member.
  package static func csvHeader(_ columns: [String]) -> String {
    columns.map { column in
      column.map { letter -> String in
        letter == "." ? "_" : letter.isUppercase ? "_" + letter.lowercased() : String(letter)
      }.joined()
    }.joined(separator: ",") + "\n"
  }

  /// The row of an object in a table; the elements of arrays are separated by semicolons.
  package func csvRow(_ columns: [String]) -> String {
    columns.map { column in
      var value = self
      for name in column.split(separator: ".") {
        guard case .object(let members) = value,
          let member = members.first(where: { $0.key == name })
        else { return "" }
        value = member.value
      }
      return value.csvText.csvCell
    }.joined(separator: ",") + "\n"
  }

  private var csvText: String {
    switch self {
    case .null: ""
    case .string(let text): text
    case .array(let values): values.map(\.csvText).joined(separator: "; ")
    case .bool, .integer, .number, .object: serialized
    }
  }
}

extension String {
  /// A cell of comma-separated values (RFC 4180): on one line, in quotes where it needs them.
  fileprivate var csvCell: String {
    var cell = safeForTerminal
    let needsQuotes = cell.withUTF8 { text in
      text.contains(UInt8(ascii: ",")) || text.contains(UInt8(ascii: "\""))
        || text.first == UInt8(ascii: " ") || text.last == UInt8(ascii: " ")
    }
    return needsQuotes ? "\"" + cell.replacing(scalar: "\"", with: "\"\"") + "\"" : cell
  }
}
