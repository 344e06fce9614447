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
  private static let service = "the photo's server"

  private let directory: String
  private let client: ServiceClient
  private var table: CreditTable?
  /// The files of this walk, by photo URL.
  private var names: [URL: String] = [:]
  /// The photos that are being fetched or are not stored yet, by URL.
  private var fetches: [URL: Task<PhotoDownload, any Error>] = [:]
  private var failuresInARow = 0

  package init(_ directory: String, fetching client: ServiceClient) {
    self.directory = directory
    self.client = client
  }

  package static func client(
    userAgent: String, in environment: ServiceEnvironment
  ) -> ServiceClient {
    ServiceClient(
      ServiceProfile(name: service, concurrency: concurrency, userAgent: userAgent),
      in: environment)
  }

  /// The folder for the photos of a track; in a batch, a subfolder named after the track.
  package static func directory(of track: String?, in directory: String) -> String {
    guard let track else { return directory }
    let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_."))
    // Non-ASCII characters are encoded even if the set allows them.
    var name = track.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    if name.hasPrefix(".") { name = "%2E" + name.dropFirst() }
    // File systems limit names to 255 bytes.
    if name.utf8.count > 200 {
      let hash = track.utf8.reduce(UInt64(0)) { SplitMix64.mix($0 ^ UInt64($1)) }
      name = String(name.prefix(180)) + "~" + String(hash, radix: 16)
    }
    return path(of: name, in: directory)
  }

  /// Creates the folder and the table, unless that is already done.
  ///
  /// - Throws: `FileError` or ``Failure`` if they cannot be written.
  package func open() throws {
    guard table == nil else { return }
    try AtomicFile.makeFolder(directory)
    table = try CreditTable(at: path(of: Self.creditsName))
    AtomicFile.removeLeftovers(in: directory)
  }

  /// Fetches the photo of a location, unless its file exists or the walk already has the photo.
  package func fetch(_ photo: Photo, for index: Int) async throws -> PhotoDownload {
    let name = Self.name(for: index, id: photo.id, url: photo.url)
    if Self.holdsBytes(path(of: name)) { return .present }
    if let name = names[photo.url],
      let image = FileManager.default.contents(atPath: path(of: name))
    {
      return .copy(image)
    }
    if hasGivenUp { return .failed(Self.givenUp) }
    let fetch = fetches[photo.url] ?? Task { try await image(at: photo.url) }
    fetches[photo.url] = fetch
    return try await fetch.join().get()
  }

  /// Writes the photo of a visit and its credit, and returns its path; `nil` without a photo.
  ///
  /// - Throws: `FileError` or ``Failure`` if they cannot be written, `ServiceError` if the photo
  ///   could not be fetched or downloads have stopped after too many failures.
  package func keep(_ download: PhotoDownload, of visit: Visit) throws -> String? {
    guard let photo = visit.photo else { return nil }
    let name = Self.name(for: visit.index, id: photo.id, url: photo.url)
    let path = path(of: name)
    fetches[photo.url] = nil
    switch download {
    case .present: break
    case .copy(let image): try AtomicFile.replace(path, with: image)
    case .image where hasGivenUp, .failed where hasGivenUp: throw Self.givenUp
    case .image(let image):
      failuresInARow = 0
      try AtomicFile.replace(path, with: image)
    case .failed(let error):
      failuresInARow += 1
      throw error
    }
    names[photo.url] = name
    try open()
    try table?.add(name, line: PhotoCredits.line(for: visit, file: name))
    return path
  }

  private func image(at url: URL) async throws -> PhotoDownload {
    do {
      let request = HTTPRequest.file(url, maximumSize: Self.maximumSize)
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

  private func path(of name: String) -> String { Self.path(of: name, in: directory) }

  private static func path(of name: String, in directory: String) -> String {
    directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
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
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }
}

extension HTTPResponse {
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
private final class CreditTable {
  private let path: String
  private let descriptor: Int32
  private var names: Set<String> = []

  /// Opens or creates the table, and removes an incomplete last line. It stays locked while it is
  /// open, if the file system supports locks.
  ///
  /// - Throws: `FileError` if it cannot be written, ``Failure`` if another run is writing it or it
  ///   is not a table of ours; it is then unchanged.
  init(at path: String) throws {
    self.path = path
    // O_NONBLOCK turns waiting for the reader of a pipe into an error.
    let flags = O_RDWR | O_CLOEXEC | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
    descriptor = open(path, flags, 0o644)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw errno == ELOOP ? Self.foreign(path, "a symbolic link") : FileError(path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, code: FileError.notAFile)
    }
    if status.st_nlink > 1 { throw Self.foreign(path, "a file with other names (hard links)") }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw Failure(
        message: "\(path): another run is writing here",
        hint: "Wait for it, or name another folder.")
    }
    let text = try contents()
    let header = Data(PhotoCredits.header.utf8)
    guard text.starts(with: header) || header.starts(with: text) else {
      throw Self.foreign(path, "a file that faketrack has not written")
    }
    let end = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if end < text.count, ftruncate(descriptor, off_t(end)) != 0 { throw FileError(path: path) }
    // Names need no quotes, so they end at the first comma.
    let lines = String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").dropFirst()
    names = Set(lines.map { String($0.unicodeScalars.prefix { $0 != "," }) })
    if end == 0 { try write(PhotoCredits.header) }
  }

  private static func foreign(_ path: String, _ kind: String) -> Failure {
    Failure(
      message: "\(path): can't write credits to \(kind)",
      hint: "Move it away, or name another folder with --download.")
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds the line of a file, unless the file already has one.
  func add(_ name: String, line: String) throws {
    guard !names.contains(name) else { return }
    try write(line)
    names.insert(name)
  }

  private func contents() throws(FileError) -> Data {
    var contents = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return contents }
      if count > 0 { contents.append(contentsOf: buffer[..<count]) }
      if count < 0, errno != EINTR { throw FileError(path: path) }
    }
  }

  private func write(_ text: String) throws(FileError) {
    guard AtomicFile.writeAll(Array(text.utf8), to: descriptor) else {
      throw FileError(path: path)
    }
  }
}
