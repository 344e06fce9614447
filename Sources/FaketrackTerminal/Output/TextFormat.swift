import FaketrackFeatures
import FaketrackSupport

extension OutputFormat {
  /// One photo URL per line and nothing else, for a pipe; for downloaded photos the path, and
  /// nothing if the download failed.
  package static let text = OutputFormat("text") { _ in TextRenderer() }
}

private struct TextRenderer: VisitRenderer {
  func text(for visit: Visit) -> String {
    guard let photo = visit.photo, visit.error == nil else { return "" }
    return (visit.file ?? photo.url.absoluteString).safeForTerminal + "\n"
  }
}
