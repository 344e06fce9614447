import Cities
import Dispatch
import FaketrackPictures
import FaketrackSupport
import Foundation

/// The user's own pictures and videos in a folder, and the settings of their clocks.
package struct OwnPhotos: Sendable {
  package struct Picture: Hashable, Sendable {
    /// The path below the folder, which identifies the picture.
    package let id: String
    package let path: String
    package let facts: PictureFacts
    /// The modification time of the file.
    package let modified: Date
  }

  package struct Unreadable: Hashable, Sendable {
    package let path: String
    package let reason: String
  }

  /// The pictures with some ids.
  func only(_ ids: Set<String>) -> OwnPhotos {
    var photos = self
    photos.pictures.removeAll { !ids.contains($0.id) }
    return photos
  }

  package let folder: String
  /// In the order of their paths.
  package private(set) var pictures: [Picture]
  package let unreadable: [Unreadable]
  /// The numbers of other files in the folder, by their endings.
  package let unread: [String: Int]
  /// The number of pictures beyond ``limit``, which were not read.
  package let leftOut: Int
  package let times: Times
  /// Finds the cities whose time zones apply.
  let cities: NearestCityCursor
  /// The pictures of clocks in ``Times/syncs``.
  private(set) var clocks: [(picture: PictureFacts, shown: Times.Sync.Shown)]

  package static let limit = 100_000

  /// Reads a folder and all folders below it; links to folders are not followed.
  ///
  /// - Throws: ``Failure`` for a folder that can't be read, for a picture of a clock that is not there or has no
  ///   time, or for a camera that took none of the pictures.
  package init(
    folder: String, times: Times = Times(), index: CityIndex
  ) throws(Failure) {
    self.folder = folder
    self.times = times
    cities = NearestCityCursor(index, within: Clocks.farthestCity)
    let listing = try Listing(folder)
    leftOut = max(0, listing.pictures.count - Self.limit)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var pictures: [Picture] = []
    var unreadable = listing.unreadable
    let (results, used) = Self.read(listing)
    for (path, result) in zip(listing.pictures, results) {
      switch result {
      case .success(let (facts, modified)):
        let id = String(path.dropFirst(prefix.count))
        pictures.append(Picture(id: id, path: path, facts: facts, modified: modified))
      case .failure(let error): unreadable.append(Unreadable(path: path, reason: error.reason))
      }
    }
    self.pictures = pictures
    self.unreadable = unreadable
    var others = listing.others
    for path in listing.sidecars.subtracting(used) {
      others[(path as NSString).pathExtension.lowercased(), default: 0] += 1
    }
    unread = others
    clocks = []
    clocks = try times.syncs.map { sync throws(Failure) in try clock(of: sync) }
    try checkCameras()
  }

  private func clock(
    of sync: Times.Sync
  ) throws(Failure) -> (picture: PictureFacts, shown: Times.Sync.Shown) {
    let named = pictures.filter { $0.id == sync.name || $0.id.hasSuffix("/" + sync.name) }
    if let facts = named.first?.facts, facts.cameraTime != nil { return (facts, sync.shown) }
    let reason = named.isEmpty ? "is not in \(folder)" : "has no time by a camera's clock"
    throw Failure(
      message: "--camera-sync: \(sync.name) \(reason)",
      hint: "Name a picture of a clock in this folder.", kind: .wrongUsage)
  }

  private func checkCameras() throws(Failure) {
    let cameras = Set(pictures.compactMap(\.facts.camera))
    for offset in times.offsets {
      guard let name = offset.camera,
        !cameras.contains(where: { Times.Offset.isName(name, of: $0) })
      else { continue }
      let known = cameras.map(Times.Offset.shortName).sorted().joined(separator: ", ")
      throw Failure(
        message: "--camera-offset: no picture in \(folder) is by a camera \(name)",
        hint: known.isEmpty ? "The pictures name no camera." : "The cameras are \(known).",
        kind: .wrongUsage)
    }
  }

  /// Reads files on all cores; the results are in the order of the paths.
  ///
  /// - Returns: the facts and the times of the files, and the sidecars that belong to them.
  private static func read(
    _ listing: Listing
  ) -> (results: [Result<(PictureFacts, Date), UnreadablePicture>], sidecars: Set<String>) {
    let paths = listing.pictures.prefix(limit)
    let chunk = 64
    let chunks = (paths.count + chunk - 1) / chunk
    let results = Locked([Int: [Result<(PictureFacts, Date), UnreadablePicture>]]())
    let used = Locked(Set<String>())
    DispatchQueue.concurrentPerform(iterations: chunks) { number in
      let read = paths[(number * chunk)..<min(paths.count, (number + 1) * chunk)].map { path in
        Result { () throws(UnreadablePicture) in
          var facts = try PictureFacts(contentsOf: path)
          for sidecar in listing.sidecars(of: path) {
            facts.complete(withSidecar: sidecar)
            used.withLock { _ = $0.insert(sidecar) }
          }
          var status = stat()
          stat(path, &status)
          return (facts, Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)))
        }
      }
      results.withLock { $0[number] = read }
    }
    let read = results.withLock { results in (0..<chunks).flatMap { results[$0] ?? [] } }
    return (read, used.withLock(\.self))
  }
}

/// The files in a folder and in all folders below it.
private struct Listing {
  private static let endings: Set<String> = [
    "jpg", "jpeg", "heic", "heif", "png", "webp", "mp4", "m4v", "mov",
  ]

  /// The paths of pictures and videos, in order.
  private(set) var pictures: [String] = []
  /// The paths of files that may be sidecars.
  private(set) var sidecars: Set<String> = []
  /// The numbers of other files, by their endings.
  private(set) var others: [String: Int] = [:]
  private(set) var unreadable: [OwnPhotos.Unreadable] = []

  /// - Throws: ``Failure`` for a folder that can't be read; folders below it that can't are in ``unreadable``.
  init(_ folder: String) throws(Failure) {
    guard FileKind(folder) == .folder else {
      throw Failure(
        message: "--photos \(folder): there is no such folder",
        hint: "Name a folder with pictures, or one of the photo sources.")
    }
    var folders = [folder]
    var isFirst = true
    while let folder = folders.popLast() {
      let names: [[UInt8]]
      do {
        names = try TrackListing.names(in: folder)
      } catch {
        if isFirst { throw error.failure }
        unreadable.append(OwnPhotos.Unreadable(path: folder, reason: error.reason))
        continue
      }
      isFirst = false
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      for bytes in names where bytes.first != UInt8(ascii: ".") {
        let name = String(decoding: bytes, as: UTF8.self)
        add(prefix + name, name, isText: Array(name.utf8) == bytes, &folders)
      }
    }
    pictures.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private mutating func add(
    _ path: String, _ name: String, isText: Bool, _ folders: inout [String]
  ) {
    let ending = (name as NSString).pathExtension.lowercased()
    if Self.endings.contains(ending) {
      if isText {
        pictures.append(path)
      } else {
        unreadable.append(OwnPhotos.Unreadable(path: path, reason: "the name is not UTF-8"))
      }
      return
    }
    switch FileKind(path) {
    case .folder: if !FileKind.isLink(path) { folders.append(path) }
    case .regular where PictureSidecar.isSidecar(name): sidecars.insert(path)
    case .regular where name != Captions.usualName: others[ending, default: 0] += 1
    default: break
    }
  }

  /// The sidecars of a picture, best first.
  func sidecars(of picture: String) -> [String] {
    if sidecars.isEmpty { return [] }
    let name = (picture as NSString).lastPathComponent
    let folder = picture.dropLast(name.utf8.count)
    return PictureSidecar.names(of: name).map { folder + $0 }.filter(sidecars.contains)
  }
}
