/// Which points of a file are walked.
public enum GPXSource: String, Hashable, Sendable, CaseIterable, Codable {
  /// Tracks; if there is no usable track point, routes; if there is no route point, waypoints.
  case auto
  case tracks
  case routes
  case waypoints

  /// The kind of point that is walked; nil for ``auto``, which depends on the file.
  public var kind: GPXPointKind? {
    switch self {
    case .auto: nil
    case .tracks: .trackPoint
    case .routes: .routePoint
    case .waypoints: .waypoint
    }
  }
}
