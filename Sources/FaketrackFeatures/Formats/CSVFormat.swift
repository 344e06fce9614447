import FaketrackSupport
import GPX

extension OutputFormat {
  /// A header row and a column for each leaf of the ndjson object (RFC 4180, with the line ends
  /// of Unix, which tools that read from a pipe expect).
  package static let csv = OutputFormat(
    "csv",
    summary: """
      A header row and a row per location; names as city_name, photo_url,
      horizontal_accuracy. Unknown values are empty.
      """,
    download: ("CSV", "text/csv; charset=utf-8"),
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
  private var row = CSVRow()

  init(track: String?) {
    guard let track else { return }
    self.track.append(contentsOf: track.csvCell + ",")
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    text.append(contentsOf: track)
    swap(&row.text, &text)
    row.write(visit)
    swap(&row.text, &text)
    text.append("\n")
  }
}

/// Writes the cells of a row, which are empty for unknown values.
private struct CSVRow: RecordWriter {
  var text = TextBuffer()

  func begin(_ key: StaticString, isNull: Bool) -> Bool { true }
  func end() {}

  @inline(__always)
  mutating func field(
    _ key: StaticString, _ value: RecordValue, _ unit: StaticString, null: StaticString
  ) {
    // All but the first key of a record have punctuation before them.
    if key.utf8Start.pointee != UInt8(ascii: "\"") { text.append(",") }
    switch value {
    case .integer(let number): if let number { text.append(number) }
    case .number(let number): if let number { text.append(number) }
    case .rounded(let number):
      if let number, number.isFinite { text.append(number, roundedTo: 3) }
    case .boolean(let value): text.append(value ? "true" : "false")
    case .time(let time): if let time { GPXTime.append(time, to: &text) }
    case .string(let cell): if let cell { text.append(contentsOf: cell.csvCell) }
    }
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
  var csvCell: String {
    var cell = safeForTerminal
    let needsQuotes = cell.withUTF8 { text in
      text.contains(UInt8(ascii: ",")) || text.contains(UInt8(ascii: "\""))
        || text.first == UInt8(ascii: " ") || text.last == UInt8(ascii: " ")
    }
    return needsQuotes ? "\"" + cell.replacing(scalar: "\"", with: "\"\"") + "\"" : cell
  }
}
