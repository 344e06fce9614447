import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal
import GPX
import Geodesy
import Locations
import PhotoSearch

/// A walk of `replay`, its state, and the keys that control it.
struct WalkRun: Sendable {
  final class Stopping: Sendable {
    private let state = Locked<(action: (@Sendable () -> Void)?, isDue: Bool)>((nil, false))

    func set(_ action: @escaping @Sendable () -> Void) {
      let isDue = state.withLock { state in
        state.action = action
        return state.isDue
      }
      if isDue { action() }
    }

    func stop() {
      let action = state.withLock { state in
        state.isDue = true
        return state.action
      }
      action?()
    }
  }

  let plan: WalkPlan
  let walk: Walk
  let store: StateStore<TrackingState>
  let hasEvents: Bool
  let photos: PhotoProvider?
  let console: Console
  /// The file that changes the permission.
  let script: String?
  /// Ends the walk, once it runs.
  let stopping = Stopping()

  /// Walks to the end, or until a key stops it.
  ///
  /// - Parameter hasKeys: whether keys control the walk, on a terminal that shows progress.
  /// - Throws: `CancellationError` if the task is canceled, or the failure of the output.
  func run(_ output: TrackOutput, hasKeys: Bool = false) async throws -> TrackOutcome {
    var walk = walk
    if hasEvents { walk.report = output.write }
    let task = Task { [walk] in
      try await walk.run(updating: store) { try await output.write($0) }
    }
    stopping.set(task.cancel)
    let keyboard = hasKeys ? keyboard() : nil
    defer { keyboard?.close() }
    let result = await task.join()
    let state = store.state
    var failure: Failure?
    switch result {
    case .success:
      failure = self.failure(state)
    case .failure(let error):
      // A canceled task stops at any place, with any error.
      try Task.checkCancellation()
      if error is OutputError { throw error }
      // A walk that was stopped has not failed.
      failure = error is CancellationError ? nil : Failure(error)
    }
    var outcome = TrackOutcome(
      TrackTotals(state, skipped: skipped), failure: failure,
      searches: state.searches?.searches ?? 0,
      unusableTimes: walk.replay?.provider.unusableTimes ?? UnusableTimes())
    outcome.failures = unreportedFailures
    outcome.omissions = walk.replay?.fixes.omissions ?? []
    return outcome
  }

  /// The failures of photos, unless the failure of the walk reports them.
  var unreportedFailures: PhotoFailures {
    let state = store.state
    let isReported = state.phase == .finished && failure(state)?.kind == .serviceUnavailable
    return isReported ? PhotoFailures() : PhotoFailures(state)
  }

  /// The points of the track that could not be used.
  var skipped: Int { walk.replay?.fixes.issues.skipped ?? 0 }

  /// Notes how many issues of the file were not shown one by one.
  func noteUnshown() {
    if let fixes = walk.replay?.fixes {
      console.noteUnshown(fixes.issues, in: fixes.input.shownName)
      console.note(
        ReplayText.note(
          on: fixes.outliers, areLeftOut: plan.track.repairs.contains(.skippingOutliers)),
        in: plan.isOneOfMany ? fixes.input.shownName : nil)
    }
  }

  /// Listens to the keys of a terminal that shows progress: space pauses and resumes the walk, <
  /// and >, or - and +, change its speed, q ends it.
  private func keyboard() -> Keyboard? {
    guard console.showsProgress else { return nil }
    return Keyboard { event in
      guard case .bytes(let bytes) = event else { return }
      for byte in bytes {
        switch store.state.action(of: Character(UnicodeScalar(byte))) {
        case .stop: stop()
        case _ where plan.track.isLive: break
        case .pause: pause()
        case .resume: resume()
        case .setSpeed(let speed):
          console.note("speed: \(speed.label)")
          setSpeed(speed)
        default: break
        }
      }
    }
  }

  /// The line of progress.
  ///
  /// - Parameter elapsed: seconds since the run began.
  func progress(elapsed: Double, waiting: String?) -> String {
    let state = store.state
    let share = walk.replay?.fixes.share(
      at: state.deliveredDistance, laps: plan.options.laps)
    return ReplayText.progress(
      state, share: share, elapsed: elapsed, waiting: waiting, style: console.noteStyle)
  }

  /// The reason why a walk that came to its end did not yield what it should.
  private func failure(_ state: TrackingState) -> Failure? {
    if let status = state.authorization, status == .denied || status == .restricted {
      return Failure(
        message: "location permission \(status.rawValue)",
        hint: script.map { "Change the step in \($0)." }
          ?? "Allow it with --authorization authorized.", kind: .permissionDenied)
    }
    if let (fixes, provider) = walk.replay, state.locations == 0, state.isAvailable,
      state.authorization?.isAuthorized == true
    {
      return .nothingToReplay(
        in: fixes, partFrom: provider.emptyPartStart, to: plan.options.end)
    }
    guard let counts = state.searches, let photos else { return nil }
    if counts.isKeyRejected {
      let variable = photos.keyVariable ?? "the environment"
      return Failure(
        message: "\(photos.title) rejected the key in \(variable)",
        hint: "Set \(variable) to a valid key, or use --photos commons, which needs none.",
        kind: .serviceUnavailable)
    }
    let reason = state.failure ?? "unknown"
    if state.failures > 0, counts.failed == state.searched {
      return Failure(
        message: "every photo search failed: \(reason)",
        hint: "Use --photos none for locations and cities, or --photos sample for made-up photos.",
        kind: .serviceUnavailable)
    }
    if state.found > 0, state.failedDownloads == state.found {
      return Failure(
        message: "no photo could be downloaded: \(reason)",
        hint: "Try again later: the searches are remembered.", kind: .serviceUnavailable)
    }
    return nil
  }
}
