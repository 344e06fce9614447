import FaketrackFeatures
import FaketrackSupport
import Foundation
import GPX
import Locations
import PhotoSearch

extension CompositionRoot {
  /// The user's own photos, if the options or the environment name their folder.
  ///
  /// - Throws: `Failure` for a folder that can't be read.
  func ownPhotos(_ options: PhotoOptions, _ own: OwnPhotoOptions) throws -> OwnPhotos? {
    guard case .folder(let path) = try options.photos ?? settings.photoSource() else { return nil }
    if options.download != nil {
      throw Failure(
        message: "--download needs a photo service, and your own photos are files already",
        hint: "Copy them with: faketrack replay … | xargs -d '\\n' cp -t folder",
        kind: .wrongUsage)
    }
    return try ownPhotos(in: path, own)
  }

  /// The captions of a page: from a file, or else from the folder of the user's own photos.
  ///
  /// - Throws: `Failure` for a file that can't be read or has a mistake.
  func captions(_ file: String?, _ photos: PhotoOptions) throws -> Captions {
    guard let path = try file ?? captionsOfFolder(photos) else { return Captions() }
    let captions = try Captions(contentsOf: path)
    console.note("captions: \(Quantity.grouped(captions.count)) in \(path.safeForTerminal)")
    return captions
  }

  private func captionsOfFolder(_ options: PhotoOptions) throws -> String? {
    guard case .folder(let folder) = try options.photos ?? settings.photoSource()
    else { return nil }
    let path = folder + (folder.hasSuffix("/") ? "" : "/") + Captions.usualName
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  func ownPhotos(in folder: String, _ options: OwnPhotoOptions) throws -> OwnPhotos {
    let photos = try OwnPhotos(
      folder: folder, times: options.times, index: cities().index)
    console.note("photos: \(Quantity.count(photos.pictures.count, "picture")) in \(folder)")
    if photos.pictures.isEmpty, photos.unreadable.isEmpty {
      console.note("warning: \(folder): no JPEG, HEIC, PNG, WebP, MP4 or MOV file")
    }
    if !photos.unread.isEmpty { console.note(photos.unreadNote) }
    if photos.leftOut > 0 {
      let left = Quantity.count(photos.leftOut, "picture")
      console.note("warning: \(folder): \(left) beyond the first \(OwnPhotos.limit) left out")
    }
    console.noteSome(
      photos.pictures.flatMap { picture in
        picture.facts.issues.map { "\(picture.path): \($0)" }
      }, as: "warning")
    return photos
  }
}

extension OwnPhotos {
  /// The numbers of files that are neither pictures nor belong to one: `photos: 12 other files not read: 10 .cr2,
  /// 2 .txt`.
  fileprivate var unreadNote: String {
    let endings = unread.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = endings.prefix(5).map { ending, count in
      Quantity.grouped(count) + (ending.isEmpty ? " without an ending" : " .\(ending)")
    }
    let count = Quantity.count(unread.values.reduce(0, +), "other file")
    let rest = endings.count > shown.count ? ", …" : ""
    return "photos: \(count) not read: \(shown.joined(separator: ", "))\(rest)".safeForTerminal
  }
}

extension Console {
  /// Notes the first texts, and the number of the others.
  func noteSome(_ texts: [String], as kind: String, limit: Int = 20) {
    for text in texts.prefix(limit) { note("\(kind): \(text.safeForTerminal)") }
    let rest = texts.count - limit
    if rest > 0 { note("\(kind): \(Quantity.grouped(rest)) more") }
  }

  /// Notes the rows of captions that name nothing on a page.
  func noteUnused(_ captions: Captions, photos: [Visit], chapters: [String]) {
    let rows = captions.unused(photos: photos, chapters: chapters).map { row in
      "\(captions.path ?? ""):\(row.line): no photo and no chapter is named "
        + "\"\(row.name.shortLine(limit: 80))\""
    }
    noteSome(rows, as: "note", limit: 3)
  }

  /// Notes how many of the user's own photos have a place, and which have none.
  func note(_ report: PlacementReport) {
    note("photos: \(report.summary)")
    noteUnplaced(report.unplaced)
  }

  func noteUnplaced(_ photos: [OwnPhotos.Unreadable]) {
    noteSome(photos.map { "\($0.path): \($0.reason)" }, as: "no place")
  }
}

/// The pictures that have no place on any track of a batch.
final class UnplacedPhotos: Sendable {
  private let photos = Locked<[OwnPhotos.Unreadable]?>(nil)

  func add(_ report: PlacementReport) {
    let paths = Set(report.unplaced.map(\.path))
    photos.withLock { $0 = $0?.filter { paths.contains($0.path) } ?? report.unplaced }
  }

  func note(on console: Console) {
    console.noteUnplaced(photos.withLock(\.self) ?? [])
  }
}
