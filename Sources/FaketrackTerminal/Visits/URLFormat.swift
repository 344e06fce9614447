import FaketrackFeatures

/// `text`: a photo URL a line and nothing else, for a pipe; the path of a photo that is kept, and
/// nothing for one that could not be.
package struct URLFormat: VisitFormatting {
  package init() {}

  package func text(for visit: Visit) -> String {
    guard let photo = visit.photo, visit.error == nil else { return "" }
    return (visit.file ?? photo.url.absoluteString).safeForTerminal + "\n"
  }
}
