import Geodesy

/// What a file holds, in numbers, gathered in constant memory while it is read.
public struct GPXOverview: Sendable {
  /// How many tracks there are, empty ones too.
  public private(set) var tracks = 0
  /// How many routes there are, empty ones too.
  public private(set) var routes = 0
  /// How many usable waypoints there are.
  public private(set) var waypoints = 0
  /// How many usable points the routes have.
  public private(set) var routePoints = 0
  /// The facts of the tracks.
  public private(set) var statistics = TrackStatistics()
  /// What could not be used.
  public private(set) var issues: GPXIssueLog

  /// Creates the overview of a file of which nothing has been read.
  public init(issueLimit: Int = 10) {
    issues = GPXIssueLog(limit: issueLimit)
  }

  /// Takes in what comes next, and returns the issue if it is one of the first of its kind.
  @discardableResult
  public mutating func receive(_ event: GPXEvent) -> GPXIssue? {
    switch event {
    case .track: tracks += 1
    case .route: routes += 1
    case .segment, .trackName, .routeName: break
    case .points(let points):
      switch points.kind {
      case .trackPoint: for fix in points.fixes { statistics.add(fix) }
      case .routePoint: routePoints += points.fixes.count
      case .waypoint: waypoints += points.fixes.count
      }
    case .issue(let issue): if issues.record(issue) { return issue }
    }
    return nil
  }
}
