import FaketrackFeatures
import FaketrackTerminal
import Foundation
import GPX
import Geodesy
import Locations
import Synchronization

/// A GPX file as a source of fixes, read on a thread of its own while they are walked.
final class TrackFile: Sendable {
  private struct State {
    var issues = GPXIssueLog()
    var hasSaidSource = false
    var isFirstReading = true
    /// What was read of an input that can be read but once and is walked again.
    var kept: [Fix] = []
  }

  let input: GPXInput
  private let source: GPXSource
  private let isStrict: Bool
  private let keepsFixes: Bool
  private let console: Console
  private let state = Mutex(State())

  /// - Parameter isLooped: whether the fixes are walked more than once.
  convenience init(
    path: String, source: GPXSource, isStrict: Bool, isLooped: Bool = false, console: Console
  ) {
    self.init(
      path == "-" ? .descriptor(STDIN_FILENO, name: "standard input") : .file(path),
      source: source, isStrict: isStrict, isLooped: isLooped, console: console)
  }

  /// - Parameter isLooped: whether the fixes are walked more than once.
  init(
    _ input: GPXInput, source: GPXSource, isStrict: Bool = false, isLooped: Bool = false,
    console: Console
  ) {
    self.input = input
    keepsFixes = isLooped && !input.isRegularFile
    self.source = source
    self.isStrict = isStrict
    self.console = console
  }

  /// The fixes, read anew for each iteration.
  var batches: ThreadedBatches {
    ThreadedBatches { [self] deliver in
      let isFirst = state.withLock { state in
        defer { state.isFirstReading = false }
        return state.isFirstReading
      }
      if keepsFixes, !isFirst { return try deliver(state.withLock(\.kept)) }
      try GPXWalk(input, source: source, isStrict: isStrict).read { event in
        switch event {
        case .source(let kind): if isFirst { say(kind) }
        case .issue(let issue): if isFirst { report(issue) }
        case .fixes(let fixes, _):
          if keepsFixes { state.withLock { $0.kept += fixes } }
          try deliver(fixes)
        }
      }
    }
  }

  /// How many points were left out.
  var skipped: Int { state.withLock(\.issues.skipped) }

  /// Says how many issues were not shown one by one.
  func reportUnshownIssues() {
    for (kind, count) in state.withLock(\.issues.unshown) {
      console.note(
        "warning: \(input.name ?? "the input"): \(kind): \(Quantity.grouped(count)) more")
    }
  }

  /// Metres of the whole track, read ahead; `nil` for a pipe, or for a file that is broken.
  func length() async -> Double? {
    guard input.isRegularFile else { return nil }
    let reading = ThreadedBatches { [input, source] deliver in
      try GPXWalk(input, source: source).read { event in
        if case .fixes(let fixes, _) = event { try deliver(fixes) }
      }
    }
    var statistics = TrackStatistics()
    do {
      for try await fixes in reading {
        for fix in fixes { statistics.add(fix) }
      }
    } catch {
      return nil
    }
    return statistics.length
  }

  private func say(_ kind: GPXPointKind) {
    guard source == .auto else { return }
    let name =
      switch kind {
      case .trackPoint: "tracks"
      case .routePoint: "routes"
      case .waypoint: "waypoints"
      }
    console.note("walking: \(name) of \(input.name ?? "the input")")
  }

  private func report(_ issue: GPXIssue) {
    guard state.withLock({ $0.issues.record(issue) }) else { return }
    console.note("warning: \(issue.description(in: input.name ?? "the input"))")
  }
}

extension GPXInput {
  /// Whether it can be read more than once.
  fileprivate var isRegularFile: Bool {
    guard case .file(let path) = self else { return false }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
