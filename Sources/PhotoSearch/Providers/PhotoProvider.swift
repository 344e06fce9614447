#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// A description of a photo provider for the command line and the page.
///
/// Adding a provider takes one file, with its ``PhotoSearching`` and a value of this type, and one
/// line, in ``all``.
package struct PhotoProvider: Sendable {
  /// The name that selects the provider, such as `flickr`.
  package var name: String
  /// The display name, such as `Wikimedia Commons`.
  package var title: String
  /// The notice for the user while its photos are in use; one or more lines.
  package var notice: String
  /// The environment variable that holds its key, or `nil` if it needs none.
  package var keyVariable: String?
  /// The environment variable that may hold another address of its service.
  package var endpointVariable: String?
  /// The origins that a page has to be allowed to load its images from.
  package var imageHosts: [String]
  /// Whether its photos really exist, so that they can be downloaded.
  package var hasRealPhotos: Bool
  /// Whether it replaces a provider that was chosen automatically and cannot be reached.
  package var isFallback: Bool
  /// Whether its searches are worth storing for later runs.
  package var storesSearches: Bool
  /// Makes its search.
  package var makeSearch: @Sendable (Configuration) -> any PhotoSearching

  /// Creates a description; what is left out holds for a web service without a key.
  package init(
    name: String, title: String, notice: String, keyVariable: String? = nil,
    endpointVariable: String? = nil, imageHosts: [String] = [], hasRealPhotos: Bool = true,
    isFallback: Bool = false, storesSearches: Bool = true,
    makeSearch: @escaping @Sendable (Configuration) -> any PhotoSearching
  ) {
    self.name = name
    self.title = title
    self.notice = notice
    self.keyVariable = keyVariable
    self.endpointVariable = endpointVariable
    self.imageHosts = imageHosts
    self.hasRealPhotos = hasRealPhotos
    self.isFallback = isFallback
    self.storesSearches = storesSearches
    self.makeSearch = makeSearch
  }

  /// All providers, in the order in which an automatic choice prefers them.
  package static let all: [PhotoProvider] = [
    .flickr,
    .commons,
    .sample,
  ]
}

extension PhotoProvider {
  /// The settings of a provider's search.
  package struct Configuration: Sendable {
    /// The key; empty for a provider that needs none.
    package var key: Secret
    /// Another address than the service's own: a proxy, a cache, a test server.
    package var endpoint: URL?
    /// The start of the addresses of made-up images.
    package var imageBase: URL?
    /// The number of requests under way at once, as far as the service allows it.
    package var concurrency: Int
    /// The app that asks, as `name/version (contact)`.
    package var userAgent: String
    /// The network, the time and the log.
    package var environment: ServiceEnvironment

    package init(
      key: Secret = Secret(""), endpoint: URL? = nil, imageBase: URL? = nil, concurrency: Int = 4,
      userAgent: String, environment: ServiceEnvironment
    ) {
      self.key = key
      self.endpoint = endpoint
      self.imageBase = imageBase
      self.concurrency = concurrency
      self.userAgent = userAgent
      self.environment = environment
    }

    /// The identity of a search in a store: another address is another source.
    func identity(of name: String) -> String {
      endpoint.map { "\(name)+\($0.withoutUser.absoluteString)" } ?? name
    }

    /// The `User-Agent` of this library's calls.
    var libraryUserAgent: String { Product.userAgent(for: userAgent, library: "PhotoSearch") }
  }
}

extension PhotoProvider {
  /// The key in an environment; white space alone counts as none.
  package func key(in environment: [String: String]) -> Secret? {
    let key = keyVariable.flatMap { environment[$0] }?.filter { !$0.isWhitespace } ?? ""
    return key.isEmpty ? nil : Secret(key)
  }

  /// The address of the service in an environment, if there is one.
  ///
  /// - Throws: ``PhotoSourceError/unusableAddress(variable:)`` for anything but an http or https
  ///   URL.
  package func endpoint(in environment: [String: String]) throws(PhotoSourceError) -> URL? {
    guard let variable = endpointVariable, let text = environment[variable], !text.isEmpty else {
      return nil
    }
    guard let url = URL(webAddress: text) else { throw .unusableAddress(variable: variable) }
    return url
  }
}
