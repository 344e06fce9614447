#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices
import Logging

/// Where photos are to come from.
package enum PhotoSourceChoice: String, Sendable, CaseIterable {
  /// Flickr with a key, else Commons, else, when that cannot be reached, the sample.
  case auto
  case flickr
  case commons
  case sample
  case none
}

/// What a ``PhotoSource`` is put together from.
package struct PhotoSourceSettings: Sendable {
  package var choice: PhotoSourceChoice
  /// Flickr's key; blank is none.
  package var flickrKey: Secret?
  /// Addresses in place of the services' own.
  package var flickrEndpoint: URL?
  package var commonsEndpoint: URL?
  /// What the addresses of sample photos start with.
  package var sampleBase: URL?
  /// How many searches may be under way at once; no service gets more than it allows.
  package var concurrency: Int
  /// Keeps searches between runs.
  package var store: (any PhotoSearchStoring)?
  /// Whether to search again what the store has.
  package var refreshes: Bool

  package init(
    _ choice: PhotoSourceChoice, flickrKey: String? = nil, flickrEndpoint: URL? = nil,
    commonsEndpoint: URL? = nil, sampleBase: URL? = nil, concurrency: Int = 4,
    store: (any PhotoSearchStoring)? = nil, refreshes: Bool = false
  ) {
    self.choice = choice
    self.flickrKey = flickrKey.map(Secret.init)
    self.flickrEndpoint = flickrEndpoint
    self.commonsEndpoint = commonsEndpoint
    self.sampleBase = sampleBase
    self.concurrency = concurrency
    self.store = store
    self.refreshes = refreshes
  }
}

/// A source of photos with all that belongs to it: memory, store, and a count of the calls.
package struct PhotoSource: Sendable {
  /// Flickr was asked for, and there is no key.
  package struct MissingKey: Error {}

  /// What is searched: never `auto` or `none`.
  package let kind: PhotoSourceChoice
  /// Whether the sample takes over when the source cannot be reached to begin with.
  package let mayFallBack: Bool
  package let search: any PhotoSearching
  package let meter: SearchMeter

  /// Puts a source together.
  ///
  /// - Parameter onFallback: Called once if the sample takes over, with the reason.
  /// - Returns: `nil` for ``PhotoSourceChoice/none``.
  /// - Throws: ``MissingKey`` for Flickr without a key.
  package static func make(
    _ settings: PhotoSourceSettings, in environment: ServiceEnvironment,
    onFallback: @escaping @Sendable (PhotoSearchError) -> Void = { _ in }
  ) throws(MissingKey) -> PhotoSource? {
    let key = Secret(settings.flickrKey?.value.filter { !$0.isWhitespace } ?? "")
    let parts = Parts(settings: settings, environment: environment)
    switch settings.choice {
    case .none:
      return nil
    case .sample:
      return parts.source(.sample, parts.sample)
    case .flickr where key.value.isEmpty:
      throw MissingKey()
    case .flickr:
      return parts.source(.flickr, parts.flickr(key))
    case .auto where !key.value.isEmpty:
      return parts.source(.flickr, parts.flickr(key))
    case .commons:
      return parts.source(.commons, parts.commons)
    case .auto:
      let search = AutoPhotoSearch(parts.commons, else: parts.sample, onFallback: onFallback)
      return parts.source(.commons, search, mayFallBack: true)
    }
  }

  private struct Parts {
    let settings: PhotoSourceSettings
    let environment: ServiceEnvironment
    let meter = SearchMeter()

    var sample: any PhotoSearching { SamplePhotoSearch(base: settings.sampleBase) }

    var commons: any PhotoSearching {
      kept(
        CommonsPhotoSearch(
          endpoint: settings.commonsEndpoint, concurrency: settings.concurrency, in: environment))
    }

    func flickr(_ key: Secret) -> any PhotoSearching {
      kept(
        FlickrPhotoSearch(
          apiKey: key, endpoint: settings.flickrEndpoint, concurrency: settings.concurrency,
          in: environment))
    }

    /// A service's searches are counted, and kept if there is a store.
    private func kept(_ service: any PhotoSearching) -> any PhotoSearching {
      let metered = MeteredPhotoSearch(service, meter: meter)
      guard let store = settings.store else { return metered }
      return StoredPhotoSearch(
        metered, store: store, refreshes: settings.refreshes, logger: environment.logger)
    }

    func source(
      _ kind: PhotoSourceChoice, _ search: any PhotoSearching, mayFallBack: Bool = false
    ) -> PhotoSource {
      PhotoSource(
        kind: kind, mayFallBack: mayFallBack, search: PhotoCache(search), meter: meter)
    }
  }
}
