import FaketrackServices
import Foundation

/// Gets the feed of the lists.
package protocol FeedLoading: Sendable {
  /// The bytes of the feed.
  ///
  /// - Parameter isRefresh: whether to check a cached feed with the service.
  func feed(isRefresh: Bool) async throws -> Data
}

/// Gets a feed from a file, or from a service over HTTP with retries and a cache.
package struct FeedLoader: FeedLoading {
  /// The most bytes a feed may have.
  package static let maximumSize = 16 << 20

  private enum Source {
    case file(String)
    case service(URL, DocumentClient)
    /// An address of neither a file nor a web service.
    case unusable
  }

  private let source: Source

  /// - Parameters:
  ///   - location: a path, or an address that begins with `http`, `https` or `file`.
  ///   - cache: stores answers for as long as the service allows. A stale answer never hides a
  ///     failed request.
  package init(
    _ location: String, userAgent: String, in environment: ServiceEnvironment,
    cache: (any DocumentCaching)? = nil
  ) {
    if !location.contains("://") {
      source = .file(location)
    } else if let url = URL(string: location), url.scheme?.lowercased() == "file" {
      source = .file(url.path)
    } else if let url = URL(webAddress: location), let host = url.host {
      let profile = ServiceProfile(name: host, concurrency: 1, userAgent: userAgent)
      source = .service(url, DocumentClient(profile, in: environment, cache: cache))
    } else {
      source = .unusable
    }
  }

  /// - Throws: ``Failure`` for a file, `ServiceError` for a service, `CancellationError`.
  package func feed(isRefresh: Bool = false) async throws -> Data {
    switch source {
    case .file(let path):
      return try Self.contents(of: path)
    case .service(let url, let client):
      let request = HTTPRequest(
        url, maximumBodySize: Self.maximumSize, timeLimit: .file, redirects: .anyHost)
      return try await client.send(request, revalidating: isRefresh) { $0.body }
    case .unusable:
      throw Failure(
        message: "the address of the feed is not usable",
        hint: "Give a file, or an address that begins with http:// or https://.")
    }
  }

  /// Reads a file, or a pipe, up to the largest size.
  private static func contents(of path: String) throws(Failure) -> Data {
    var contents = Data()
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      while contents.count <= maximumSize,
        let part = try file.read(upToCount: maximumSize + 1 - contents.count), !part.isEmpty
      {
        contents += part
      }
    } catch {
      throw Failure(
        message: "the file cannot be read: \(reason(error, path))",
        hint: "Check that the file exists and may be read.")
    }
    guard contents.count <= maximumSize else {
      throw Failure(
        message: "the file is longer than \(maximumSize >> 20) MB",
        hint: "Split the feed into smaller files.")
    }
    return contents
  }

  private static func reason(_ error: any Error, _ path: String) -> String {
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    if isDirectory.boolValue { return "it is a directory" }
    if (error as? CocoaError)?.code == .fileReadNoPermission { return "permission denied" }
    return exists ? error.localizedDescription : "there is no such file"
  }
}
