import ArgumentParser
import FaketrackFeatures
import FaketrackTerminal

extension CompositionRoot {
  /// Replays tracks to their ends.
  ///
  /// - Throws: the failure that ends the process with a code other than 0.
  func replay(_ command: ReplayCommand) async throws {
    let finished = try command.resume.map { try FinishedTracks(contentsOf: $0) }
    let tracks = try command.input.makeTracks(without: finished)
    let plan = try WalkPlan(command, self)
    let run = batch(tracks, jobs: command.input.jobs, format: plan.format)
    // From here on nothing can fail and leave the output without its last, broken track.
    try finished?.cutOff()
    let single = try tracks.single.map { try plan.walk($0, isSingle: true) }
    try await perform(
      run, showing: single,
      summarize: {
        if let single { single.track.reportUnshownIssues() }
        let times = single?.provider.unusableTimes ?? run.tally.unusableTimes
        if let note = ReplayText.note(on: times, walkingSpeed: command.walk.walkingSpeed) {
          console.note("note: \(note)")
        }
        console.note(
          single.map { ReplayText.summary(of: $0.store.state, skipped: $0.track.skipped) }
            ?? BatchText.summary(
              of: run.tally, leftOut: tracks.leftOut, brokenOff: run.recordsInProgress,
              calls: plan.photos?.calls))
      },
      work: { track, output in
        if let single { return try await single.run(output) }
        let walk: TrackWalk
        do {
          walk = try plan.walk(track)
        } catch {
          return TrackOutcome(failure: Failure(error))
        }
        var outcome = try await walk.run(output)
        walk.track.reportUnshownIssues()
        outcome.failure = outcome.failure?.naming(track.id)
        return outcome
      })
  }

  /// A run over tracks, with its output on stdout and the failures of a batch on stderr.
  ///
  /// - Parameter format: the format of visits; `nil` for work that writes texts.
  func batch(_ tracks: BatchTracks, jobs: Int, format: OutputFormat? = nil) -> BatchRun {
    BatchRun(
      tracks, jobs: jobs, format: format, write: output.write,
      report: { [console] in console.say($0) })
  }

  /// Runs work over tracks to its end, or until a signal comes; the output is a whole document in either
  /// case.
  ///
  /// - Parameters:
  ///   - single: the walk that keys control and the line of progress shows, instead of a batch.
  ///   - summarize: reports the results, also of a run that broke off.
  /// - Throws: the failure that ends the process with a code other than 0.
  func perform(
    _ run: BatchRun, showing single: TrackWalk? = nil, summarize: () -> Void = {},
    work: @escaping BatchRun.Work
  ) async throws {
    let tracks = run.tracks
    if console.showsProgress, tracks.single == nil { tracks.startCounting() }
    let control = single.map { WalkControl($0, console: console) }
    let failure = await console.showing(progress: { [console, wait] elapsed in
      if let single {
        return single.progress(elapsed: elapsed, waiting: wait.text, style: console.noteStyle)
      }
      if tracks.single != nil { return "" }
      return BatchText.progress(
        run.tally, leftOut: tracks.leftOut, of: tracks.count, elapsed: elapsed, waiting: wait.text,
        style: console.noteStyle)
    }) {
      await Interruption.run(closing: run.close) {
        // Opened after signals are handled, and closed before a signal can end the process again.
        control?.open()
        defer { control?.close() }
        try await run.run(work)
      }
    }
    if failure is StandardOutput.Closed { return }
    summarize()
    if let failure { throw failure }
    if let failure = run.failure { throw failure }
    if let kind = run.tally.failureKind { throw ExitCode(kind.exitCode) }
  }
}
