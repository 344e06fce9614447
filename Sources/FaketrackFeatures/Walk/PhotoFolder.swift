import FaketrackServices
import FaketrackSupport
import Foundation
import PhotoSearch

package enum PhotoDownload: Sendable {
  case present
  case image(Data)
  /// The photo is a copy of an earlier location's file.
  case copy(Data)
  case failed(ServiceError)
}

/// Downloads the photos of a walk to a folder, with a table that credits their authors.
///
/// Photos are fetched concurrently and stored one by one, in order. A photo is written to a
/// temporary file and renamed once it is complete, so a killed run can simply be repeated: existing
/// photos are not fetched again.
package actor PhotoFolder {
  package static let creditsName = "credits.csv"
  package static let failuresBeforeGivingUp = 8
  package static let concurrency = 4
  private static let maximumSize = 32 << 20
  private static let noteLimit = 20
  private static let service = "the photo's server"

  private let folder: OutputFolder
  private let client: ServiceClient
  private let note: @Sendable (String) -> Void
  private var changedCount = 0
  private var table: CreditTable?
  /// The files of this walk, by photo URL.
  private var names: [URL: String] = [:]
  /// The photos that are being fetched or are not stored yet, by URL.
  private var fetches: [URL: Task<PhotoDownload, any Error>] = [:]
  private var failuresInARow = 0

  /// - Parameters:
  ///   - track: the track whose photos these are; in a batch, a subfolder is named after it.
  ///   - note: receives notes for the user.
  package init(
    _ directory: String, track: String? = nil, fetching client: ServiceClient,
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    folder = OutputFolder(directory, subfolder: track.map(Self.name(ofTrack:)))
    self.client = client
    self.note = note
  }

  package static func client(
    userAgent: String, in environment: ServiceEnvironment
  ) -> ServiceClient {
    ServiceClient(
      ServiceProfile(name: service, concurrency: concurrency, userAgent: userAgent),
      in: environment)
  }

  /// The name of the folder for the photos of a track.
  static func name(ofTrack track: String) -> String {
    let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_."))
    // Non-ASCII characters are encoded even if the set allows them.
    var name = track.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    if name.hasPrefix(".") { name = "%2E" + name.dropFirst() }
    // File systems limit names to 255 bytes.
    if name.utf8.count > 200 {
      let hash = track.utf8.reduce(UInt64(0)) { SplitMix64.mix($0 ^ UInt64($1)) }
      name = String(name.prefix(180)) + "~" + String(hash, radix: 16)
    }
    return name
  }

  /// Creates the folder and the table, unless that is already done.
  ///
  /// - Throws: `FileError` or ``Failure`` if they cannot be written.
  package func open() throws {
    guard table == nil else { return }
    try folder.open()
    table = try CreditTable(folder)
  }

  /// Fetches the photo of a location, unless its file exists or the walk already has the photo.
  package func fetch(_ photo: Photo, for index: Int) async throws -> PhotoDownload {
    let name = Self.name(for: index, id: photo.id, url: photo.imageURL)
    if Self.holdsBytes(folder.path(of: name)) {
      if changedCount < Self.noteLimit, folder.isChanged(name) {
        changedCount += 1
        note("note: kept \(folder.path(of: name)), which was changed since faketrack wrote it")
      }
      return .present
    }
    if let name = names[photo.imageURL],
      let image = FileManager.default.contents(atPath: folder.path(of: name))
    {
      return .copy(image)
    }
    if hasGivenUp { return .failed(Self.givenUp) }
    let fetch = fetches[photo.imageURL] ?? Task { try await image(at: photo.imageURL) }
    fetches[photo.imageURL] = fetch
    return try await fetch.join().get()
  }

  /// Writes the photo of a visit and its credit, and returns its path; `nil` without a photo.
  ///
  /// - Throws: `FileError` or ``Failure`` if they cannot be written, `ServiceError` if the photo
  ///   could not be fetched or downloads have stopped after too many failures.
  package func keep(_ download: PhotoDownload, of visit: Visit) throws -> String? {
    guard let photo = visit.photo else { return nil }
    let name = Self.name(for: visit.index, id: photo.id, url: photo.imageURL)
    fetches[photo.imageURL] = nil
    switch download {
    case .present: break
    case .copy(let image): try write(image, name)
    case .image where hasGivenUp, .failed where hasGivenUp: throw Self.givenUp
    case .image(let image):
      failuresInARow = 0
      try write(image, name)
    case .failed(let error):
      failuresInARow += 1
      throw error
    }
    names[photo.imageURL] = name
    try open()
    try table?.add(name, line: PhotoCredits.line(for: visit, file: name))
    return folder.path(of: name)
  }

  private func write(_ image: Data, _ name: String) throws {
    guard try folder.write(name, with: Array(image)) else { throw folder.foreign(name) }
  }

  private func image(at url: URL) async throws -> PhotoDownload {
    do {
      let request = ServiceRequest.file(url, maximumSize: Self.maximumSize)
      return .image(try await client.send(request) { try $0.image() })
    } catch let error as ServiceError {
      return .failed(error)
    }
  }

  private var hasGivenUp: Bool { failuresInARow >= Self.failuresBeforeGivingUp }

  private static var givenUp: ServiceError {
    ServiceError(
      service: service, reason: .unreachable,
      message: "no photo came \(failuresBeforeGivingUp) times in a row", attempts: 0)
  }

  /// `0007-<id>.jpg`, without characters that are special to a file system.
  static func name(for index: Int, id: String, url: URL) -> String {
    let safe = id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "_" }
    let ending = url.pathExtension.lowercased()
    return DecimalText.padded(index, digits: 4) + "-" + String(safe.prefix(100)) + "."
      + (["png", "gif", "webp"].contains(ending) ? ending : "jpg")
  }

  private static func holdsBytes(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.kind == .regular && status.st_size > 0
  }
}

extension ServiceResponse {
  /// The body, if it can be an image and not the text of an error page.
  fileprivate func image() throws -> Data {
    if body.isEmpty { throw AttemptFailure(.brokenAnswer, "the answer is empty") }
    let type = header("Content-Type")?.lowercased() ?? "image"
    guard type.hasPrefix("image") || type.contains("octet-stream") else {
      throw AttemptFailure(.brokenAnswer, "\(type) instead of an image")
    }
    return body
  }
}

/// The table that credits downloaded photos: one line per file, written when the file is complete.
private struct CreditTable {
  private let table: OutputTable
  private var names: Set<String>

  init(_ folder: OutputFolder) throws {
    table = try folder.table(PhotoFolder.creditsName, header: PhotoCredits.header)
    // A line that was cut off does not count. Names need no quotes, so they end at the first comma.
    let columns = PhotoCredits.header.count { $0 == "," }
    let lines = table.lines.filter { line in line.count { $0 == "," } >= columns }
    names = Set(lines.map { String($0.unicodeScalars.prefix { $0 != "," }) })
  }

  /// Adds the line of a file, unless the file already has one.
  mutating func add(_ name: String, line: String) throws {
    guard names.insert(name).inserted else { return }
    try table.append(line)
  }
}
