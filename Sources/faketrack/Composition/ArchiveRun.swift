import ArgumentParser
import FaketrackFeatures
import FaketrackSupport
import FaketrackTerminal

/// A run with many tracks: works on them side by side, writes what comes of them in their order, and
/// says what went wrong.
@MainActor
final class ArchiveRun {
  private let source: ArchiveSource
  private let jobs: Int
  private let document: ArchiveDocument
  private let console: Console
  private let tally = Locked(ArchiveTally())

  init(
    _ source: ArchiveSource, jobs: Int, frame: DocumentFrame = DocumentFrame(),
    _ root: CompositionRoot
  ) {
    self.source = source
    self.jobs = jobs
    console = root.console
    document = ArchiveDocument(frame, to: root.output)
  }

  /// Works to the end.
  ///
  /// - Parameters:
  ///   - work: works on a track, or ends one that cannot be read.
  ///   - waiting: what the work waits for, for the line of progress.
  ///   - summarize: says what has been done, also of a run that broke off, and then how many records of
  ///     the track in progress were written.
  /// - Throws: what ends the process with a code other than 0.
  func run(
    work: @escaping @Sendable (ArchiveTrack, OrderedOutput.Lane) async -> Void,
    waiting: @escaping @MainActor () -> String? = { nil },
    summarize: (ArchiveTally, _ leftOut: Int, _ brokenOff: Int) -> Void = { _, _, _ in }
  ) async throws {
    if console.showsProgress { source.startCounting() }
    let failure = await console.showing(progress: { [self] elapsed in
      ArchiveText.progress(
        self.tally.withLock(\.self), leftOut: source.leftOut, of: source.count, elapsed: elapsed,
        waiting: waiting(), style: console.noteStyle)
    }) {
      await runToEnd(work)
    }
    if failure is StandardOutput.Closed { return }
    let tally = tally.withLock(\.self)
    summarize(tally, source.leftOut, document.recordsInProgress)
    if let failure { throw failure }
    if let kind = tally.failureKind { throw ExitCode(kind.exitCode) }
  }

  /// - Returns: why the run failed, if it did.
  private func runToEnd(
    _ work: @escaping @Sendable (ArchiveTrack, OrderedOutput.Lane) async -> Void
  ) async -> (any Error)? {
    await Interruption.run(closing: document.close) { [self, source, jobs, document] in
      try await document.open()
      try await OrderedOutput.run(jobs: jobs, next: source.next, work: work) { chunks, isFirst in
        try await document.write(chunks, startsTrack: isFirst)
        take(chunks)
      }
    }
  }

  private nonisolated func take(_ chunks: [TrackChunk]) {
    for outcome in chunks.compactMap(\.outcome) {
      tally.withLock { $0.add(outcome) }
      if let failure = outcome.failure { console.say(failure) }
    }
  }
}
