@testable import FaketrackFeatures
import FaketrackSupport
import Foundation
import Geodesy
import PhotoSearch

extension FuzzTarget {
  /// Tables of captions; the names of a table are read back from a table of these names.
  static let captions = FuzzTarget(name: "captions") { bytes in
    guard let captions = try? Captions(bytes, path: "captions.csv") else { return }
    let names = captions.unused(photos: [], chapters: []).map(\.name)
    check(names.count == captions.count, "\(names.count) unused of \(captions.count)")
    let rows = names.map { "\"\($0.replacing(scalar: "\"", with: "\"\""))\";text\n" }
    let table = "photo;caption\n" + rows.joined()
    guard let again = try? Captions(Array(table.utf8), path: "again.csv") else {
      fatalError("cannot read \(table)")
    }
    check(again.unused(photos: [], chapters: []).map(\.name) == names, "other names")
    guard let name = names.first else { return }
    // A day is the name of a chapter with another heading.
    let isDay = name.utf8.count == 10
    let photo = Photo(id: name, title: "", owner: "", imageURL: URL(filePath: "/photo"))
    let visit = Visit(index: 0, fix: Fix(.clamped(latitude: 0, longitude: 0)), photo: photo)
    check(isDay || again.caption(of: visit) == .text("text"), "no caption of \(name)")
    check(isDay || again.text(ofChapter: name) == "text", "no text of \(name)")
    check(
      isDay || captions.unused(photos: [visit], chapters: []).count < names.count,
      "\(name) is unused")
  }
}
