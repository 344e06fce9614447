#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// Which provider photos come from: one by its name, one chosen automatically, or none.
package enum PhotoSourceChoice: Hashable, Sendable {
  /// The first provider whose key is there, otherwise the first that needs none; if that gives no
  /// useful answer at the first search, the fallback.
  case auto
  /// The provider with this name.
  case provider(String)
  case none

  /// The choice with this name among `auto`, the names of the providers, and `none`.
  package init?(_ name: String, among providers: [PhotoProvider]) {
    switch name {
    case "auto": self = .auto
    case "none": self = .none
    default:
      guard providers.contains(where: { $0.name == name }) else { return nil }
      self = .provider(name)
    }
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

/// Why the photos cannot come from where they should.
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

/// What a ``PhotoSource`` is made from.
package struct PhotoSourceSettings: Sendable {
  package var choice: PhotoSourceChoice
  package var providers: [PhotoProvider]
  /// What the addresses of made-up images start with.
  package var imageBase: URL?
  /// How many searches may be under way at once, as far as the service allows it.
  package var concurrency: Int
  /// Stores searches between runs.
  package var store: (any PhotoSearchStoring)?
  /// Whether to search again for what is in the store.
  package var refreshes: Bool
  /// Whether the photos are to be downloaded, for which they have to exist.
  package var downloads: Bool
  fileprivate let keys: [String: Secret]
  fileprivate let endpoints: [String: URL]

  /// Creates settings.
  ///
  /// - Parameter environment: the variables in which providers find their keys and addresses.
  /// - Throws: ``PhotoSourceError/unusableAddress(variable:)``, for any of the providers.
  package init(
    _ choice: PhotoSourceChoice, environment: [String: String] = [:],
    providers: [PhotoProvider] = PhotoProvider.all, imageBase: URL? = nil, concurrency: Int = 4,
    store: (any PhotoSearchStoring)? = nil, refreshes: Bool = false, downloads: Bool = false
  ) throws(PhotoSourceError) {
    self.choice = choice
    self.providers = providers
    self.imageBase = imageBase
    self.concurrency = concurrency
    self.store = store
    self.refreshes = refreshes
    self.downloads = downloads
    var keys: [String: Secret] = [:]
    var endpoints: [String: URL] = [:]
    for provider in providers {
      keys[provider.name] = provider.key(in: environment)
      endpoints[provider.name] = try provider.endpoint(in: environment)
    }
    self.keys = keys
    self.endpoints = endpoints
  }
}

/// A source of photos with its cache, its store and a count of its calls.
package struct PhotoSource: Sendable {
  /// The provider that is searched.
  package let provider: PhotoProvider
  /// The provider that takes over if ``provider`` gives no useful answer to the first search.
  package let fallback: PhotoProvider?
  package let search: any PhotoSearching
  package let counter: CallCounter

  /// The origins that a page has to be allowed to load images from.
  package var imageHosts: [String] { provider.imageHosts + (fallback?.imageHosts ?? []) }

  /// What the user has to be told about a source, or about there being none.
  package static func notice(of source: PhotoSource?) -> String {
    source?.provider.notice ?? "photos: none"
  }

  /// Makes a source.
  ///
  /// - Parameter onFallback: called once if ``fallback`` takes over, with the reason.
  /// - Returns: `nil` for ``PhotoSourceChoice/none``.
  package static func make(
    _ settings: PhotoSourceSettings, in environment: ServiceEnvironment,
    onFallback: @escaping @Sendable (PhotoSearchError) -> Void = { _ in }
  ) throws(PhotoSourceError) -> PhotoSource? {
    guard let (provider, fallback) = try choose(settings) else { return nil }
    let counter = CallCounter()
    let search =
      fallback.map {
        automaticSearch(of: provider, else: $0, counter, settings, environment, onFallback)
      } ?? Self.search(of: provider, counter, settings, environment)
    return PhotoSource(
      provider: provider, fallback: fallback, search: PhotoCache(search), counter: counter)
  }

  private static func automaticSearch(
    of provider: PhotoProvider, else fallback: PhotoProvider, _ counter: CallCounter,
    _ settings: PhotoSourceSettings, _ environment: ServiceEnvironment,
    _ onFallback: @escaping @Sendable (PhotoSearchError) -> Void
  ) -> AutoPhotoSearch {
    let contact = AutoPhotoSearch.Contact(with: provider.title)
    var observed = environment
    observed.observer = { event in
      contact.receive(event)
      environment.observer?(event)
    }
    return AutoPhotoSearch(
      search(of: provider, counter, settings, observed),
      else: search(of: fallback, counter, settings, environment), contact: contact,
      clock: environment.clock, onFallback: onFallback)
  }

  private static func choose(
    _ settings: PhotoSourceSettings
  ) throws(PhotoSourceError) -> (PhotoProvider, fallback: PhotoProvider?)? {
    let providers = settings.providers
    switch settings.choice {
    case .none:
      if settings.downloads { throw .notDownloadable(nil) }
      return nil
    case .provider(let name):
      guard let provider = providers.first(where: { $0.name == name }) else {
        throw .unknownProvider(name)
      }
      if settings.downloads, !provider.hasRealPhotos { throw .notDownloadable(provider) }
      if provider.keyVariable != nil, settings.keys[name] == nil { throw .missingKey(provider) }
      return (provider, nil)
    case .auto:
      if let provider = providers.first(where: { settings.keys[$0.name] != nil }) {
        return (provider, nil)
      }
      let free = providers.filter { $0.keyVariable == nil }
      let fallback = settings.downloads ? nil : free.first(where: \.isFallback)
      if let provider = free.first(where: { !$0.isFallback }) { return (provider, fallback) }
      return fallback.map { ($0, nil) }
    }
  }

  /// A provider's search; if the provider stores searches, it is counted and uses the store.
  private static func search(
    of provider: PhotoProvider, _ counter: CallCounter, _ settings: PhotoSourceSettings,
    _ environment: ServiceEnvironment
  ) -> any PhotoSearching {
    let search = provider.makeSearch(
      PhotoProvider.Configuration(
        key: settings.keys[provider.name] ?? Secret(""),
        endpoint: settings.endpoints[provider.name],
        imageBase: settings.imageBase, concurrency: settings.concurrency,
        userAgent: Product.application, environment: environment))
    guard provider.storesSearches else { return search }
    let counted = CountedPhotoSearch(search, counter: counter)
    guard let store = settings.store else { return counted }
    return StoredPhotoSearch(
      counted, store: store, refreshes: settings.refreshes, logger: environment.logger)
  }
}
