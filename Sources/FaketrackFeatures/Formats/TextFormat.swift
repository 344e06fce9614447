import FaketrackSupport

extension OutputFormat {
  /// One photo URL per line for a pipe; for downloaded photos the path, and no line if the download
  /// failed.
  package static let text = OutputFormat("text") { _ in TextRenderer() }
}

private struct TextRenderer: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {
    guard let photo = visit.photo, visit.error == nil else { return }
    text.append(contentsOf: (visit.file ?? photo.url.absoluteString).safeForTerminal)
    text.append("\n")
  }
}
