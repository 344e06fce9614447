import ArgumentParser
import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackSupport
import FaketrackTerminal
import Foundation
import GPX
import Locations
import Logging
import PhotoSearch
import WorldCities

/// Everything that commands share; each thing is opened once per process, when it is first needed.
@MainActor
final class CompositionRoot {
  let settings: Settings
  let console: Console
  let output = OutputQueue.output
  let store: Store
  let services: ServiceEnvironment
  private let wait = ServiceWait()
  private var openIndex: (index: CityIndex, isImported: Bool)?
  private var namedSources: [String: PhotoPipeline?] = [:]

  /// - Parameters:
  ///   - units: the units that people read; `nil` for the units of the environment.
  ///   - isQuiet: whether stderr gets only errors.
  ///   - isVerbose: whether stderr gets each call to a service.
  /// - Throws: `Failure` when the log cannot be written.
  init(
    units: Units? = nil, isQuiet: Bool = false, isVerbose: Bool = false, logPath: String? = nil,
    logLevel: Logger.Level = .debug
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    settings = Settings(environment: environment)
    Units.preferred = units ?? Units(locale: environment["LC_MEASUREMENT"])
    let console = Console(isQuiet: isQuiet, environment: environment)
    self.console = console
    store = Store(at: settings.storeFile)
    let file = try logPath.map { try LogFile(path: $0, level: logLevel, console: console) }
    let logger = Logger(label: "faketrack") { label in
      ConsoleLogHandler(label: label, console: console, file: file)
    }
    services = ServiceEnvironment(
      budget: store.callBudget, logger: logger,
      observer: { [wait] event in
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
    let opened = (isImported ? try CityIndex.upgraded(file) : CityIndex.world, isImported)
    openIndex = opened
    return opened
  }

  /// - Parameter feed: a file or an address, for the lists.
  func dependencies(
    feed: String? = nil, photos: PhotoPipeline? = nil, own: OwnPhotos? = nil,
    tracks: TrackOpener = TrackOpener(), tracking: TrackingViewModel? = nil
  ) throws -> Dependencies {
    let (index, isImported) = try cities()
    let feedLoader: FeedLoader.Make = { [services, store] in
      FeedLoader(
        $0, userAgent: Product.userAgent(library: "Lists"), in: services, cache: store.documents)
    }
    return Dependencies(
      index: index, hasImportedIndex: isImported,
      importDate: isImported ? settings.cityIndexDate : nil, favorites: store.favorites,
      summaries: WikipediaSummaries(
        endpoint: try settings.url(Settings.wikipediaVariable), in: services,
        cache: store.documents),
      feed: feed.map(feedLoader), feedLoader: feedLoader,
      photos: PhotoSourceSummary(
        title: photos?.provider?.title, isSample: photos?.provider?.isMadeUp == true,
        hasFlickrKey: PhotoProvider.flickr.key(in: settings.environment) != nil, isOwn: own != nil),
      tracks: tracks,
      tracking: tracking
        ?? TrackingViewModel(
          catalog: TrackCatalog([]), speed: .realTime, permission: .notDetermined
        ) { _ in
          throw Failure(message: "there is no track to walk", hint: "Name a GPX file.")
        })
  }

  /// Reads tracks of other formats.
  var trackConverter: TrackConverter {
    TrackConverter(environment: settings.environment) { [console] in
      console.note($0.safeForTerminal)
    }
  }

  /// Downloads a track.
  ///
  /// - Throws: `Failure` that names the address.
  func download(_ address: String) async throws -> GPXInput {
    guard let url = URL(webAddress: address), let host = url.host else {
      throw Failure(
        message: "\(address): is not an address on the web", hint: "Check the address.",
        kind: .wrongUsage)
    }
    let profile = ServiceProfile(
      name: host, concurrency: 1, userAgent: Product.userAgent(library: "GPX"))
    var request = ServiceRequest(url, maximumBodySize: 64 << 20)
    request.redirects = .anyHost
    let client = ServiceClient(profile, in: services)
    var body: Data?
    try await Interruption.run {
      do {
        body = try await client.send(request, decode: \.body)
      } catch let error as ServiceError {
        throw error.failure.about(address)
      }
    }
    return .bytes([UInt8](body ?? Data()), name: address)
  }

  /// Loads the images of photos.
  var imageClient: ServiceClient {
    PhotoFolder.client(userAgent: Product.userAgent(library: "PhotoSearch"), in: services)
  }

  /// The photo pipeline for the options and the environment; notes its source on stderr.
  ///
  /// - Parameters:
  ///   - sampleBase: the start of the addresses of sample photos, where they are shown.
  ///   - fallsBack: whether sample photos, which the screens label, take the place of photos that
  ///     cannot be reached.
  /// - Throws: `PhotoSourceError`, or `Failure` for a name in the environment that is not a source.
  func photoSource(
    _ options: PhotoOptions, sampleBase: URL? = nil, fallsBack: Bool = false
  ) throws -> PhotoPipeline? {
    let choice = try options.photos ?? settings.photoSource()
    if case .folder = choice { return nil }
    let noteFallback: @Sendable (PhotoSearchError) -> Void = { [console] error in
      console.note("photos: the built-in sample, since \(error.description)")
    }
    let pipeline = try PhotoPipeline.make(
      choice, variables: settings.environment,
      imageBase: sampleBase, concurrency: options.concurrency, store: store.searches,
      refreshes: options.refresh, downloads: options.download != nil, in: services,
      onFallback: fallsBack ? noteFallback : nil)
    console.note(PhotoPipeline.notice(of: pipeline))
    return pipeline
  }

  /// The photo source with a name, in place of the one that the options name. It is made once, as its cache and
  /// its rate limit count for all walks.
  func photoSource(_ options: PhotoOptions, named name: String) throws -> PhotoPipeline? {
    if let source = namedSources[name] { return source }
    var options = options
    options.photos = PhotoSourceChoice(rawValue: name)
    let source = try photoSource(options, fallsBack: true)
    namedSources.updateValue(source, forKey: name)
    return source
  }
}

// MARK: Runs over tracks

extension CompositionRoot {
  /// A run over tracks, with its output on stdout and the failures of a batch on stderr.
  ///
  /// - Parameters:
  ///   - jobs: the number of tracks that are worked on concurrently; `nil` for all at once.
  ///   - format: the format of visits; `nil` for work that writes texts.
  func batch(_ tracks: BatchTracks, jobs: Int?, format: OutputFormat? = nil) -> BatchRun {
    BatchRun(
      tracks, jobs: jobs, format: format, write: output.write,
      report: { [console] in console.say($0) })
  }

  /// Runs work over tracks to its end, or until a signal comes; the output is a whole document in
  /// either case.
  ///
  /// - Parameters:
  ///   - single: the only walk, which the line of progress shows.
  ///   - file: the file of `-o`, which is replaced unless the run has no result or writing failed.
  ///   - prepare: prepares the output; a signal waits for its end.
  ///   - summarize: reports the results, also of a run that broke off.
  /// - Throws: the failure that ends the process with a code other than 0.
  func perform(
    _ run: BatchRun, showing single: WalkRun? = nil, into file: OutputFile? = nil,
    prepare: @escaping @MainActor () throws -> Void = {}, summarize: () -> Void = {},
    work: @escaping BatchRun.Work
  ) async throws {
    let tracks = run.tracks
    if console.showsProgress { tracks.startCounting() }
    let failure = await console.showing(progress: { [console, wait] elapsed in
      if let single { return single.progress(elapsed: elapsed, waiting: wait.text) }
      if tracks.single != nil { return "" }
      return ReplayText.progress(
        run.tally, leftOut: tracks.leftOut, of: tracks.count, elapsed: elapsed, waiting: wait.text,
        style: console.noteStyle)
    }) {
      await Interruption.run(closing: run.close) {
        do { try prepare() } catch { throw Failure(error) }
        try await run.run(work)
      }
    }
    if let error = failure as? OutputError, error.isClosedPipe { return }
    let error = failure ?? run.failure
    // Such a failure says why nothing was replayed.
    let isEmpty =
      single.map { $0.store.state.locations == 0 } ?? (run.tally.tracks + tracks.leftOut == 0)
    if let failure = error as? Failure, isEmpty { throw failure }
    let hasFailed = error != nil || run.tally.failureKind != nil
    let isPartial = error is Interruption.Interrupted || (error as? Failure)?.kind == .failed
    let commit = Result {
      if error is OutputError { return }
      let isReceiver = single?.plan.track.isLive == true
      let locations = single?.store.state.locations ?? run.tally.totals.locations
      try file?.commit(
        hasFailed && locations == 0 ? .empty : isPartial && !isReceiver ? .partial : .whole)
    }
    summarize()
    if let error {
      if case .failure(let error) = commit { console.say(Failure(error)) }
      throw error
    }
    try commit.get()
    if let kind = run.tally.failureKind { throw ExitCode(kind.exitCode) }
  }
}

extension FavoritesStore: FavoritesStoring {}

/// The newest wait for a service.
private final class ServiceWait: Sendable {
  private let wait = Locked<(text: String, end: ContinuousClock.Instant)?>(nil)

  var text: String? {
    wait.withLock { $0.flatMap { $0.end > .now ? $0.text : nil } }
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
