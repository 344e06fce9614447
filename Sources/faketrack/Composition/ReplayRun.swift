import FaketrackFeatures
import FaketrackTerminal
import Locations
import PhotoSearch

/// A run of `replay`: walks to the end, writes each location, and says how it went.
@MainActor
final class ReplayRun {
  private let options: ReplayCommand
  private let root: CompositionRoot
  private let console: Console
  private let track: TrackReader
  private let provider: ReplayLocationProvider<ContinuousClock>
  private let photos: PhotoSource?
  private let document: OutputDocument
  private let model: TrackingViewModel
  private let control: WalkControl

  init(_ options: ReplayCommand) throws {
    self.options = options
    root = try CompositionRoot(
      isQuiet: options.output.isQuiet, isVerbose: options.output.isVerbose,
      logPath: options.output.log)
    console = root.console
    let format = options.output.format.format
    let distanceFilter = options.distanceFilter
    photos = format.showsPhotos ? try root.photoSource(options.photos) : nil
    let file = TrackFile(
      name: options.file, input: .init(argument: options.file), source: options.walk.source)
    track = TrackReader(
      file, isStrict: options.output.strict, isLooped: options.walk.loop > 1,
      // Of a part of a track, nobody knows how long it will be.
      isMeasured: console.showsProgress && options.walk.from == nil && options.walk.to == nil,
      console: console)
    provider = ReplayLocationProvider(
      batches: track.batches, distanceFilter: distanceFilter, speed: options.walk.speed.speed,
      clock: ContinuousClock(), authorization: try options.simulation.permission(),
      options: options.replayOptions,
      signal: options.simulation.signal(seed: options.photos.seed))
    let tracker = Tracker(
      locations: provider, pace: provider,
      photos: photos.map {
        PhotoPicker(
          $0.search, settings: options.photos.choice(distanceFilter: distanceFilter),
          counter: $0.counter)
      },
      archive: options.photos.archive(in: root.services),
      cities: try options.simulation.cities(root), concurrency: options.photos.concurrency,
      endsWhenDenied: options.simulation.permissionScript == nil)
    let document = OutputDocument(format.makeRenderer(console.outputStyle), to: root.output)
    self.document = document
    model = TrackingViewModel(
      catalog: TrackCatalog([file], readsShapes: false), speed: options.walk.speed.speed,
      permission: options.simulation.authorization.status, makeTracker: { _ in tracker },
      deliver: { try await document.write($0) })
    control = WalkControl(model, console: console)
  }

  /// Walks to the end.
  ///
  /// - Throws: what ends the process with a code other than 0.
  func run() async throws {
    let progress = console.showsProgress ? Task { await showProgress() } : nil
    let failure = await walk()
    progress?.cancel()
    await progress?.value
    console.show(progress: "")
    if failure is StandardOutput.Closed { return }
    summarize()
    if let failure { throw failure }
    if model.state.phase == .stopped { return }
    try checkOutcome()
  }

  /// Writes the document and closes it however the walk ended, so that it can always be read.
  ///
  /// - Returns: why the walk failed, if it did.
  private func walk() async -> (any Error)? {
    var failure: (any Error)?
    do {
      try await Interruption.run { [model, document, control] in
        // Within the handling of signals, which has to know of them first; and closed before it
        // ends, so that a signal which then ends the process finds the terminal as it was.
        control.open()
        defer { control.close() }
        try await document.open()
        await model.send(.start(track: nil))
        do {
          try await model.waitForEnd()
        } catch is CancellationError where !Task.isCancelled {
          // Stopped by a key: the walk ends in order.
        }
      }
    } catch {
      failure = error
    }
    do {
      try await close(within: failure is Interruption.Interrupted ? .seconds(1) : nil)
    } catch {
      failure = failure ?? error
    }
    return failure
  }

  /// - Parameter limit: how long to wait for a reader that has stopped reading.
  private func close(within limit: Duration?) async throws {
    let closing = Task { [document] in try await document.close() }
    let patience = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        closing.cancel()
      }
    }
    defer { patience?.cancel() }
    try await closing.value
  }

  private func summarize() {
    track.reportUnshownIssues()
    let times = provider.unusableTimes
    if let note = ReplayText.note(on: times, walkingSpeed: options.walk.walkingSpeed) {
      console.note("note: \(note)")
    }
    console.note(ReplayText.summary(of: model.state, skipped: track.skipped))
  }

  /// - Throws: why a walk that came to its end did not yield what it should.
  private func checkOutcome() throws {
    let state = model.state
    if let status = state.authorization, status == .denied || status == .restricted {
      throw Failure(
        message: "location permission \(status.rawValue)",
        hint: "Allow it with --authorization authorized.", kind: .permissionDenied)
    }
    if state.locations == 0, state.isAvailable, state.authorization?.isAuthorized == true {
      throw NothingToReplay(name: track.name, contents: track.contents, skipped: track.skipped)
    }
    guard let counts = state.searches, let provider = photos?.provider else { return }
    if counts.isKeyRejected {
      let variable = provider.keyVariable ?? "the environment"
      throw Failure(
        message: "\(provider.title) rejected the key in \(variable)",
        hint: "Set \(variable) to a valid key, or use --photos commons, which needs none.",
        kind: .serviceUnavailable)
    }
    if state.failures > 0, counts.failed == state.searched {
      throw Failure(
        message: "every photo search failed: \(state.failure ?? "unknown")",
        hint: "Try again later, or use another source with --photos.", kind: .serviceUnavailable)
    }
    if state.found > 0, state.failedDownloads == state.found {
      throw Failure(
        message: "no photo could be downloaded: \(state.failure ?? "unknown")",
        hint: "Try again later: the searches are remembered.", kind: .serviceUnavailable)
    }
  }

  private func showProgress() async {
    let walk = options.walk
    let clock = ContinuousClock()
    let start = clock.now
    while !Task.isCancelled {
      let (state, elapsed) = (model.state, (clock.now - start) / .seconds(1))
      let share = track.share(at: state.deliveredDistance, laps: walk.loop)
      let line = ProgressLine(share: share, style: console.noteStyle)
      console.show(progress: line.text(for: state, elapsed: elapsed, waiting: root.wait.text))
      try? await clock.sleep(for: .milliseconds(100))
    }
  }
}
