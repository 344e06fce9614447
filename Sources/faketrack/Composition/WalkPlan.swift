import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackSupport
import FaketrackTerminal
import Foundation
import GPX
import Locations
import PhotoSearch

/// The options of `replay`, ready to walk along each track.
struct WalkPlan: Sendable {
  let format: OutputFormat
  let photos: PhotoPipeline?
  private let command: ReplayCommand
  private let authorization: [AuthorizationChange]
  private let cities: CityNames?
  private let makeFolder: (@Sendable (_ track: String?) -> PhotoFolder)?
  private let console: Console

  @MainActor
  init(_ command: ReplayCommand, _ root: CompositionRoot) throws {
    self.command = command
    console = root.console
    format = command.outputFormat(command.output.clocks.style(of: root.console))
    photos = format.showsPhotos ? try root.photoSource(command.photos) : nil
    authorization = try command.simulation.permission()
    root.console.note(command.photos.seed)
    cities = try command.simulation.cities(root)
    makeFolder = command.photos.folders(in: root.services)
  }

  /// A walk along a track, ready to begin.
  ///
  /// - Parameter isSingle: whether it is the only track, whose progress is shown.
  /// - Throws: the reason why the track cannot be read.
  func walk(_ track: BatchTrack, isSingle: Bool = false) throws(Failure) -> TrackWalk {
    let file = TrackFile(
      name: track.id, input: try track.input.get(), source: command.walk.source)
    let options = command.replayOptions
    let simulation = command.simulation
    let reader = TrackReader(
      file, isStrict: command.output.strict, isLooped: options.laps > 1,
      // The length of a part of a track is not known.
      isMeasured: isSingle && console.showsProgress && options.start == nil && options.end == .end,
      isOneOfMany: !isSingle, note: { [console] in console.note($0) })
    let provider = ReplayLocationProvider(
      batches: reader.fixes, distanceFilter: command.distanceFilter,
      speed: command.walk.speed, clock: ContinuousClock(), authorization: authorization,
      options: options, signal: simulation.signal(seed: command.photos.seed.number))
    let choice = command.photos.choice(distanceFilter: command.distanceFilter)
    let tracker = Tracker(
      locations: provider, pace: provider,
      photos: photos.map { PhotoPicker($0, settings: choice) },
      folder: makeFolder?(isSingle ? nil : track.id), cities: cities,
      concurrency: command.photos.concurrency, endsWhenDenied: simulation.permissionScript == nil)
    var state = TrackingState(speed: command.walk.speed, searchesPhotos: photos != nil)
    if isSingle { state.apply(.started(at: 0)) }
    return TrackWalk(
      track: reader, provider: provider, tracker: tracker, store: StateStore(state),
      laps: options.laps, photos: photos?.provider)
  }
}

/// A walk along a track.
final class TrackWalk: Sendable {
  let track: TrackReader
  let provider: ReplayLocationProvider<ContinuousClock>
  let tracker: Tracker
  let store: StateStore<TrackingState>
  private let laps: Int
  private let photos: PhotoProvider?
  private let walking = Locked<(task: Task<Void, any Error>?, isStopped: Bool)>((nil, false))

  fileprivate init(
    track: TrackReader, provider: ReplayLocationProvider<ContinuousClock>, tracker: Tracker,
    store: StateStore<TrackingState>, laps: Int, photos: PhotoProvider?
  ) {
    self.track = track
    self.provider = provider
    self.tracker = tracker
    self.store = store
    self.laps = laps
    self.photos = photos
  }

  /// Walks to the end, or until it is stopped.
  ///
  /// - Throws: `CancellationError` if the task is canceled, or the failure of the output.
  func run(_ output: TrackOutput) async throws -> TrackOutcome {
    let task = Task { [tracker, store] in
      try await tracker.run(updating: store) { try await output.write($0) }
    }
    let isStopped = walking.withLock { walking in
      walking.task = task
      return walking.isStopped
    }
    if isStopped { task.cancel() }
    let result = await task.join()
    let state = store.state
    var failure: Failure?
    switch result {
    case .success:
      failure = self.failure(state)
    case .failure(let error):
      // A canceled task stops at any place, with any error.
      try Task.checkCancellation()
      if error is StandardOutput.Closed || error is StandardOutput.WriteError { throw error }
      // A walk that was stopped has not failed.
      failure = error is CancellationError ? nil : Failure(error)
    }
    return TrackOutcome(
      TrackTotals(state, skipped: track.skipped), failure: failure,
      searches: state.searches?.searches ?? 0, unusableTimes: provider.unusableTimes)
  }

  /// Ends the walk before its end.
  func stop() {
    let task = walking.withLock { walking in
      walking.isStopped = true
      return walking.task
    }
    task?.cancel()
  }

  /// The line of progress.
  ///
  /// - Parameter elapsed: seconds since the run began.
  func progress(elapsed: Double, waiting: String?, style: TerminalStyle) -> String {
    let state = store.state
    return ProgressLine(share: track.share(at: state.deliveredDistance, laps: laps), style: style)
      .text(for: state, elapsed: elapsed, waiting: waiting)
  }

  /// The reason why a walk that came to its end did not yield what it should.
  private func failure(_ state: TrackingState) -> Failure? {
    if let status = state.authorization, status == .denied || status == .restricted {
      return Failure(
        message: "location permission \(status.rawValue)",
        hint: "Allow it with --authorization authorized.", kind: .permissionDenied)
    }
    if state.locations == 0, state.isAvailable, state.authorization?.isAuthorized == true {
      return track.nothingToReplay
    }
    guard let counts = state.searches, let photos else { return nil }
    if counts.isKeyRejected {
      let variable = photos.keyVariable ?? "the environment"
      return Failure(
        message: "\(photos.title) rejected the key in \(variable)",
        hint: "Set \(variable) to a valid key, or use --photos commons, which needs none.",
        kind: .serviceUnavailable)
    }
    if state.failures > 0, counts.failed == state.searched {
      return Failure(
        message: "every photo search failed: \(state.failure ?? "unknown")",
        hint: "Try again later, or use another source with --photos.", kind: .serviceUnavailable)
    }
    if state.found > 0, state.failedDownloads == state.found {
      return Failure(
        message: "no photo could be downloaded: \(state.failure ?? "unknown")",
        hint: "Try again later: the searches are remembered.", kind: .serviceUnavailable)
    }
    return nil
  }
}

// MARK: Options

extension SimulationOptions {
  /// The permission on the walk; `not-determined` is requested, then granted.
  func permission() throws -> [AuthorizationChange] {
    if let permissionScript { return try PermissionScriptFile.read(permissionScript) }
    let initial = AuthorizationChange.initially(authorization.status)
    return authorization == .notDetermined
      ? [initial, .after(.zero, .authorizedWhenInUse)] : [initial]
  }

  /// Noise and losses of the signal.
  func signal(seed: UInt64) -> SignalConditions {
    SignalConditions(noise: noise, outages: outage, seed: seed)
  }

  /// Names the cities along a walk; `nil` if they are left out.
  @MainActor
  func cities(_ root: CompositionRoot) throws -> CityNames? {
    if noCities { return nil }
    return CityNames(
      NearestCityCursor(
        try root.cities().index, within: maxCityDistance * 1_000,
        minPopulation: citySize.minPopulation))
  }
}

extension Console {
  /// Notes a random seed, with which the run can be repeated.
  func note(_ seed: SeedArgument) {
    if seed.isRandom { note("seed: \(seed.number)") }
  }
}

extension PhotoOptions {
  /// The choice of a location's photo.
  func choice(distanceFilter: Double) -> PhotoPickerSettings {
    PhotoPickerSettings(
      radius: radius * 1_000, distanceFilter: distanceFilter, size: size, license: license,
      seed: seed.number)
  }

  /// Makes the download folder of each track, if `--download` names a folder.
  fileprivate func folders(
    in services: ServiceEnvironment
  ) -> (@Sendable (_ track: String?) -> PhotoFolder)? {
    guard let download else { return nil }
    let client = PhotoFolder.client(
      userAgent: Product.userAgent(library: "PhotoSearch"), in: services)
    return { track in
      PhotoFolder(
        PhotoFolder.directory(of: track, in: download), header: PhotoCredits.header,
        fetching: client,
        credit: PhotoCredits.line)
    }
  }
}
