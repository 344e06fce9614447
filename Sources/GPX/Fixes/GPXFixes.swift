import FaketrackSupport
import Foundation
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

/// One track of a file, or one of its routes where these are read.
package enum GPXTrackChoice: Hashable, Sendable {
  /// Counted from 1.
  case number(Int)
  case name(String)

  /// The number or the name.
  package var label: String {
    switch self {
    case .number(let number): "\(number)"
    case .name(let name): name
    }
  }
}

/// The fixes of one source of a file, in order.
///
/// ```swift
/// let track = GPXFixes(url)
/// for try await fix in track { draw(fix) }
/// print(track.contents.tracks, track.issues.total)
/// ```
///
/// A time that is out of line with the times of the fixes around it is removed.
///
/// Each iteration reads the input from its beginning, on a thread that reads ahead by a few batches
/// and ends with the iteration. It throws ``GPXError`` after the fixes before the place of the
/// error, and `CancellationError` in a canceled task.
///
/// In a GPX file the tracks come last, so that the choice of ``GPXSource/auto`` may be known only
/// at the end. Until then, the points that may be chosen are held in memory; otherwise memory does
/// not grow with the file. The input is read once, so it may be a pipe.
public final class GPXFixes: AsyncSequence, Sendable {
  /// A part of what is read.
  package enum Event: Sendable {
    /// The kind of the points that follow; once, before the first.
    case source(GPXPointKind)
    /// The next fixes, at least one, and the fraction of the input that has been read, 0 ... 1, if
    /// its length is known.
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
    /// The names of the tracks or routes to choose from, by number.
    package fileprivate(set) var names: [GPXPointKind: [Int: String]] = [:]
  }

  /// The changes to a track that is not as it was walked.
  package struct Repairs: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Positions that are outliers are left out.
    package static let skippingOutliers = Self(rawValue: 1)
    /// Tracks and segments come in the order of their times. All fixes are held in memory.
    package static let sortingByTime = Self(rawValue: 2)
  }

  /// Makes a filter for one reading, which gets all fixes in order and in batches.
  package typealias MakeFilter = @Sendable () -> ([Fix]) -> [Fix]

  private struct State {
    var contents = Contents()
    var issues = GPXIssueLog()
    var kind: GPXPointKind?
    var outliers = PositionOutliers()
    var omissions: [GPXPointKind: GPXOmissions] = [:]
    var isFirstReading = true
    var heldFixes: [Fix] = []
    var share = ReadShare()
  }

  package let input: GPXInput
  private let recording: GPXRecording?
  private let source: GPXSource
  package let choice: GPXTrackChoice?
  private let repairs: Repairs
  private let isStrict: Bool
  private let holdsFixes: Bool
  private let isMeasured: Bool
  private let readsInPlace: Bool
  private let makeFilter: MakeFilter?
  private let report: @Sendable (Event) -> Void
  private let state = Locked(State())

  /// Creates the sequence of a file, plain or gzipped, or of a pipe.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - source: the points to read.
  ///   - isStrict: whether the first issue of a point ends the reading with an error.
  public convenience init(_ url: URL, source: GPXSource = .auto, isStrict: Bool = false) {
    self.init(.file(url.path), source: source, isStrict: isStrict)
  }

  /// - Parameters:
  ///   - recording: the events of the input, if they are kept.
  ///   - choice: the only track to read; `nil` for all.
  ///   - isRepeated: whether the fixes of a pipe are held in memory for more iterations.
  ///   - isMeasured: whether ``share(at:laps:)`` is used.
  ///   - readsInPlace: whether the iterating task reads a small file, which takes less than a
  ///     thread for each of many.
  ///   - makeFilter: makes the filter of the fixes; `nil` keeps all.
  ///   - report: receives the source and the first ten issues of each kind of the first iteration,
  ///     on the reading thread; ``issues`` counts all of them.
  package init(
    _ input: GPXInput, recording: GPXRecording? = nil, source: GPXSource = .auto,
    choice: GPXTrackChoice? = nil, repairs: Repairs = [], isStrict: Bool = false,
    isRepeated: Bool = false,
    isMeasured: Bool = false, readsInPlace: Bool = false,
    makeFilter: MakeFilter? = nil,
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.input = input
    self.recording = recording
    self.source = source
    self.choice = choice
    self.repairs = repairs
    self.isStrict = isStrict
    self.isMeasured = isMeasured
    self.readsInPlace = readsInPlace && input.isSmall
    self.makeFilter = makeFilter
    self.report = report
    holdsFixes = isRepeated && recording == nil && !input.isRepeatable
  }

  /// Whether fixes may be left out.
  package var isFiltered: Bool { makeFilter != nil }

  /// The contents of the file, known once an iteration has read it to its end.
  public var contents: Contents { state.withLock(\.contents) }

  /// The issues that the first iteration has met.
  public var issues: GPXIssueLog { state.withLock(\.issues) }

  /// The positions that are outliers, known once an iteration has read the file to its end.
  package var outliers: PositionOutliers { state.withLock(\.outliers) }

  /// Values of the delivered points that fixes do not hold, as far as the file has been read.
  package var omissions: GPXOmissions {
    state.withLock { state in state.kind.flatMap { state.omissions[$0] } ?? [] }
  }

  /// The share of the track before a place, 0 ... 1; nil as long as it is not known.
  ///
  /// - Parameters:
  ///   - meters: the distance from the start, not less than in an earlier call.
  ///   - laps: the number of replays of the track, at least 1.
  package func share(at meters: Double, laps: Int) -> Double? {
    state.withLock { $0.share.share(at: meters, laps: laps) }
  }

  /// Begins another reading of the input.
  public func makeAsyncIterator() -> Iterator {
    Iterator(batches: batches.makeAsyncIterator())
  }

  /// One reading of the input.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var batches: Batches.Iterator
    fileprivate var batch: ArraySlice<Fix> = []

    /// The next fix, or `nil` after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Fix? {
      if batch.isEmpty, let next = try await batches.next(isolation: actor) { batch = next[...] }
      return batch.popFirst()
    }
  }

  /// The fixes in batches, never empty ones, which takes less than one by one; also for
  /// `ReplayLocationProvider(batches:)`.
  public var batches: Batches { Batches(fixes: self) }

  /// The fixes of a file, in order and in batches.
  public struct Batches: AsyncSequence, Sendable {
    fileprivate let fixes: GPXFixes

    /// Begins another reading of the input.
    public func makeAsyncIterator() -> Iterator {
      Iterator(fixes: fixes)
    }

    /// One reading of the input.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let fixes: GPXFixes
      fileprivate var batches: ReadAhead?

      /// The next batch, never empty, or `nil` after the last one.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws -> [Fix]? {
        let batches =
          self.batches ?? fixes.readInPlace() ?? ReadAhead { [fixes] in try fixes.readAhead($0) }
        self.batches = batches
        return try await batches.next(isolation: actor)
      }
    }
  }

  /// Reads all of a small file; nil if that is not wanted, or if it holds too much.
  private func readInPlace() -> ReadAhead? {
    guard readsInPlace else { return nil }
    var fixes: [Fix] = []
    var others: [Event] = []
    let result = Result {
      try read { event in
        if case .fixes(let more, _) = event { fixes += more } else { others.append(event) }
        if Swift.max(fixes.count, others.count) > 16_384 { throw CancellationError() }
      }
    }
    if case .failure(let error) = result, error is CancellationError { return nil }
    if beginReading() {
      for event in others { note(event) }
      if case .success(let contents) = result { state.withLock { $0.contents = contents } }
    }
    return ReadAhead(fixes, result.map { _ in })
  }

  private func readAhead(_ deliver: ReadAhead.Deliver) throws {
    let isFirst = beginReading()
    if holdsFixes, !isFirst { return try deliver(state.withLock(\.heldFixes)) }
    let isMeasured = isFirst && isMeasured
    let contents = try read { event in
      guard case .fixes(let fixes, let fraction) = event else {
        if isFirst { note(event) }
        return
      }
      if holdsFixes { state.withLock { $0.heldFixes += fixes } }
      if isMeasured { state.withLock { $0.share.add(fixes, fraction: fraction) } }
      try deliver(fixes)
    }
    state.withLock { state in
      if isFirst { state.contents = contents }
      if isMeasured { state.share.finish() }
    }
  }

  private func beginReading() -> Bool {
    state.withLock { state in
      defer { state.isFirstReading = false }
      return state.isFirstReading
    }
  }

  private func note(_ event: Event) {
    if case .source(let kind) = event { state.withLock { $0.kind = kind } }
    if case .issue(let issue) = event, !state.withLock({ $0.issues.record(issue) }) { return }
    report(event)
  }

  /// Reads to the end of the input, on the thread that calls it, and returns its contents.
  ///
  /// - Throws: ``GPXError`` after the points before the place of the error, and any error of the
  ///   handler, which ends the reading.
  @discardableResult
  package func read(_ handler: (Event) throws -> Void) throws -> Contents {
    try read(readsOutline: choice != nil, outline: { _ in }, handler)
  }

  /// Reads like ``read(_:)``, and passes on names, waypoints and route points.
  ///
  /// - Parameters:
  ///   - outline: receives the metadata, the details of tracks and routes, the route points, and
  ///     the waypoints with their details, in the order of the file.
  ///   - handler: receives what ``read(_:)`` passes on.
  /// - Throws: the errors of ``read(_:)`` and of `outline`.
  @discardableResult
  package func read(
    outline: (GPXEvent) throws -> Void, _ handler: (Event) throws -> Void
  ) throws -> Contents {
    try read(readsOutline: true, outline: outline, handler)
  }

  private func read(
    readsOutline: Bool, outline: (GPXEvent) throws -> Void, _ handler: (Event) throws -> Void
  ) throws -> Contents {
    var contents = Contents()
    var choice = SourceChoice(source)
    let choosesTrack = self.choice != nil
    let filter = makeFilter?()
    var times = TimeLine(recording != nil || input.isRepeatable ? .file : .stream)
    var positions = PositionLine()
    var order = repairs.contains(.sortingByTime) ? SegmentsByTime() : nil
    var share: Double?
    func deliver(judged fixes: [Fix], isEnd: Bool = false) throws {
      var onLine = positions.judge(fixes)
      if isEnd { positions.finish(&onLine) }
      let delivered = repairs.contains(.skippingOutliers) ? onLine : fixes
      if !delivered.isEmpty { try handler(.fixes(delivered, fraction: share)) }
    }
    func deliver(_ event: Event) throws {
      guard case .fixes(let fixes, let fraction) = event else { return try handler(event) }
      share = fraction
      let kept = filter?(fixes) ?? fixes
      guard order != nil else { return try deliver(judged: times.judge(kept)) }
      order?.add(kept)
      if let count = order?.count, count > GPXRecording.limit, !input.isRepeatable {
        throw GPXRecording.TooLong(name: input.shownName, limit: GPXRecording.limit)
      }
    }
    let result = Result { () throws(GPXError) in
      try run(readsOutline: readsOutline) { event in
        switch event {
        case .points(var points):
          contents.points[points.kind, default: 0] += points.fixes.count
          if !points.omissions.isEmpty {
            state.withLock { $0.omissions[points.kind, default: []].formUnion(points.omissions) }
          }
          if points.kind != .trackPoint { try outline(event) }
          if let track = self.choice, !contents.isOpen(track, points.kind) { points.fixes = [] }
          try choice.receive(points, deliver)
        case .issue(let issue): try handler(.issue(issue))
        case .track: contents.tracks += 1
        case .route: contents.routes += 1
        case .details(let details, let owner):
          if choosesTrack, let name = details.name {
            switch owner {
            case .track: contents.names[.trackPoint, default: [:]][contents.tracks] = name
            case .route: contents.names[.routePoint, default: [:]][contents.routes] = name
            case .file, .segment: break
            }
          }
          try outline(event)
        case .metadata: try outline(event)
        case .segment: break
        }
      }
    }
    if case .success(let handlerError?) = result { throw handlerError }
    // The fixes that were held back come before the error in the file.
    try choice.finish(deliver)
    try order?.forEachBatch { try deliver(judged: times.judge($0)) }
    var rest: [Fix] = []
    times.finish(&rest)
    try deliver(judged: rest, isEnd: true)
    state.withLock { $0.outliers = positions.outliers }
    _ = try result.get()
    contents.kind = choice.kind
    return contents
  }

  /// Reads the input, or the recording of it, like ``GPXReader/run(_:)``.
  private func run(
    readsOutline: Bool, _ handler: (GPXEvent) throws -> Void
  ) throws(GPXError) -> (any Error)? {
    if let recording { return try recording.run(handler) }
    var reader = GPXReader(input, isStrict: isStrict, readsDetails: false)
    reader.readsOutline = readsOutline
    return try reader.run(handler)
  }
}

extension GPXFixes.Contents {
  /// Whether the track or route that is being read is the chosen one.
  fileprivate func isOpen(_ choice: GPXTrackChoice, _ kind: GPXPointKind) -> Bool {
    let number = kind == .trackPoint ? tracks : kind == .routePoint ? routes : 0
    return switch choice {
    case .number(let chosen): number == chosen
    case .name(let name): number > 0 && names[kind]?[number] == name
    }
  }
}

/// Passes on the points of the source, and holds back those that may still become it.
private struct SourceChoice: ~Copyable {
  /// The chosen kind; nil as long as the choice is open.
  private(set) var kind: GPXPointKind?
  private let source: GPXSource
  private var held: [[Fix]] = []
  private var heldKind: GPXPointKind?

  init(_ source: GPXSource) {
    self.source = source
  }

  mutating func receive(
    _ points: GPXPoints, _ handler: (GPXFixes.Event) throws -> Void
  ) throws {
    guard source == .auto || points.kind == source.kind else { return }
    if source != .auto || points.kind == .trackPoint {
      held = []
      try choose(points.kind, handler)
      if points.fixes.isEmpty { return }
      try handler(.fixes(points.fixes, fraction: points.fraction))
    } else if kind == nil, points.kind == .routePoint || heldKind != .routePoint {
      // Routes replace waypoints; waypoints never replace routes.
      if points.kind != heldKind { held = [] }
      heldKind = points.kind
      held.append(points.fixes)
    }
  }

  /// Delivers what was held back if nothing better has come.
  mutating func finish(_ handler: (GPXFixes.Event) throws -> Void) throws {
    guard kind == nil, let heldKind else { return }
    try choose(heldKind, handler)
    for (index, fixes) in held.enumerated() where !fixes.isEmpty {
      try handler(.fixes(fixes, fraction: Double(index + 1) / Double(held.count)))
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
