/// What a point of a GPX file is part of.
public enum GPXPointKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// A `trkpt`: where somebody was.
  case trackPoint
  /// A `rtept`: where somebody means to turn.
  case routePoint
  /// A `wpt`: a place of interest.
  case waypoint
}
