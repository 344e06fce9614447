import FaketrackFeatures
import FaketrackTerminal
import Locations

/// A run of `replay` with one track: walks to the end, writes each location, and says how it went.
@MainActor
final class ReplayRun {
  private let root: CompositionRoot
  private let console: Console
  private let laps: Int
  private let walk: TrackWalk
  private let walkingSpeed: Double
  private let document: OutputDocument
  private let model: TrackingViewModel
  private let control: WalkControl

  init(_ command: ReplayCommand, track: String, _ root: CompositionRoot) throws {
    self.root = root
    console = root.console
    laps = command.walk.loop
    let plan = try WalkPlan(command, root)
    let file = plan.file(.init(argument: track), named: track)
    if let failure = OutputFile.refusal(of: file.input) { throw failure }
    let walk = plan.walk(file, isMeasured: console.showsProgress)
    self.walk = walk
    walkingSpeed = plan.walkingSpeed
    let document = OutputDocument(
      plan.format.frame(false), plan.format.makeRenderer(plan.style, nil), to: root.output)
    self.document = document
    model = TrackingViewModel(
      catalog: TrackCatalog([file], readsShapes: false), speed: plan.speed,
      permission: plan.permission, makeTracker: { _ in walk.tracker },
      deliver: { try await document.write($0) })
    control = WalkControl(model, console: console)
  }

  /// Walks to the end.
  ///
  /// - Throws: what ends the process with a code other than 0.
  func run() async throws {
    let failure = await console.showing(progress: progress) { await replay() }
    if failure is StandardOutput.Closed { return }
    summarize()
    if let failure { throw failure }
    if model.state.phase == .stopped { return }
    if let failure = walk.failure(model.state) { throw failure }
  }

  /// - Returns: why the walk failed, if it did.
  private func replay() async -> (any Error)? {
    await Interruption.run(closing: document.close) { [model, document, control] in
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
  }

  private func summarize() {
    walk.track.reportUnshownIssues()
    let times = walk.provider.unusableTimes
    if let note = ReplayText.note(on: times, walkingSpeed: walkingSpeed) {
      console.note("note: \(note)")
    }
    console.note(ReplayText.summary(of: model.state, skipped: walk.track.skipped))
  }

  private func progress(elapsed: Double) -> String {
    let state = model.state
    let share = walk.track.share(at: state.deliveredDistance, laps: laps)
    return ProgressLine(share: share, style: console.noteStyle)
      .text(for: state, elapsed: elapsed, waiting: root.wait.text)
  }
}
