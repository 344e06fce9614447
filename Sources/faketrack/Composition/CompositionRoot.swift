import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackSupport
import FaketrackTerminal
import Foundation
import Locations
import Logging
import PhotoSearch
import WorldCities

/// Everything that commands share; each thing is opened once per process, when it is first needed.
@MainActor
final class CompositionRoot {
  let settings: Settings
  let console: Console
  let output: StandardOutput
  let store: Store
  let services: ServiceEnvironment
  /// The reason why the walk waits, for the progress line.
  let wait: ServiceWait
  private var openIndex: (index: CityIndex, isImported: Bool)?

  /// - Parameters:
  ///   - isQuiet: whether stderr gets only errors.
  ///   - isVerbose: whether stderr gets each call to a service.
  ///   - logPath: the file that gets log records, if any.
  ///   - logLevel: the least severe records that it gets.
  /// - Throws: `Failure` when the log cannot be written.
  init(
    isQuiet: Bool = false, isVerbose: Bool = false, logPath: String? = nil,
    logLevel: Logger.Level = .debug
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    settings = Settings(environment: environment)
    let console = Console(isQuiet: isQuiet, environment: environment)
    self.console = console
    output = StandardOutput(console: console)
    store = Store(at: settings.storeFile)
    let wait = ServiceWait()
    self.wait = wait
    let file = try logPath.map { try LogFile(path: $0, level: logLevel, console: console) }
    let logger = Logger(label: "faketrack") { label in
      ConsoleLogHandler(label: label, console: console, file: file)
    }
    services = ServiceEnvironment(
      budget: store.callBudget, logger: logger,
      observer: { event in
        wait.receive(event)
        if isVerbose { console.trace(ReplayText.line(for: event)) }
      })
  }

  /// The cities: the user's own index, or else the built-in one.
  ///
  /// - Throws: `CitiesError` when the user's own is damaged.
  func cities() throws -> (index: CityIndex, isImported: Bool) {
    if let openIndex { return openIndex }
    let file = settings.cityIndexFile
    let isImported = FileManager.default.fileExists(atPath: file.path)
    let opened = (isImported ? try CityIndex(contentsOf: file) : CityIndex.world, isImported)
    openIndex = opened
    return opened
  }

  /// The dependencies of the screens.
  ///
  /// - Parameters:
  ///   - feed: a file or an address, for the lists.
  ///   - photos: where photos come from.
  ///   - tracking: the walk; without one there is no track.
  func dependencies(
    feed: String? = nil, photos: PhotoPipeline? = nil, tracking: TrackingViewModel? = nil
  ) throws -> Dependencies {
    let (index, isImported) = try cities()
    return Dependencies(
      index: index, hasImportedIndex: isImported,
      importDate: isImported ? settings.cityIndexDate : nil, favorites: store.favorites,
      summaries: WikipediaSummaries(
        endpoint: try settings.url("FAKETRACK_WIKIPEDIA_URL"), in: services,
        cache: store.documents),
      feed: feed.map {
        FeedLoader(
          $0, userAgent: Product.userAgent(library: "Lists"), in: services, cache: store.documents)
      },
      photos: PhotoSourceSummary(
        title: photos?.provider?.title, isSample: photos?.provider?.hasRealPhotos == false,
        hasFlickrKey: PhotoProvider.flickr.key(in: settings.environment) != nil),
      tracking: tracking
        ?? TrackingViewModel(
          catalog: TrackCatalog([]), speed: .realTime, permission: .notDetermined
        ) { _ in
          throw Failure(message: "there is no track to walk", hint: "Name a GPX file.")
        })
  }

  /// The photo pipeline for the options and the environment; notes its source on stderr.
  ///
  /// - Parameter sampleBase: the start of the addresses of sample photos, where they are shown.
  /// - Throws: `PhotoSourceError`, or `Failure` for a name in the environment that is not a source.
  func photoSource(_ options: PhotoOptions, sampleBase: URL? = nil) throws -> PhotoPipeline? {
    let pipeline = try PhotoPipeline.make(
      options.photos ?? settings.photoSource(), variables: settings.environment,
      imageBase: sampleBase, concurrency: options.concurrency, store: store.searches,
      refreshes: options.refresh, downloads: options.download != nil, in: services
    ) { [console] error in
      console.note("photos: the built-in sample, since \(error.description.safeForTerminal)")
    }
    console.note(PhotoPipeline.notice(of: pipeline))
    return pipeline
  }
}

extension FavoritesStore: FavoritesStoring {}

/// The newest wait for a service.
final class ServiceWait: Sendable {
  private let wait = Locked<(text: String, end: ContinuousClock.Instant)?>(nil)

  /// The reason for the wait, while it lasts.
  var text: String? {
    wait.withLock { wait in
      guard let wait, wait.end > .now else { return nil }
      return wait.text
    }
  }

  func receive(_ event: ServiceEvent) {
    guard case .waiting(let service, let duration, let cause) = event else { return }
    let reason =
      switch cause {
      case .retry: "trying \(service) again"
      case .retryAfter: "\(service) asks to wait"
      case .budget: "\(service) allows no more calls for now"
      }
    let text = "\(reason) (\(Quantity.duration(duration / .seconds(1))))"
    wait.withLock { $0 = (text, .now + duration) }
  }
}
