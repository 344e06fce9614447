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

  /// Corrections of the cameras' clocks, and the use of other times.
  package struct Times: Hashable, Sendable {
    /// Seconds to add to the times of cameras.
    package var offset = 0.0
    package var sync: Sync?
    /// Whether the name or the modification time of a file counts where there is no other time.
    package var isLoose = false

    package init() {}

    /// A picture of a clock.
    package struct Sync: Hashable, Sendable {
      /// The name of the file.
      let name: String
      /// The time that the clock shows.
      let time: Date

      package init(name: String, time: Date) {
        self.name = name
        self.time = time
      }
    }
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
  /// The number of pictures beyond ``limit``, which were not read.
  package let leftOut: Int
  package let times: Times
  /// Finds the cities whose time zones apply.
  let cities: NearestCityCursor
  /// The picture of a clock in ``Times/sync``.
  let syncPicture: Picture?

  package static let limit = 100_000
  private static let extensions: Set<String> = [
    "jpg", "jpeg", "heic", "heif", "png", "webp", "mp4", "m4v", "mov",
  ]

  /// Reads a folder and all folders below it; links to folders are not followed.
  ///
  /// - Throws: ``Failure`` for a folder that can't be read, or for a picture of a clock that is
  ///   not there or has no time.
  package init(
    folder: String, times: Times = Times(), index: CityIndex
  ) throws(Failure) {
    self.folder = folder
    self.times = times
    cities = NearestCityCursor(index, within: Clocks.farthestCity)
    let (paths, unlisted) = try Self.paths(in: folder)
    leftOut = max(0, paths.count - Self.limit)
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var pictures: [Picture] = []
    var unreadable = unlisted
    for (path, result) in zip(paths, Self.read(Array(paths.prefix(Self.limit)))) {
      switch result {
      case .success(let (facts, modified)):
        let id = String(path.dropFirst(prefix.count))
        pictures.append(Picture(id: id, path: path, facts: facts, modified: modified))
      case .failure(let error): unreadable.append(Unreadable(path: path, reason: error.reason))
      }
    }
    self.pictures = pictures
    self.unreadable = unreadable
    guard let name = times.sync?.name else {
      syncPicture = nil
      return
    }
    let named = pictures.filter { $0.id == name || $0.id.hasSuffix("/" + name) }
    guard let picture = named.first, picture.facts.cameraTime != nil else {
      let reason = named.isEmpty ? "is not in \(folder)" : "has no time by a camera's clock"
      throw Failure(
        message: "--camera-sync: \(name) \(reason)",
        hint: "Name a picture of a clock in this folder.", kind: .wrongUsage)
    }
    syncPicture = picture
  }

  private static func paths(in folder: String) throws(Failure) -> ([String], [Unreadable]) {
    guard FileKind(folder) == .folder else {
      throw Failure(
        message: "--photos \(folder): there is no such folder",
        hint: "Name a folder with pictures, or one of the photo sources.")
    }
    var folders = [folder]
    var paths: [String] = []
    var unreadable: [Unreadable] = []
    while let folder = folders.popLast() {
      let names: [[UInt8]]
      do {
        names = try TrackListing.names(in: folder)
      } catch {
        if folders.isEmpty, paths.isEmpty { throw error.failure }
        unreadable.append(Unreadable(path: folder, reason: error.reason))
        continue
      }
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      for bytes in names where bytes.first != UInt8(ascii: ".") {
        let name = String(decoding: bytes, as: UTF8.self)
        let path = prefix + name
        if extensions.contains((name as NSString).pathExtension.lowercased()) {
          if Array(name.utf8) == bytes {
            paths.append(path)
          } else {
            unreadable.append(Unreadable(path: path, reason: "the name is not UTF-8"))
          }
        } else if FileKind(path) == .folder, !FileKind.isLink(path) {
          folders.append(path)
        }
      }
    }
    return (paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, unreadable)
  }

  /// Reads files on all cores; the results are in the order of the paths.
  private static func read(
    _ paths: [String]
  ) -> [Result<(PictureFacts, Date), UnreadablePicture>] {
    let chunk = 64
    let chunks = (paths.count + chunk - 1) / chunk
    let results = Locked([Int: [Result<(PictureFacts, Date), UnreadablePicture>]]())
    DispatchQueue.concurrentPerform(iterations: chunks) { number in
      let read = paths[(number * chunk)..<min(paths.count, (number + 1) * chunk)].map { path in
        Result { () throws(UnreadablePicture) in
          let facts = try PictureFacts(contentsOf: path)
          var status = stat()
          stat(path, &status)
          return (facts, Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec)))
        }
      }
      results.withLock { $0[number] = read }
    }
    return results.withLock { results in (0..<chunks).flatMap { results[$0] ?? [] } }
  }
}

// MARK: Times

extension OwnPhotos {
  enum Moment: Hashable {
    /// Seconds since the beginning of 2001, UTC.
    case universal(Double)
    /// Seconds since the beginning of 2001 by the local clock of the place.
    case local(Double)
  }

  /// The time of a picture by a clock other than the receiver's, corrected.
  func moment(of picture: Picture) -> (moment: Moment, rule: PhotoPlacement.Rule)? {
    let facts = picture.facts
    guard let time = facts.cameraTime.map({ $0 + times.offset }) else {
      // A position needs no time that may be another one.
      let isNeeded = times.isLoose && facts.coordinate == nil
      return isNeeded ? (looseMoment(of: picture), .looseTime) : nil
    }
    if let sync = syncPicture?.facts, let shown = times.sync?.time.timeIntervalSinceReferenceDate,
      sync.camera == facts.camera, let clock = sync.cameraTime
    {
      // Without two offsets, both clocks are taken to be in the same zone.
      let zones = facts.offset.flatMap { offset in sync.offset.map { offset - $0 } } ?? 0
      return (.universal(time + shown - clock - zones), .offsetTime)
    }
    if let offset = facts.offset { return (.universal(time - offset), .offsetTime) }
    return (.local(time), .trackZone)
  }

  /// The time in the name of a file, or else its modification time.
  private func looseMoment(of picture: Picture) -> Moment {
    let name = (picture.id as NSString).lastPathComponent
    let form =
      #/(?:^|[^0-9])([0-9]{4})[-_.]?([0-9]{2})[-_.]?([0-9]{2})[-_. T]*([0-9]{2})[-_.:]?([0-9]{2})[-_.:]?([0-9]{2})/#
    guard let match = name.firstMatch(of: form)?.output,
      let seconds = CivilDate.seconds(
        [match.1, match.2, match.3, match.4, match.5, match.6].compactMap { Int($0) }
      ).map(Double.init)
    else { return .universal(picture.modified.timeIntervalSinceReferenceDate) }
    // Pixel phones name pictures by UTC.
    return name.hasPrefix("PXL_") ? .universal(seconds) : .local(seconds + times.offset)
  }
}
