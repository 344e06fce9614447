#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// The choice of a provider: one by its name, one chosen automatically, or none.
package enum PhotoSourceChoice: Hashable, Sendable {
  /// The first provider whose key is there, otherwise the first that needs none; if that gives no
  /// useful answer to the first search, the fallback.
  case auto
  /// The provider with this name.
  case provider(String)
  case none

  /// The choice with this name among `auto`, the names of the providers, and `none`.
  package init?(_ name: String, among providers: [PhotoProvider]) {
    guard let choice = Self.all(among: providers).first(where: { $0.rawValue == name }) else {
      return nil
    }
    self = choice
  }

  /// All choices among some providers.
  package static func all(among providers: [PhotoProvider]) -> [PhotoSourceChoice] {
    [.auto] + providers.map { .provider($0.name) } + [.none]
  }
}

extension PhotoSourceChoice: RawRepresentable, CaseIterable {
  package init?(rawValue: String) {
    self.init(rawValue, among: PhotoProvider.all)
  }

  package var rawValue: String {
    switch self {
    case .auto: "auto"
    case .provider(let name): name
    case .none: "none"
    }
  }

  package static var allCases: [PhotoSourceChoice] { all(among: PhotoProvider.all) }
}

/// The reason why a photo source is unavailable.
package enum PhotoSourceError: Error {
  /// The provider needs a key, and its variable holds none.
  case missingKey(PhotoProvider)
  /// The variable holds something else than the address of a service.
  case unusableAddress(variable: String)
  /// There is no provider of this name.
  case unknownProvider(String)
  /// The provider's photos are made up, so that there is nothing to download; `nil` for none.
  case notDownloadable(PhotoProvider?)
}

extension PhotoPipeline {
  /// Makes the pipeline for a choice of provider.
  ///
  /// - Parameters:
  ///   - variables: the environment variables with the providers' keys and addresses.
  ///   - imageBase: the start of the addresses of made-up images.
  ///   - concurrency: the number of calls under way at once, as far as the service allows it.
  ///   - downloads: whether the photos are to be downloaded, for which they have to exist.
  ///   - onFallback: called once if ``fallback`` takes over, with the reason.
  /// - Returns: `nil` for ``PhotoSourceChoice/none``.
  /// - Throws: ``PhotoSourceError``; an unusable address of any provider counts.
  package static func make(
    _ choice: PhotoSourceChoice, among providers: [PhotoProvider] = PhotoProvider.all,
    variables: [String: String] = [:], imageBase: URL? = nil, concurrency: Int = 4,
    store: (any PhotoSearchStoring)? = nil, refreshes: Bool = false, downloads: Bool = false,
    in services: ServiceEnvironment,
    onFallback: @escaping @Sendable (PhotoSearchError) -> Void = { _ in }
  ) throws(PhotoSourceError) -> PhotoPipeline? {
    var endpoints: [String: URL] = [:]
    for provider in providers { endpoints[provider.name] = try provider.endpoint(in: variables) }
    guard
      let (provider, fallback) = try choose(choice, among: providers, variables, downloads)
    else { return nil }
    let counter = CallCounter()
    func search(_ provider: PhotoProvider, in services: ServiceEnvironment) -> any PhotoSearching {
      let search = provider.makeSearch(
        PhotoProvider.Configuration(
          key: provider.key(in: variables) ?? Secret(""), endpoint: endpoints[provider.name],
          imageBase: imageBase, concurrency: concurrency, userAgent: Product.application,
          environment: services))
      guard provider.storesSearches else { return search }
      return StoredSearch(
        search, counter: counter, store: store, refreshes: refreshes, logger: services.logger)
    }
    guard let fallback else {
      return PhotoPipeline(
        stages: search(provider, in: services), counter: counter, provider: provider)
    }
    let contact = FallbackSearch.Contact(with: provider.title)
    var observed = services
    observed.observer = { event in
      contact.receive(event)
      services.observer?(event)
    }
    let stages = FallbackSearch(
      search(provider, in: observed), else: search(fallback, in: services), contact: contact,
      clock: services.clock, onFallback: onFallback)
    return PhotoPipeline(
      stages: stages, counter: counter, provider: provider, fallback: fallback)
  }

  private static func choose(
    _ choice: PhotoSourceChoice, among providers: [PhotoProvider],
    _ variables: [String: String], _ downloads: Bool
  ) throws(PhotoSourceError) -> (PhotoProvider, fallback: PhotoProvider?)? {
    switch choice {
    case .none:
      if downloads { throw .notDownloadable(nil) }
      return nil
    case .provider(let name):
      guard let provider = providers.first(where: { $0.name == name }) else {
        throw .unknownProvider(name)
      }
      if downloads, !provider.hasRealPhotos { throw .notDownloadable(provider) }
      if provider.keyVariable != nil, provider.key(in: variables) == nil {
        throw .missingKey(provider)
      }
      return (provider, nil)
    case .auto:
      if let provider = providers.first(where: { $0.key(in: variables) != nil }) {
        return (provider, nil)
      }
      let free = providers.filter { $0.keyVariable == nil }
      let fallback = downloads ? nil : free.first(where: \.isFallback)
      if let provider = free.first(where: { !$0.isFallback }) { return (provider, fallback) }
      return fallback.map { ($0, nil) }
    }
  }

  /// The origins that a page has to be allowed to load images from.
  package nonisolated var imageHosts: [String] {
    (provider?.imageHosts ?? []) + (fallback?.imageHosts ?? [])
  }

  /// The notice for the user about a pipeline's provider, or about there being no photos.
  package static func notice(of pipeline: PhotoPipeline?) -> String {
    pipeline?.provider?.notice ?? "photos: none"
  }
}
