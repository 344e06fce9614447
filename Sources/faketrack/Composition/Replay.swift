import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackTerminal
import Foundation
import GPX
import Locations
import PhotoSearch

/// A run of `replay`: puts the parts together, walks, and says how it went.
@MainActor
final class Replay {
  private let options: ReplayCommand
  private let console: Console
  private let output: StandardOutput
  private let track: TrackFile
  private let photos: PhotoSource?
  private let model: TrackingViewModel
  private let provider: ReplayLocationProvider<ContinuousClock>
  private var format: any VisitFormatting
  private let waiting: WaitingNotice
  private let interruption = Interruption()
  /// Metres of the whole walk, once they are known.
  private var length: Double?

  init(options: ReplayCommand, console: Console, settings: Settings) throws {
    self.options = options
    self.console = console
    output = StandardOutput(console: console)
    waiting = WaitingNotice()
    let store = StoreFile(at: settings.storeFile)
    let services = try ServiceEnvironment.make(
      options: options.output, store: store, console: console, waiting: waiting)
    photos =
      try options.output.format.showsPhotos
      ? PhotoSource.make(
        options: options.photos, settings: settings, store: store, in: services, console: console)
      : nil
    track = TrackFile(
      path: options.file, source: options.walk.source, isStrict: options.output.strict,
      isLooped: options.walk.loop > 1, console: console)
    provider = try Self.provider(of: track, options)
    model = TrackingViewModel(
      try Self.parts(
        provider: provider, photos: photos, options: options, settings: settings, in: services))
    format = options.output.format.renderer(style: console.outputStyle)
  }

  /// Walks to the end.
  ///
  /// - Throws: what ends the process with a code other than 0.
  func run() async throws {
    let control = WalkControl(model, speed: options.walk.speed.speed, console: console)
    control.open()
    let progress = console.showsProgress ? Task { await showProgress() } : nil
    let failure = await walk()
    progress?.cancel()
    await progress?.value
    console.show(progress: "")
    control.close()
    if failure is StandardOutput.Closed { return }
    await summarize()
    if let failure { throw failure }
    if model.state.phase == .stopped { return }
    try await checkOutcome()
  }

  /// Writes the whole document, and closes it whatever the walk came to: what there is can be read.
  ///
  /// - Returns: why the walk broke off, if it did.
  private func walk() async -> (any Error)? {
    do {
      try await interruption.run { [self] in
        try await output.write(format.opening)
        do {
          try await model.run { [self] visit in try await output.write(format.text(for: visit)) }
        } catch is CancellationError where !Task.isCancelled {
          // Stopped by a key: the walk ends in order.
        }
      }
    } catch {
      try? await close(within: error is Interruption.Interrupted ? .seconds(1) : nil)
      return error
    }
    do {
      try await close(within: nil)
    } catch {
      return error
    }
    return nil
  }

  /// - Parameter limit: how long to wait for a reader who takes nothing.
  private func close(within limit: Duration?) async throws {
    let closing = Task { try await output.write(format.closing) }
    let patience = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        closing.cancel()
      }
    }
    defer { patience?.cancel() }
    try await closing.value
  }

  private func summarize() async {
    track.reportUnshownIssues()
    let faults = provider.timeFaults
    if let note = TimeFaultsText.note(faults, walkingSpeed: options.walk.walkingSpeed) {
      console.note("note: \(note)")
    }
    let counts = await model.picker?.counts
    console.note(
      ReplaySummary.text(for: model.state, counts: counts, skipped: track.skipped))
  }

  /// - Throws: the exit code of a walk that came to its end without what it was made for.
  private func checkOutcome() async throws {
    let state = model.state
    if let status = state.authorization, status == .denied || status == .restricted {
      throw CommandFailure(
        "location permission \(status.rawValue)",
        hint: "Allow it with --authorization authorized.", code: .permissionDenied)
    }
    if state.locations == 0, state.isAvailable, state.authorization?.isAuthorized == true {
      throw CommandFailure(
        "\(track.input.name ?? "the input"): nothing to replay",
        hint: "Give a file with points, or name others of its points with --source.",
        code: .unusableInput)
    }
    guard let counts = await model.picker?.counts else { return }
    if counts.isKeyRejected {
      throw CommandFailure(
        "Flickr rejected the key in FLICKR_API_KEY",
        hint: "Set FLICKR_API_KEY to a valid key, or use --photos commons, which needs none.",
        code: .serviceUnavailable)
    }
    if state.failures > 0, counts.failed == state.searched {
      throw CommandFailure(
        "every photo search failed: \(state.failure ?? "unknown")",
        hint: "Try again later, or use another source with --photos.", code: .serviceUnavailable)
    }
    if state.photos > 0, state.failures - counts.failed == state.photos {
      throw CommandFailure(
        "no photo could be kept: \(state.failure ?? "unknown")",
        hint: "Try again later: the searches are remembered.", code: .serviceUnavailable)
    }
  }

  private func showProgress() async {
    let measuring = Task { length = await wholeLength() }
    defer { measuring.cancel() }
    let clock = ContinuousClock()
    let start = clock.now
    while !Task.isCancelled {
      let elapsed = (clock.now - start) / .seconds(1)
      let line = ProgressLine(length: length, style: console.noteStyle)
      console.show(progress: line.text(for: model.state, elapsed: elapsed, waiting: waiting.text))
      try? await clock.sleep(for: .milliseconds(100))
    }
  }

  /// Metres of the whole walk; `nil` where its part of the track, or the track, is not known.
  private func wholeLength() async -> Double? {
    let walk = options.walk
    guard walk.from == nil, walk.to == nil else { return nil }
    return await track.length().map { $0 * Double(walk.loop) }
  }
}
