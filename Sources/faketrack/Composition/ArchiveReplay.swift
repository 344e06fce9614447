import FaketrackFeatures
import FaketrackTerminal
import GPX

/// A run of `replay` with many tracks.
@MainActor
final class ArchiveReplay {
  private let plan: WalkPlan
  private let root: CompositionRoot
  private let run: ArchiveRun

  init(_ command: ReplayCommand, _ root: CompositionRoot) throws {
    self.root = root
    let previous = try command.resume.map { try PreviousOutput($0) }
    let source = try ArchiveSource(
      command.archive, finished: previous?.finished ?? FinishedTracks())
    plan = try WalkPlan(command, root)
    run = ArchiveRun(
      source, jobs: command.archive.jobs, frame: plan.format.frame(true), root)
    // Nothing can fail any more that would leave the output without its last, broken track.
    try previous?.cutOff()
  }

  /// Walks all tracks to their ends.
  ///
  /// - Throws: what ends the process with a code other than 0.
  func start() async throws {
    let (plan, console) = (plan, root.console)
    try await run.run(
      work: { track, lane in
        let text = TrackText(
          plan.format.makeRenderer(plan.style, track.id), to: lane)
        // Only a canceled task leaves its track without an end.
        try? await text.end(try await Self.walk(track, plan, console, text))
      },
      waiting: { [wait = root.wait] in wait.text },
      summarize: { [root, plan] tally, leftOut, brokenOff in
        if let note = ReplayText.note(
          on: tally.unusableTimes, walkingSpeed: plan.walkingSpeed)
        {
          root.console.note("note: \(note)")
        }
        root.console.note(
          ArchiveText.summary(
            of: tally, leftOut: leftOut, brokenOff: brokenOff, calls: plan.photos?.counter.calls))
      })
  }

  /// - Throws: `CancellationError`.
  private nonisolated static func walk(
    _ track: ArchiveTrack, _ plan: WalkPlan, _ console: Console, _ text: TrackText
  ) async throws -> TrackOutcome {
    let input: GPXInput
    switch track.input {
    case .success(let found): input = found
    case .failure(let failure): return TrackOutcome(failure)
    }
    let walk = plan.walk(plan.file(input, named: track.id), name: track.id)
    let store = StateStore(TrackingState(speed: plan.speed, searchesPhotos: plan.photos != nil))
    var failure: Failure?
    do {
      try await walk.tracker.run(updating: store) { try await text.write($0) }
      failure = walk.failure(store.state)
    } catch {
      // A canceled task stops at any place, with any error.
      try Task.checkCancellation()
      failure = Failure(error)
    }
    walk.track.reportUnshownIssues()
    let state = store.state
    return TrackOutcome(
      TrackTotals(state, skipped: walk.track.skipped), failure: failure?.naming(track.id),
      searches: state.searches?.searches ?? 0, unusableTimes: walk.provider.unusableTimes)
  }
}
