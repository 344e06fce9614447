import FaketrackFeatures
import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations

/// Reads a track during the walk, reports its faults on stderr, and tells how much of it lies behind the
/// walker.
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
  private let isOneOfMany: Bool
  private let console: Console
  private let state = Locked(State())

  /// - Parameters:
  ///   - isLooped: whether the fixes are walked more than once.
  ///   - isMeasured: whether ``share(at:laps:)`` is asked for.
  ///   - isOneOfMany: whether others are read side by side. A small one is then read at once, which
  ///     takes less than a thread for each; and no note says what is walked.
  init(
    _ file: TrackFile, isStrict: Bool = false, isLooped: Bool = false, isMeasured: Bool = false,
    isOneOfMany: Bool = false, console: Console
  ) {
    self.file = file
    self.isStrict = isStrict
    self.console = console
    self.isMeasured = isMeasured
    self.isOneOfMany = isOneOfMany
    holdsFixes = isLooped && !file.input.isRegularFile
  }

  /// The fixes, read anew for each iteration.
  var batches: TrackBatches {
    TrackBatches(
      small: { [self] in isOneOfMany ? try readSmall() : nil }, onThread: threaded)
  }

  /// The fixes, read on a thread of their own.
  private var threaded: ThreadedBatches {
    ThreadedBatches { [self] deliver in
      let isFirst = beginReading()
      if holdsFixes, !isFirst { return try deliver(state.withLock(\.fixes)) }
      let measures = isFirst && isMeasured
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

  private var reader: GPXFixReader {
    GPXFixReader(file.input, source: file.source, isStrict: isStrict)
  }

  /// Whether this is the first reading.
  private func beginReading() -> Bool {
    state.withLock { state in
      defer { state.isFirstReading = false }
      return state.isFirstReading
    }
  }

  /// The fixes of a file that can be read again and has few of them, and the error at which they
  /// break off; `nil` for any other.
  private func readSmall() throws -> TrackBatches.Small? {
    guard file.input.isSmall else { return nil }
    var fixes: [Fix] = []
    var issues: [GPXIssue] = []
    var small = TrackBatches.Small()
    do {
      let contents = try reader.read { event in
        switch event {
        case .source: break
        case .issue(let issue): issues.append(issue)
        case .fixes(let more, _): fixes += more
        }
        if max(fixes.count, issues.count) > Self.smallCount { throw TooLarge() }
      }
      if beginReading() { state.withLock { $0.contents = contents } } else { issues = [] }
    } catch is TooLarge {
      return nil
    } catch {
      if !beginReading() { issues = [] }
      small.failure = error
    }
    for issue in issues { report(issue) }
    small.fixes = fixes
    return small
  }

  private struct TooLarge: Error {}

  /// Fixes of a small track.
  private static let smallCount = 16_384

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
    guard file.source == .auto, !isOneOfMany else { return }
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
    return Self.sizeOfFile(path) != nil
  }

  /// Whether it can be read more than once and probably has few points: packed ones say no more by
  /// their size.
  var isSmall: Bool {
    let size: Int? =
      switch self {
      case .file(let path): Self.sizeOfFile(path)
      case .bytes(let bytes, _): bytes.count
      case .descriptor: nil
      }
    return size.map { $0 <= 4 << 20 } ?? false
  }

  /// The bytes of a regular file; `nil` for anything else.
  private static func sizeOfFile(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}
