import FaketrackServices
import FaketrackStore
import FaketrackTerminal
import Foundation
import PhotoSearch

extension PhotoSource {
  /// The source of photos that the options and the environment ask for; says which it is.
  ///
  /// - Parameter sampleBase: what the addresses of sample photos start with, if they are shown.
  /// - Throws: ``MissingKey``, ``CommandFailure``.
  static func make(
    options: PhotoOptions, settings: Settings, store: StoreFile,
    in services: ServiceEnvironment, console: Console, sampleBase: URL? = nil
  ) throws -> PhotoSource? {
    let choice = try options.choice(settings)
    let sources = PhotoSourceSettings(
      choice, flickrKey: settings.flickrKey, flickrEndpoint: try settings.flickrURL(),
      commonsEndpoint: try settings.commonsURL(), sampleBase: sampleBase,
      concurrency: options.concurrency, store: KeptSearches(store), refreshes: options.refresh)
    let source = try make(sources, in: services) { error in
      console.note("photos: the built-in sample, since \(error.description.safeForTerminal)")
    }
    console.note(notice(of: source))
    return source
  }

  private static func notice(of source: PhotoSource?) -> String {
    switch source?.kind {
    case .flickr:
      "photos: Flickr; --photos commons or sample for another source\n"
        + "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc."
    case .commons:
      "photos: Wikimedia Commons; set FLICKR_API_KEY for Flickr, --photos sample to need no network"
    case .sample:
      "photos: the built-in sample, made up; --photos commons for real ones, "
        + "FLICKR_API_KEY for Flickr"
    case .auto, .some(.none), nil:
      "photos: none"
    }
  }
}

extension PhotoOptions {
  /// The source that is asked for. Photos that do not exist cannot be kept: with `--download`,
  /// the sample neither is one nor takes over.
  fileprivate func choice(_ settings: Settings) throws -> PhotoSourceChoice {
    let choice = try photos ?? settings.photoSource()
    guard download != nil else { return choice }
    switch choice {
    case .flickr, .commons: return choice
    case .auto: return settings.flickrKey == nil ? .commons : .flickr
    case .sample, .none:
      throw CommandFailure(
        choice == .sample
          ? "--download needs photos that exist, and the sample's are made up"
          : "--download needs a source of photos",
        hint: "Add --photos commons, which needs no key, or --photos flickr.", code: .wrongUsage)
    }
  }
}
