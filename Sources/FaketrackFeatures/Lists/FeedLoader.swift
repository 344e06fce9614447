import Dispatch
import FaketrackServices
import FaketrackSupport
import Foundation

/// Gets the feed of the lists.
package protocol FeedLoading: Sendable {
  /// - Parameter isRefresh: whether to check a cached feed with the service.
  func feed(isRefresh: Bool) async throws -> Data
}

/// Gets a feed from a file, or from a service over HTTP with retries and a cache.
package struct FeedLoader: FeedLoading {
  package typealias Make = @Sendable (_ location: String) -> any FeedLoading

  /// The maximum size of a feed in bytes.
  package static let maximumSize = 16 << 20

  private let load: @Sendable (_ isRefresh: Bool) async throws -> Data

  /// - Parameters:
  ///   - location: a path, or an address that begins with `http`, `https` or `file`.
  ///   - cache: stores answers for as long as the service allows. A stale answer never hides a
  ///     failed request.
  package init(
    _ location: String, userAgent: String, in environment: ServiceEnvironment,
    cache: (any DocumentCaching)? = nil
  ) {
    if !location.contains("://") {
      load = { _ in try await Self.contents(of: location) }
    } else if let url = URL(string: location), url.scheme?.lowercased() == "file" {
      load = { _ in try await Self.contents(of: url.path) }
    } else if let url = URL(webAddress: location), let host = url.host {
      let profile = ServiceProfile(name: host, concurrency: 1, userAgent: userAgent)
      let client = DocumentClient(profile, in: environment, cache: cache)
      var request = ServiceRequest(url, maximumBodySize: Self.maximumSize)
      request.redirects = .anyHost
      load = { [request] isRefresh in
        try await client.send(request, revalidating: isRefresh) { response in
          // An answer that is not JSON is the service's failure, and worth another attempt.
          _ = try JSONDecoder().decode(AnyJSON.self, from: response.body)
          return response.body
        }
      }
    } else {
      load = { _ in
        throw Failure(
          message: "the address of the feed is not usable",
          hint: "Give a file, or an address that begins with http:// or https://.")
      }
    }
  }

  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// - Throws: ``Failure`` for a file, `ServiceError` for a service, `CancellationError`.
  package func feed(isRefresh: Bool = false) async throws -> Data { try await load(isRefresh) }

  private static func contents(of path: String) async throws -> Data {
    // A pipe or a disk may never answer.
    try await DispatchQueue(label: "faketrack.feed").blocking { try read(path) }
  }

  private static func read(_ path: String) throws(Failure) -> Data {
    do {
      return Data(try WholeFile.bytes(of: path, limit: maximumSize).withoutByteOrderMark)
    } catch {
      if error.code == FileError.tooLarge {
        throw Failure(
          message: "the file is longer than \(maximumSize >> 20) MB",
          hint: "Split the feed into smaller files.")
      }
      throw Failure(
        message: "the file cannot be read: \(reason(error))",
        hint: "Check that the file exists and may be read.")
    }
  }

  private static func reason(_ error: FileError) -> String {
    switch error.code {
    case EISDIR: "it is a directory"
    case EACCES: "permission denied"
    case ENOENT: "there is no such file"
    default: error.reason
    }
  }
}
