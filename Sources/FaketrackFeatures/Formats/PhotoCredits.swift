import FaketrackSupport
import Foundation
import PhotoSearch

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
      photo?.license?.url?.absoluteString ?? "", photo?.pageURL?.absoluteString ?? "",
    ])
  }

  private static func row(_ cells: [String]) -> String {
    cells.map(\.csvCell).joined(separator: ",") + "\n"
  }
}

private struct CreditsRenderer: VisitRenderer {
  func append(_ visit: Visit, to text: inout TextBuffer) {
    guard let photo = visit.photo else { return }
    text.append(contentsOf: PhotoCredits.line(for: visit, file: photo.imageURL.relativeString))
  }
}

extension Photo {
  /// The author and the license, as shown beside the photo; "your own photo" for a picture of
  /// the user without an author.
  package var credit: String {
    if imageURL.isFileURL, owner.isEmpty { return "your own photo" }
    return "© " + "\(owner)\(license.map { ", \($0.name)" } ?? "")".safeForTerminal
  }
}
