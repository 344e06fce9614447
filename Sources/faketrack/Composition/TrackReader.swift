import FaketrackFeatures
import Foundation
import GPX
import Geodesy
import Locations
import Synchronization

/// Reads a track on a thread of its own during the walk, reports its faults on stderr, and tells how
/// much of it lies behind the walker.
final class TrackReader: Sendable {
  private struct State {
    var issues = GPXIssueLog()
    var contents = GPXFixReader.Summary()
    var isFirstReading = true
    /// The fixes of an input that cannot be read again and is walked several times.
    var fixes: [Fix] = []
    var share = ReadShare()
  }

  private let file: TrackFile
  private let isStrict: Bool
  private let holdsFixes: Bool
  private let isMeasured: Bool
  private let console: Console
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isLooped: whether the fixes are walked more than once.
  ///   - isMeasured: whether ``share(at:laps:)`` is asked for.
  init(
    _ file: TrackFile, isStrict: Bool = false, isLooped: Bool = false, isMeasured: Bool = false,
    console: Console
  ) {
    self.file = file
    self.isStrict = isStrict
    self.console = console
    self.isMeasured = isMeasured
    holdsFixes = isLooped && !file.input.isRegularFile
  }

  /// The fixes, read anew for each iteration.
  var batches: ThreadedBatches {
    ThreadedBatches { [self] deliver in
      let isFirst = state.withLock { state in
        defer { state.isFirstReading = false }
        return state.isFirstReading
      }
      if holdsFixes, !isFirst { return try deliver(state.withLock(\.fixes)) }
      let measures = isFirst && isMeasured
      let reader = GPXFixReader(file.input, source: file.source, isStrict: isStrict)
      let contents = try reader.read { event in
        switch event {
        case .source(let kind): if isFirst { say(kind) }
        case .issue(let issue): if isFirst { report(issue) }
        case .fixes(let fixes, let fraction):
          if holdsFixes { state.withLock { $0.fixes += fixes } }
          if measures { state.withLock { $0.share.add(fixes, fraction: fraction) } }
          try deliver(fixes)
        }
      }
      if isFirst { state.withLock { $0.contents = contents } }
      if measures { state.withLock { $0.share.finish() } }
    }
  }

  /// The share of the track that lies before a place, 0 ... 1; `nil` as long as it is not known, and
  /// for a track that is not measured.
  ///
  /// - Parameter meters: the place, which must not be before that of an earlier call.
  func share(at meters: Double, laps: Int) -> Double? {
    state.withLock { $0.share.share(at: meters, laps: laps) }
  }

  /// What messages call the input.
  var name: String { file.input.name ?? "the input" }

  /// What the file holds, known once it has been read to its end.
  var contents: GPXFixReader.Summary { state.withLock(\.contents) }

  /// How many points could not be used.
  var skipped: Int { state.withLock(\.issues.skipped) }

  /// Reports how many issues were not shown individually.
  func reportUnshownIssues() {
    console.warn(ofUnshown: state.withLock(\.issues), in: name)
  }

  private func say(_ kind: GPXPointKind) {
    guard file.source == .auto else { return }
    let source =
      switch kind {
      case .trackPoint: "tracks"
      case .routePoint: "routes"
      case .waypoint: "waypoints"
      }
    console.note("walking: \(source) of \(name)")
  }

  private func report(_ issue: GPXIssue) {
    guard state.withLock({ $0.issues.record(issue) }) else { return }
    console.warn(of: issue, in: name)
  }
}

extension Console {
  /// Reports something that is wrong with a GPX file.
  func warn(of issue: GPXIssue, in name: String) {
    note("warning: \(issue.description(in: name))")
  }

  /// Reports how many issues were not shown individually.
  func warn(ofUnshown issues: GPXIssueLog, in name: String) {
    for (kind, count) in issues.unshown {
      note("warning: \(name): \(kind): \(Quantity.grouped(count)) more")
    }
  }
}

extension GPXInput {
  /// The input that a command's argument names.
  init(argument: String) {
    self = argument == "-" ? .descriptor(STDIN_FILENO, name: "standard input") : .file(argument)
  }

  /// Whether it can be read more than once.
  fileprivate var isRegularFile: Bool {
    guard case .file(let path) = self else { return false }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
