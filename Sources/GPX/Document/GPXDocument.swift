import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A GPX file in memory: its tracks, routes and waypoints.
///
/// For files of any length, ``GPXReader`` and ``GPXWalk`` need no more memory than for short ones.
public struct GPXDocument: Hashable, Sendable {
  public var tracks: [GPXTrack]
  public var routes: [GPXRoute]
  public var waypoints: [GPXWaypoint]
  /// What could not be used, in the order of the file.
  public var issues: [GPXIssue]

  public init(
    tracks: [GPXTrack] = [], routes: [GPXRoute] = [], waypoints: [GPXWaypoint] = [],
    issues: [GPXIssue] = []
  ) {
    self.tracks = tracks
    self.routes = routes
    self.waypoints = waypoints
    self.issues = issues
  }

  /// Reads a file, plain or gzipped.
  ///
  /// - Throws: ``GPXError`` when it cannot be read to its end.
  public init(contentsOf url: URL, isStrict: Bool = false) throws {
    try self.init(reading: .file(url.path), isStrict: isStrict)
  }

  /// Reads the bytes of a file, plain or gzipped.
  ///
  /// - Throws: ``GPXError`` when they cannot be read to their end.
  public init(data: Data, isStrict: Bool = false) throws {
    try self.init(reading: .bytes(Array(data)), isStrict: isStrict)
  }

  /// Reads an input to its end.
  ///
  /// - Throws: ``GPXError`` when that cannot be done.
  public init(reading input: GPXInput, isStrict: Bool = false) throws {
    self.init()
    try GPXReader(input, isStrict: isStrict).read { append($0) }
  }

  /// The points to walk: those of the tracks; without any, of the routes; else the waypoints.
  public var fixes: [Fix] {
    fixes(from: .auto)
  }

  /// The points of a source, in the order of the file.
  public func fixes(from source: GPXSource) -> [Fix] {
    switch source {
    case .tracks: return tracks.flatMap { $0.segments.flatMap(\.self) }
    case .routes: return routes.flatMap(\.fixes)
    case .waypoints: return waypoints.map(\.fix)
    case .auto:
      let sources: [GPXSource] = [.tracks, .routes, .waypoints]
      return sources.lazy.map { fixes(from: $0) }.first { !$0.isEmpty } ?? []
    }
  }

  private mutating func append(_ event: GPXEvent) {
    switch event {
    case .track: tracks.append(GPXTrack())
    case .route: routes.append(GPXRoute())
    case .segment:
      // A segment outside of a track gets one.
      if tracks.isEmpty { tracks.append(GPXTrack()) }
      tracks[tracks.count - 1].segments.append([])
    case .trackName(let name): tracks[tracks.count - 1].name = name
    case .routeName(let name): routes[routes.count - 1].name = name
    case .points(let points): append(points)
    case .issue(let issue): issues.append(issue)
    }
  }

  private mutating func append(_ points: GPXPoints) {
    switch points.kind {
    case .trackPoint:
      let last = tracks.count - 1
      tracks[last].segments[tracks[last].segments.count - 1] += points.fixes
    case .routePoint:
      routes[routes.count - 1].fixes += points.fixes
    case .waypoint:
      waypoints += zip(points.fixes, points.names).map { GPXWaypoint($0, name: $1) }
    }
  }
}
