import Geodesy

/// Lets the points of the source through, and holds back those that may still become it.
struct SourceChoice: ~Copyable {
  /// What is walked; nil as long as it is open.
  private(set) var kind: GPXPointKind?
  private let isAutomatic: Bool
  private var isAnnounced = false
  private var spool = FixSpool()
  /// The kind of the spooled points.
  private var candidate: GPXPointKind?

  init(_ source: GPXSource) {
    isAutomatic = source == .auto
    candidate = source.kind
  }

  mutating func receive(
    _ points: GPXPoints, _ deliver: (GPXWalk.Event) throws -> Void
  ) throws {
    if !isAutomatic || points.kind == .trackPoint {
      guard isAutomatic || points.kind == candidate else { return }
      spool.removeAll()
      try announce(points.kind, deliver)
      try deliver(.fixes(points.fixes, share: points.share))
    } else if kind == nil {
      // A route takes the place of waypoints; a waypoint never that of a route.
      if points.kind == .routePoint, candidate == .waypoint { spool.removeAll() }
      guard points.kind == .routePoint || candidate != .routePoint else { return }
      candidate = points.kind
      spool.append(points.fixes)
    }
  }

  /// Delivers what was held back and turned out to be meant.
  mutating func finish(_ deliver: (GPXWalk.Event) throws -> Void) throws {
    guard kind == nil, spool.count > 0, let candidate else { return }
    try announce(candidate, deliver)
    let total = Double(spool.count)
    var count = 0
    try spool.forEachBatch { fixes in
      count += fixes.count
      try deliver(.fixes(fixes, share: Double(count) / total))
    }
  }

  private mutating func announce(
    _ kind: GPXPointKind, _ deliver: (GPXWalk.Event) throws -> Void
  ) throws {
    guard !isAnnounced else { return }
    isAnnounced = true
    self.kind = kind
    try deliver(.source(kind))
  }
}
