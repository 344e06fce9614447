import Geodesy

/// What a reader comes upon, in the order of the file.
public enum GPXEvent: Sendable {
  /// A track begins.
  case track
  /// A segment of the track begins.
  case segment
  /// A route begins.
  case route
  /// The name of the track that began last.
  case trackName(String)
  /// The name of the route that began last.
  case routeName(String)
  /// The next points, at least one.
  case points(GPXPoints)
  /// Something that could not be used.
  case issue(GPXIssue)
}

/// Some points in a row, all of one kind and, in a track or route, of one segment.
public struct GPXPoints: Sendable {
  /// What they are part of.
  public var kind: GPXPointKind
  /// The points, at least one and at most ``GPXReader/batchSize``.
  ///
  /// Track segments are numbered from 0 through the whole file, and so are routes; the waypoints
  /// are one segment.
  public var fixes: [Fix]
  /// The names of waypoints, as many as there are fixes; empty for other points, and when the
  /// reader does not read names.
  public var names: [String?]
  /// How much of the input has been taken in, 0 ... 1; nil when its length is not known.
  public var share: Double?

  public init(
    kind: GPXPointKind, fixes: [Fix], names: [String?] = [], share: Double? = nil
  ) {
    self.kind = kind
    self.fixes = fixes
    self.names = names
    self.share = share
  }
}
