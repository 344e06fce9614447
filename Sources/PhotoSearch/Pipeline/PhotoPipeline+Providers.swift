import FaketrackServices
import Foundation

/// The choice of a provider: one by its name, one chosen automatically, a folder, or none.
package enum PhotoSourceChoice: RawRepresentable, CaseIterable, Sendable {
  /// The first provider whose key is there, otherwise the first that needs none.
  case auto
  case provider(PhotoProvider)
  case none
  /// The path of a folder with the user's own pictures.
  case folder(String)

  /// Reads the name of a choice, or else a path: a text with a slash, or the name of a folder.
  package init?(rawValue: String) {
    if let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) {
      self = choice
      return
    }
    var isFolder: ObjCBool = false
    guard
      rawValue.contains("/")
        || FileManager.default.fileExists(atPath: rawValue, isDirectory: &isFolder)
          && isFolder.boolValue
    else { return nil }
    self = .folder(rawValue)
  }

  package var rawValue: String {
    switch self {
    case .auto: "auto"
    case .provider(let provider): provider.name
    case .none: "none"
    case .folder(let path): path
    }
  }

  /// All choices but folders.
  package static var allCases: [PhotoSourceChoice] { all(among: PhotoProvider.all) }

  static func all(among providers: [PhotoProvider]) -> [PhotoSourceChoice] {
    [.auto] + providers.map { .provider($0) } + [.none]
  }
}

/// The reason why a photo source is unavailable.
package enum PhotoSourceError: Error {
  /// The provider needs a key, and its variable holds none.
  case missingKey(PhotoProvider)
  /// The value of the variable is not the address of a service.
  case unusableAddress(variable: String)
  /// The provider's photos are made up, so that there is nothing to download; `nil` for none.
  case notDownloadable(PhotoProvider?)
}

extension PhotoPipeline {
  /// Makes the pipeline for a choice of provider.
  ///
  /// - Parameters:
  ///   - imageBase: the start of the addresses of made-up images.
  ///   - concurrency: the number of calls under way at once, as far as the service allows it.
  ///   - downloads: whether the photos are to be downloaded, for which they have to exist.
  ///   - onFallback: called once if ``fallbackProvider`` takes over, with the reason; `nil` for a
  ///     pipeline that never shows made-up photos in place of real ones.
  /// - Returns: `nil` for ``PhotoSourceChoice/none`` and for a folder, which is not searched.
  /// - Throws: ``PhotoSourceError``; an unusable address of any provider counts.
  package static func make(
    _ choice: PhotoSourceChoice, among providers: [PhotoProvider] = PhotoProvider.all,
    variables: [String: String] = [:], imageBase: URL? = nil, concurrency: Int = 4,
    store: (any PhotoSearchStoring)? = nil, refreshes: Bool = false, downloads: Bool = false,
    in services: ServiceEnvironment,
    onFallback: (@Sendable (PhotoSearchError) -> Void)? = nil
  ) throws(PhotoSourceError) -> PhotoPipeline? {
    var endpoints: [String: URL] = [:]
    for provider in providers { endpoints[provider.name] = try provider.endpoint(in: variables) }
    guard let provider = try provider(for: choice, among: providers, variables, downloads) else {
      return nil
    }
    func source(_ provider: PhotoProvider, in services: ServiceEnvironment) -> Source {
      let configuration = PhotoProvider.Configuration(
        key: provider.key(in: variables) ?? Secret(""), endpoint: endpoints[provider.name],
        imageBase: imageBase, concurrency: concurrency, userAgent: Product.application,
        environment: services)
      return Source(search: provider.makeSearch(configuration), provider: provider)
    }
    let contact = Contact()
    var observed = services
    observed.observer = { event in
      contact.receive(event)
      services.observer?(event)
    }
    var fallback: Fallback?
    if case .auto = choice, provider.keyVariable == nil, let onFallback,
      let madeUp = providers.first(where: \.isMadeUp)
    {
      fallback = Fallback(
        source: source(madeUp, in: services), contact: contact, onFallback: onFallback)
    }
    return PhotoPipeline(
      source(provider, in: observed), fallback: fallback, store: store, refreshes: refreshes,
      logger: services.logger, clock: services.clock)
  }

  private static func provider(
    for choice: PhotoSourceChoice, among providers: [PhotoProvider],
    _ variables: [String: String], _ downloads: Bool
  ) throws(PhotoSourceError) -> PhotoProvider? {
    switch choice {
    case .folder: return nil
    case .none:
      if downloads { throw .notDownloadable(nil) }
      return nil
    case .provider(let provider):
      if downloads, provider.isMadeUp { throw .notDownloadable(provider) }
      if provider.keyVariable != nil, provider.key(in: variables) == nil {
        throw .missingKey(provider)
      }
      return provider
    case .auto:
      return providers.first { $0.key(in: variables) != nil }
        ?? providers.first { $0.keyVariable == nil && !$0.isMadeUp }
    }
  }

  /// The origins that a page has to be allowed to load images from.
  package nonisolated var imageHosts: [String] {
    [provider, fallbackProvider].compactMap(\.self).flatMap(\.imageHosts)
  }

  /// The notice for the user about a pipeline's provider, or about there being no photos.
  package static func notice(of pipeline: PhotoPipeline?) -> String {
    pipeline?.provider?.notice ?? "photos: none"
  }
}
