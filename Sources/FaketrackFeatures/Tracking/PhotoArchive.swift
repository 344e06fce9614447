import FaketrackServices
import Foundation

/// Keeps the photos of a walk in a directory, with a table of whom they are owed to.
///
/// A photo is written beside its place and moved there when it is whole, so that a walk which is
/// killed and repeated goes on where it was: what is there already is not fetched again.
package actor PhotoArchive {
  /// The directory or a file in it cannot be written.
  package struct Failure: Error, Hashable {
    package let path: String
    package let reason: String
  }

  /// The name of the table of credits.
  package static let creditsName = "credits.csv"
  /// After so many photos in a row that could not be had, no further one is asked for.
  package static let failuresBeforeGivingUp = 8
  private static let maximumSize = 32 << 20

  private let directory: String
  private let client: ServiceClient
  private let header: String
  private let credit: @Sendable (Visit, _ file: String) -> String
  private var table: CreditTable?
  /// Where the photos of this walk are kept, by their addresses.
  private var names: [URL: String] = [:]
  private var failuresInARow = 0

  /// - Parameters:
  ///   - directory: the path of the directory, which is made if it is not there.
  ///   - header: the first line of the table, with its line break.
  ///   - credit: the line of the table for a visit with a photo, with its line break; the name of
  ///     the file, followed by a comma, comes first.
  package init(
    _ directory: String, header: String, in environment: ServiceEnvironment,
    credit: @escaping @Sendable (Visit, _ file: String) -> String
  ) {
    self.directory = directory
    self.header = header
    self.credit = credit
    client = ServiceClient(
      ServiceProfile(
        name: "the photo's server", concurrency: 1,
        userAgent: Product.userAgent(library: "PhotoSearch")),
      in: environment)
  }

  /// Makes the directory and the table, unless that has been done.
  ///
  /// - Throws: ``Failure`` when they cannot be written.
  package func open() throws {
    guard table == nil else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      let cause = (error as? CocoaError)?.underlying as? POSIXError
      throw Failure(
        path: directory,
        reason: cause.map { String(cString: strerror($0.code.rawValue)) }
          ?? error.localizedDescription)
    }
    table = try CreditTable(at: path(of: Self.creditsName), header: header)
  }

  /// Fetches the photo of a visit unless it is there, and returns its path; `nil` without a photo.
  ///
  /// - Throws: ``Failure`` when it cannot be written, `ServiceError` when it cannot be had.
  package func keep(_ visit: Visit) async throws -> String? {
    guard let photo = visit.photo else { return nil }
    try open()
    let name = Self.name(for: visit.index, id: photo.id, url: photo.url)
    let path = path(of: name)
    if !WritableFile.holdsBytes(path) {
      try WritableFile.replace(path, with: try await image(at: photo.url))
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
        service: "the photo's server", reason: .unreachable,
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

  /// `0007-<id>.jpg`, with nothing in it that a file system could take for more than a name.
  static func name(for index: Int, id: String, url: URL) -> String {
    let number = String(index)
    let safe = id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "_" }
    let ending = url.pathExtension.lowercased()
    return String(repeating: "0", count: max(0, 4 - number.count)) + number + "-"
      + String(safe.prefix(100)) + "." + (["png", "gif", "webp"].contains(ending) ? ending : "jpg")
  }
}

extension HTTPResponse {
  /// The body, if it can be an image: the text of an error page is none.
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
