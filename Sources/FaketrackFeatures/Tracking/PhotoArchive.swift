import FaketrackServices
import FaketrackSupport
import Foundation
import PhotoSearch

/// Downloads the photos of a walk to a folder, with a table that credits their authors.
///
/// A photo is written to a temporary file and renamed once it is complete, so a walk that was killed
/// can simply be repeated: photos that are already there are not fetched again.
package actor PhotoArchive {
  /// The name of the table of credits.
  package static let creditsName = "credits.csv"
  /// The number of failed downloads in a row after which no more are tried.
  package static let failuresBeforeGivingUp = 8
  private static let maximumSize = 32 << 20
  private static let service = "the photo's server"

  private let directory: String
  private let client: ServiceClient
  private let header: String
  private let credit: @Sendable (Visit, _ file: String) -> String
  private var table: CreditTable?
  /// The files of this walk, by the addresses of their photos.
  private var names: [URL: String] = [:]
  private var failuresInARow = 0

  /// - Parameters:
  ///   - directory: the path of the folder, which is created if it is not there.
  ///   - header: the first line of the table, with its line break.
  ///   - credit: the line of the table for a visit with a photo, with its line break; it begins with
  ///     the name of the file, followed by a comma.
  package init(
    _ directory: String, header: String, userAgent: String, in environment: ServiceEnvironment,
    credit: @escaping @Sendable (Visit, _ file: String) -> String
  ) {
    self.directory = directory
    self.header = header
    self.credit = credit
    client = ServiceClient(
      ServiceProfile(name: Self.service, concurrency: 1, userAgent: userAgent), in: environment)
  }

  /// Creates the folder and the table, unless that has been done.
  ///
  /// - Throws: `FileError` or ``Failure`` when they cannot be written.
  package func open() throws {
    guard table == nil else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      let cause = (error as? CocoaError)?.underlying as? POSIXError
      throw cause.map { FileError(path: directory, code: $0.code.rawValue) } ?? error
    }
    table = try CreditTable(at: path(of: Self.creditsName), header: header)
  }

  /// Downloads the photo of a visit unless it is there, and returns its path; `nil` without a photo.
  ///
  /// - Throws: `FileError` when it cannot be written, `ServiceError` when it cannot be fetched.
  package func download(_ visit: Visit) async throws -> String? {
    guard let photo = visit.photo else { return nil }
    try open()
    let name = Self.name(for: visit.index, id: photo.id, url: photo.url)
    let path = path(of: name)
    if !Self.holdsBytes(path) {
      try AtomicFile.replace(path, with: try await image(at: photo.url))
    }
    names[photo.url] = name
    try table?.add(name, line: credit(visit, name))
    return path
  }

  /// The bytes of a photo, fetched unless this walk has shown it before.
  private func image(at url: URL) async throws -> Data {
    if let name = names[url], let image = FileManager.default.contents(atPath: path(of: name)) {
      return image
    }
    guard failuresInARow < Self.failuresBeforeGivingUp else {
      throw ServiceError(
        service: Self.service, reason: .unreachable,
        message: "no photo came \(Self.failuresBeforeGivingUp) times in a row", attempts: 0)
    }
    do {
      let request = HTTPRequest(url, maximumBodySize: Self.maximumSize, redirects: .anyHost)
      let image = try await client.send(request) { try $0.image() }
      failuresInARow = 0
      return image
    } catch let error as ServiceError {
      failuresInARow += 1
      throw error
    }
  }

  private func path(of name: String) -> String {
    directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// `0007-<id>.jpg`, with nothing in it that a file system could read as more than a name.
  static func name(for index: Int, id: String, url: URL) -> String {
    let safe = id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "_" }
    let ending = url.pathExtension.lowercased()
    return DecimalText.padded(index, digits: 4) + "-" + String(safe.prefix(100)) + "."
      + (["png", "gif", "webp"].contains(ending) ? ending : "jpg")
  }

  /// Whether there is a file with something in it.
  private static func holdsBytes(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
  }
}

extension HTTPResponse {
  /// The body, if it can be an image; the text of an error page cannot.
  ///
  /// - Throws: `ServiceFault` for what is worth another try.
  fileprivate func image() throws -> Data {
    if body.isEmpty { throw ServiceFault.broken("the answer is empty") }
    let type = header("Content-Type")?.lowercased() ?? "image"
    guard type.hasPrefix("image") || type.contains("octet-stream") else {
      throw ServiceFault.broken("\(type) instead of an image")
    }
    return body
  }
}
