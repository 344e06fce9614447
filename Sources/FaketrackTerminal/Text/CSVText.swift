/// Text as it stands in a row of comma-separated values (RFC 4180).
enum CSVText {
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
