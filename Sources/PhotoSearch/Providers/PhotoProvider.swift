import FaketrackServices
import Foundation

/// A description of a photo provider for the command line and the page.
///
/// Adding a provider takes one file, with its ``PhotoSearching`` and a value of this type, and one
/// line, in ``all``.
package struct PhotoProvider: Sendable {
  /// The name on the command line, such as `flickr`.
  package var name: String
  package var title: String
  /// The notice for the user while its photos are in use; one or more lines.
  var notice: String
  /// The environment variable that holds its key, or `nil` if it needs none.
  package var keyVariable: String?
  /// The environment variable that may hold another address of its service.
  package var endpointVariable: String?
  /// The origins that a page has to be allowed to load its images from.
  var imageHosts: [String] = []
  /// Whether its photos are made up, without a service: they cannot be downloaded, its searches are
  /// not stored, and only screens show them in place of photos that cannot be reached.
  package var isMadeUp = false
  var makeSearch: @Sendable (Configuration) -> any PhotoSearching

  /// All providers, in the order in which an automatic choice prefers them.
  package static let all: [PhotoProvider] = [
    .flickr,
    .commons,
    .sample,
  ]
}

extension PhotoProvider {
  struct Configuration: Sendable {
    var key = Secret("")
    /// Another address than the service's own: a proxy, a cache, a test server.
    var endpoint: URL?
    /// The start of the addresses of made-up images.
    var imageBase: URL?
    /// The number of requests under way at once, as far as the service allows it.
    var concurrency = 4
    /// The app that asks, as `name/version (contact)`.
    var userAgent: String
    var environment: ServiceEnvironment

    /// The identity of a search in a store: another address is another source.
    func identity(of name: String) -> String {
      endpoint.map { "\(name)+\($0.withoutUser.absoluteString)" } ?? name
    }

    func client(
      _ service: String, atMost maximum: Int = .max, limit: CallLimit? = nil
    ) -> ServiceClient {
      ServiceClient(
        ServiceProfile(
          name: service, concurrency: min(concurrency, maximum), limit: limit,
          userAgent: Product.userAgent(for: userAgent, library: "PhotoSearch")),
        in: environment)
    }
  }

  /// The key in an environment; white space alone counts as none.
  package func key(in environment: [String: String]) -> Secret? {
    let key = keyVariable.flatMap { environment[$0] }?.filter { !$0.isWhitespace } ?? ""
    return key.isEmpty ? nil : Secret(key)
  }

  /// The address of the service in an environment, if there is one.
  ///
  /// - Throws: ``PhotoSourceError/unusableAddress(variable:)`` for anything but an http or https
  ///   URL.
  func endpoint(in environment: [String: String]) throws(PhotoSourceError) -> URL? {
    guard let variable = endpointVariable, let text = environment[variable], !text.isEmpty else {
      return nil
    }
    guard let url = URL(webAddress: text) else { throw .unusableAddress(variable: variable) }
    return url
  }
}

extension ServiceClient {
  /// Sends a request, with retries; a failure becomes a ``PhotoSearchError``.
  func answer<Answer: Sendable>(
    to request: ServiceRequest, decode: @Sendable (ServiceResponse) throws -> Answer
  ) async throws -> Answer {
    do {
      return try await send(request, decode: decode)
    } catch let error as ServiceError {
      throw PhotoSearchError(error, from: error.service)
    }
  }
}
