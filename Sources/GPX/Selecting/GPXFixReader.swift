import Geodesy

/// Which points of a file to replay.
public enum GPXSource: String, Hashable, Sendable, CaseIterable, Codable {
  /// Tracks; if they have no usable point, routes; if those have none either, waypoints.
  case auto
  case tracks
  case routes
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

/// Reads the fixes of one source of a file, in order and in constant memory.
///
/// In a GPX file the waypoints come first and the tracks last, so that the choice of
/// ``GPXSource/auto`` may be known only at the end. Until then, the points that may be chosen are
/// put aside: some thousands in memory, the others in a temporary file. The input is read once, so
/// it may be a pipe.
public struct GPXFixReader: Sendable {
  /// What the reader finds.
  public enum Event: Sendable {
    /// The kind of the points that follow; once, before the first.
    case source(GPXPointKind)
    /// The next fixes, at least one, and the fraction of the input that has been read, 0 ... 1; nil
    /// if its length is unknown.
    case fixes([Fix], fraction: Double?)
    /// Something that could not be used, in points of any kind.
    case issue(GPXIssue)
  }

  /// What has been read of a file, whether it was chosen or not.
  public struct Summary: Hashable, Sendable {
    /// The kind of the points that were delivered, nil if there were none.
    public fileprivate(set) var kind: GPXPointKind?
    /// The number of tracks, empty ones included.
    public fileprivate(set) var tracks = 0
    /// The number of routes, empty ones included.
    public fileprivate(set) var routes = 0
    /// The number of usable points of each kind; those without any are left out.
    public fileprivate(set) var points: [GPXPointKind: Int] = [:]

    public init() {}
  }

  /// Where the points come from.
  public var reader: GPXReader
  /// Which points are read.
  public var source: GPXSource

  public init(_ input: GPXInput, source: GPXSource = .auto, isStrict: Bool = false) {
    reader = GPXReader(input, isStrict: isStrict, readsDetails: false)
    self.source = source
  }

  /// Reads to the end of the input and returns what it holds.
  ///
  /// The handler ends the reading by throwing, like that of ``GPXReader/read(_:)``.
  ///
  /// - Throws: ``GPXError`` after the points of everything before the place of the error; what the
  ///   handler throws.
  @discardableResult
  public func read(_ handler: (Event) throws -> Void) throws -> Summary {
    try read(reader, outline: { _ in }, handler)
  }

  /// Reads like ``read(_:)``, and passes on what else the file tells, but for the details of the points
  /// of tracks and routes.
  ///
  /// - Parameter outline: gets the metadata, the details of tracks and routes, and the waypoints with
  ///   theirs, where the file has them. When waypoints are the source, their fixes go to the handler
  ///   as well.
  /// - Throws: what ``read(_:)`` throws; what `outline` throws.
  @discardableResult
  public func read(
    outline: (GPXEvent) throws -> Void, _ handler: (Event) throws -> Void
  ) throws -> Summary {
    var reader = reader
    reader.readsOutline = true
    return try read(reader, outline: outline, handler)
  }

  private func read(
    _ reader: GPXReader, outline: (GPXEvent) throws -> Void, _ handler: (Event) throws -> Void
  ) throws -> Summary {
    var summary = Summary()
    var choice = SourceChoice(source)
    var fileError: GPXError?
    var handlerError: (any Error)?
    do {
      handlerError = try reader.run { event in
        switch event {
        case .points(let points):
          summary.points[points.kind, default: 0] += points.fixes.count
          if points.kind == .waypoint { try outline(event) }
          try choice.receive(points, handler)
        case .issue(let issue): try handler(.issue(issue))
        case .track: summary.tracks += 1
        case .route: summary.routes += 1
        case .metadata, .details: try outline(event)
        case .segment: break
        }
      }
    } catch {
      fileError = error
    }
    // What was put aside comes before the place of an error in the file.
    if handlerError == nil {
      do { try choice.finish(handler) } catch { handlerError = error }
    }
    if let handlerError {
      guard handlerError is GPXReader.Stop else { throw handlerError }
    } else if let fileError {
      throw fileError
    }
    summary.kind = choice.kind
    return summary
  }
}

/// Passes on the points of the source, and puts aside those that may still become it.
private struct SourceChoice: ~Copyable {
  /// The chosen kind; nil as long as the choice is open.
  private(set) var kind: GPXPointKind?
  private let isAutomatic: Bool
  private var spool = FixSpool()
  /// The kind of the points in the spool.
  private var candidate: GPXPointKind?

  init(_ source: GPXSource) {
    isAutomatic = source == .auto
    candidate = source.kind
  }

  mutating func receive(
    _ points: GPXPoints, _ handler: (GPXFixReader.Event) throws -> Void
  ) throws {
    if !isAutomatic || points.kind == .trackPoint {
      guard isAutomatic || points.kind == candidate else { return }
      spool.removeAll()
      try choose(points.kind, handler)
      try handler(.fixes(points.fixes, fraction: points.fraction))
    } else if kind == nil {
      // Routes replace waypoints; waypoints never replace routes.
      if points.kind == .routePoint, candidate == .waypoint { spool.removeAll() }
      guard points.kind == .routePoint || candidate != .routePoint else { return }
      candidate = points.kind
      spool.append(points.fixes)
    }
  }

  /// Delivers what was put aside if nothing better has come.
  mutating func finish(_ handler: (GPXFixReader.Event) throws -> Void) throws {
    guard kind == nil, spool.count > 0, let candidate else { return }
    try choose(candidate, handler)
    let total = Double(spool.count)
    var count = 0
    try spool.forEachBatch { fixes in
      count += fixes.count
      try handler(.fixes(fixes, fraction: Double(count) / total))
    }
  }

  private mutating func choose(
    _ kind: GPXPointKind, _ handler: (GPXFixReader.Event) throws -> Void
  ) throws {
    guard self.kind == nil else { return }
    self.kind = kind
    try handler(.source(kind))
  }
}
