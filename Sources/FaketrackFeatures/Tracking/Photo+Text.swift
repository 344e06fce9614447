import PhotoSearch

extension Photo {
  /// The title on one line, or a placeholder for a missing one.
  package var shownTitle: String {
    let words = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.isEmpty ? "Untitled" : words
  }
}
