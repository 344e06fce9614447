import FaketrackSupport
import Geodesy

/// The points of a file to replay.
public enum GPXSource: String, Hashable, Sendable, CaseIterable, Codable {
  /// Tracks; if they have no usable point, routes; if those have none either, waypoints.
  case auto
  /// The points of all tracks.
  case tracks
  /// The points of all routes.
  case routes
  /// The waypoints.
  case waypoints

  /// The kind of the points; nil for ``auto``, which depends on the file.
  public var kind: GPXPointKind? {
    switch self {
    case .auto: nil
    case .tracks: .trackPoint
    case .routes: .routePoint
    case .waypoints: .waypoint
    }
  }
}

/// The fixes of one source of a file, in order and in batches.
///
/// ```swift
/// let track = GPXFixes(.file("walk.gpx")) { event in
///   if case .issue(let issue) = event { print(issue) }
/// }
/// for try await fixes in track { draw(fixes) }
/// print(track.contents.tracks)
/// ```
///
/// Each iteration reads the input from its beginning, on a separate thread that reads ahead of the
/// iteration by a few batches; it ends with the iteration. An iteration throws ``GPXError`` after the
/// fixes of everything before the place of the error, and `CancellationError` in a canceled task.
///
/// In a GPX file the waypoints come first and the tracks last, so that the choice of
/// ``GPXSource/auto`` may be known only at the end. Until then, the points that may be chosen are
/// held in memory; otherwise memory does not grow with the file. The input is read once, so it may be
/// a pipe.
public final class GPXFixes: AsyncSequence, Sendable {
  /// A batch of fixes, never empty.
  public typealias Element = [Fix]
  /// ``GPXError`` or `CancellationError`.
  public typealias Failure = any Error

  /// A part of what is read.
  public enum Event: Sendable {
    /// The kind of the points that follow; once, before the first.
    case source(GPXPointKind)
    /// The next fixes, at least one, and the fraction of the input that has been read, 0 ... 1; nil
    /// if its length is unknown.
    case fixes([Fix], fraction: Double?)
    /// Something that could not be used, in points of any kind.
    case issue(GPXIssue)
  }

  /// The contents of a file, whether they were chosen or not.
  public struct Contents: Hashable, Sendable {
    /// The kind of the points that were delivered, nil if there were none.
    public fileprivate(set) var kind: GPXPointKind?
    /// The number of tracks, empty ones included.
    public fileprivate(set) var tracks = 0
    /// The number of routes, empty ones included.
    public fileprivate(set) var routes = 0
    /// The number of usable points of each kind; those without any are left out.
    public fileprivate(set) var points: [GPXPointKind: Int] = [:]

    /// The contents of an empty file.
    public init() {}
  }

  /// Properties of an iteration.
  package struct Options: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The fixes of an input that can be read only once are held in memory for more iterations.
    package static let repeats = Options(rawValue: 1)
    /// ``GPXFixes/share(at:laps:)`` is used.
    package static let measures = Options(rawValue: 2)
    /// A small file is read by the iterating task, which takes less than a thread for each of many.
    package static let readsSmallFilesInPlace = Options(rawValue: 4)
  }

  private struct State {
    var contents = Contents()
    var issues = GPXIssueLog()
    var isFirstReading = true
    var heldFixes: [Fix] = []
    var share = ReadShare()
  }

  /// The input that is read.
  public let input: GPXInput
  /// The points that are delivered.
  public let source: GPXSource
  private let isStrict: Bool
  private let options: Options
  private let holdsFixes: Bool
  private let report: @Sendable (Event) -> Void
  private let state = Locked(State())

  /// Creates the sequence of an input.
  ///
  /// - Parameters:
  ///   - isStrict: whether the first issue of a point ends the reading with an error.
  ///   - report: receives the source and the first ten issues of each kind that the first iteration
  ///     meets, on the reading thread; ``issues`` counts all of them.
  public convenience init(
    _ input: GPXInput, source: GPXSource = .auto, isStrict: Bool = false,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.init(input, source: source, isStrict: isStrict, options: [], report: report)
  }

  package init(
    _ input: GPXInput, source: GPXSource, isStrict: Bool, options: Options,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.input = input
    self.source = source
    self.isStrict = isStrict
    self.options = options
    self.report = report
    holdsFixes = options.contains(.repeats) && !input.isRepeatable
  }

  /// The contents of the file, known once an iteration has read it to its end.
  public var contents: Contents { state.withLock(\.contents) }

  /// The issues that the first iteration has met.
  public var issues: GPXIssueLog { state.withLock(\.issues) }

  /// The share of the track before a place, 0 ... 1; nil as long as it is not known.
  ///
  /// - Parameters:
  ///   - meters: the distance from the start, which must not be less than that of an earlier call.
  ///   - laps: how many times the track is replayed, at least 1.
  package func share(at meters: Double, laps: Int) -> Double? {
    state.withLock { $0.share.share(at: meters, laps: laps) }
  }
}

// MARK: Iterating

extension GPXFixes {
  /// Begins another reading of the input.
  public func makeAsyncIterator() -> Iterator {
    Iterator(fixes: self)
  }

  /// One reading of the input.
  public struct Iterator: AsyncIteratorProtocol {
    private enum State {
      case unread(GPXFixes)
      case reading(ReadAhead)
      case ended(failure: (any Error)?)
    }

    private var state: State

    fileprivate init(fixes: GPXFixes) {
      state = .unread(fixes)
    }

    /// The next batch, or `nil` after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [Fix]? {
      switch state {
      case .unread(let fixes):
        if let (batch, failure) = fixes.readInPlace() {
          state = .ended(failure: failure)
          return batch.isEmpty ? try await next(isolation: actor) : batch
        }
        let batches = ReadAhead { deliver in try fixes.read(to: deliver) }
        state = .reading(batches)
        return try await batches.next(isolation: actor)
      case .reading(let batches):
        return try await batches.next(isolation: actor)
      case .ended(let failure):
        state = .ended(failure: nil)
        if let failure { throw failure }
        return nil
      }
    }

    /// The next batch, or `nil` after the last one.
    public mutating func next() async throws -> [Fix]? {
      try await next(isolation: nil)
    }
  }

  /// The largest number of fixes or issues that are read in place.
  private static let countInPlace = 16_384

  /// Reads all of a small file; nil if it is not small or not wanted.
  private func readInPlace() -> (fixes: [Fix], failure: (any Error)?)? {
    guard options.contains(.readsSmallFilesInPlace), input.isSmall else { return nil }
    var fixes: [Fix] = []
    var others: [Event] = []
    var contents = Contents()
    var failure: (any Error)?
    do {
      contents = try read { event in
        if case .fixes(let more, _) = event { fixes += more } else { others.append(event) }
        if Swift.max(fixes.count, others.count) > Self.countInPlace { throw CancellationError() }
      }
    } catch is CancellationError {
      return nil
    } catch {
      failure = error
    }
    if beginReading() {
      for event in others { note(event) }
      if failure == nil { state.withLock { $0.contents = contents } }
    }
    return (fixes, failure)
  }

  /// Reads the whole input on the thread of the caller.
  private func read(to deliver: ReadAhead.Deliver) throws {
    let isFirst = beginReading()
    if holdsFixes, !isFirst { return try deliver(state.withLock(\.heldFixes)) }
    let measures = isFirst && options.contains(.measures)
    let contents = try read { event in
      guard case .fixes(let fixes, let fraction) = event else {
        if isFirst { note(event) }
        return
      }
      if holdsFixes { state.withLock { $0.heldFixes += fixes } }
      if measures { state.withLock { $0.share.add(fixes, fraction: fraction) } }
      try deliver(fixes)
    }
    state.withLock { state in
      if isFirst { state.contents = contents }
      if measures { state.share.finish() }
    }
  }

  private func beginReading() -> Bool {
    state.withLock { state in
      defer { state.isFirstReading = false }
      return state.isFirstReading
    }
  }

  private func note(_ event: Event) {
    if case .issue(let issue) = event, !state.withLock({ $0.issues.record(issue) }) { return }
    report(event)
  }
}

// MARK: Reading

extension GPXFixes {
  /// Reads to the end of the input, on the thread that calls it, and returns its contents.
  ///
  /// An error that the handler throws ends the reading and is rethrown.
  ///
  /// - Throws: ``GPXError`` after the points of everything before the place of the error; what the
  ///   handler throws.
  @discardableResult
  public func read(_ handler: (Event) throws -> Void) throws -> Contents {
    try read(GPXReader(input, isStrict: isStrict, readsDetails: false), outline: { _ in }, handler)
  }

  /// Reads like ``read(_:)``, and passes on names and waypoints.
  ///
  /// - Parameter outline: receives the metadata, the details of tracks and routes, and the waypoints
  ///   with theirs, at their places in the file. When waypoints are the source, their fixes go to the
  ///   handler as well.
  /// - Throws: the errors of ``read(_:)`` and of `outline`.
  @discardableResult
  public func read(
    outline: (GPXEvent) throws -> Void, _ handler: (Event) throws -> Void
  ) throws -> Contents {
    var reader = GPXReader(input, isStrict: isStrict, readsDetails: false)
    reader.readsOutline = true
    return try read(reader, outline: outline, handler)
  }

  private func read(
    _ reader: GPXReader, outline: (GPXEvent) throws -> Void, _ handler: (Event) throws -> Void
  ) throws -> Contents {
    var contents = Contents()
    var choice = SourceChoice(source)
    let result = Result { () throws(GPXError) in
      try reader.run { event in
        switch event {
        case .points(let points):
          contents.points[points.kind, default: 0] += points.fixes.count
          if points.kind == .waypoint { try outline(event) }
          try choice.receive(points, handler)
        case .issue(let issue): try handler(.issue(issue))
        case .track: contents.tracks += 1
        case .route: contents.routes += 1
        case .metadata, .details: try outline(event)
        case .segment: break
        }
      }
    }
    if case .success(let handlerError?) = result { throw handlerError }
    // What was put aside comes before the place of an error in the file.
    try choice.finish(handler)
    _ = try result.get()
    contents.kind = choice.kind
    return contents
  }
}

/// Passes on the points of the source, and puts aside those that may still become it.
private struct SourceChoice: ~Copyable {
  /// The chosen kind; nil as long as the choice is open.
  private(set) var kind: GPXPointKind?
  private let source: GPXSource
  /// The fixes that were put aside, in batches, and their kind.
  private var aside: [[Fix]] = []
  private var candidate: GPXPointKind?

  init(_ source: GPXSource) {
    self.source = source
  }

  mutating func receive(
    _ points: GPXPoints, _ handler: (GPXFixes.Event) throws -> Void
  ) throws {
    guard source == .auto || points.kind == source.kind else { return }
    if source != .auto || points.kind == .trackPoint {
      aside = []
      try choose(points.kind, handler)
      try handler(.fixes(points.fixes, fraction: points.fraction))
    } else if kind == nil, points.kind == .routePoint || candidate != .routePoint {
      // Routes replace waypoints; waypoints never replace routes.
      if points.kind != candidate { aside = [] }
      candidate = points.kind
      aside.append(points.fixes)
    }
  }

  /// Delivers what was put aside if nothing better has come.
  mutating func finish(_ handler: (GPXFixes.Event) throws -> Void) throws {
    guard kind == nil, !aside.isEmpty, let candidate else { return }
    try choose(candidate, handler)
    for (index, fixes) in aside.enumerated() {
      try handler(.fixes(fixes, fraction: Double(index + 1) / Double(aside.count)))
    }
  }

  private mutating func choose(
    _ kind: GPXPointKind, _ handler: (GPXFixes.Event) throws -> Void
  ) throws {
    guard self.kind == nil else { return }
    self.kind = kind
    try handler(.source(kind))
  }
}
