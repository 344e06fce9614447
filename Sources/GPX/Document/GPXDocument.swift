import FaketrackSupport
import Foundation
import Geodesy

/// A GPX file in memory, to be looked at, changed and written again.
///
/// Reading and writing keeps positions, measurements, names, descriptions, links, metadata and
/// extensions; GPX 1.0 becomes 1.1. Memory grows with the file: use ``GPXReader`` or
/// ``GPXFixes`` for files of any length.
public struct GPXDocument: Hashable, Sendable {
  /// File-level metadata.
  public var metadata: GPXMetadata
  /// The waypoints (`wpt`).
  public var waypoints: [GPXWaypoint]
  /// The routes, empty ones included.
  public var routes: [GPXRoute]
  /// The tracks, empty ones included.
  public var tracks: [GPXTrack]
  /// The extensions of the root element, as XML; see ``GPXDetails/extensions``.
  public var extensions: String?
  /// The parts that could not be used, in the order of the file.
  public var issues: [GPXIssue]

  /// Creates a document from its parts.
  public init(
    metadata: GPXMetadata = GPXMetadata(), tracks: [GPXTrack] = [], routes: [GPXRoute] = [],
    waypoints: [GPXWaypoint] = [], extensions: String? = nil, issues: [GPXIssue] = []
  ) {
    self.metadata = metadata
    self.tracks = tracks
    self.routes = routes
    self.waypoints = waypoints
    self.extensions = extensions
    self.issues = issues
  }

  /// Reads a file, plain or gzipped.
  ///
  /// - Throws: ``GPXError`` if it cannot be read to its end.
  public init(contentsOf url: URL, isStrict: Bool = false) throws(GPXError) {
    try self.init(reading: .file(url.path), isStrict: isStrict)
  }

  /// Reads the bytes of a file, plain or gzipped.
  ///
  /// - Throws: ``GPXError`` if they cannot be read to their end.
  public init(data: Data, isStrict: Bool = false) throws(GPXError) {
    try self.init(reading: .bytes(Array(data)), isStrict: isStrict)
  }

  /// Reads an input to its end.
  ///
  /// - Throws: ``GPXError`` if that is not possible.
  package init(reading input: GPXInput, isStrict: Bool = false) throws(GPXError) {
    self.init()
    _ = try GPXReader(input, isStrict: isStrict).run { append($0) }
  }

  /// The fixes to replay: the fixes of the tracks, else of the routes, else the waypoints.
  public var fixes: [Fix] {
    fixes(from: .auto)
  }

  /// The fixes of a source, in the order of the file.
  public func fixes(from source: GPXSource) -> [Fix] {
    switch source {
    case .tracks: return tracks.flatMap { $0.segments.flatMap(\.fixes) }
    case .routes: return routes.flatMap(\.fixes)
    case .waypoints: return waypoints.map(\.fix)
    case .auto:
      let sources: [GPXSource] = [.tracks, .routes, .waypoints]
      return sources.lazy.map { fixes(from: $0) }.first { !$0.isEmpty } ?? []
    }
  }

  /// The document as GPX 1.1; `creator` is the name of the program that writes it.
  public func data(creator: String) -> Data {
    var writer = GPXWriter(creator: creator, metadata: metadata)
    for waypoint in waypoints { writer.write(waypoint: waypoint) }
    for route in routes {
      writer.startRoute(route.details)
      for point in route.points { writer.write(point.fix, point.details) }
    }
    for track in tracks {
      writer.startTrack(track.details)
      for segment in track.segments {
        writer.startSegment(extensions: segment.extensions)
        for point in segment.points { writer.write(inSegment: point) }
      }
    }
    writer.finish(extensions: extensions)
    return Data(writer.takeBytes())
  }

  /// Writes the document as GPX 1.1 in one step: if that fails, what was there before remains.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - creator: the name of the program that writes it.
  /// - Throws: ``GPXError`` with the cause ``GPXError/Cause/unwritable(errno:)``.
  public func write(to url: URL, creator: String) throws(GPXError) {
    do {
      try AtomicFile.replace(url.path, with: data(creator: creator))
    } catch {
      let code = error.code == FileError.notAFile ? ENOTSUP : error.code
      throw GPXError(.unwritable(errno: code), in: .file(url.path))
    }
  }
}

extension GPXDocument {
  private mutating func append(_ event: GPXEvent) {
    switch event {
    case .metadata(let metadata): self.metadata = metadata
    case .track: tracks.append(GPXTrack())
    case .route: routes.append(GPXRoute())
    case .segment:
      // A segment outside a track gets one.
      if tracks.isEmpty { tracks.append(GPXTrack()) }
      tracks[tracks.count - 1].segments.append(GPXSegment())
    case .details(let details, .file): extensions = details.extensions
    case .details(let details, .track): tracks[tracks.count - 1].details = details
    case .details(let details, .route): routes[routes.count - 1].details = details
    case .details(let details, .segment): withLastSegment { $0.extensions = details.extensions }
    case .points(let points):
      switch points.kind {
      case .trackPoint: withLastSegment { $0.points += points.waypoints }
      case .routePoint: routes[routes.count - 1].points += points.waypoints
      case .waypoint: waypoints += points.waypoints
      }
    case .issue(let issue): issues.append(issue)
    }
  }

  private mutating func withLastSegment(_ change: (inout GPXSegment) -> Void) {
    // In a malformed file, a track may have begun within the segment.
    guard let track = tracks.indices.last, let segment = tracks[track].segments.indices.last else {
      return
    }
    change(&tracks[track].segments[segment])
  }
}

/// A recorded track (`trk`).
public struct GPXTrack: Hashable, Sendable {
  /// Its name, comments, links and extensions.
  public var details: GPXDetails
  /// Its uninterrupted pieces, empty ones included.
  public var segments: [GPXSegment]

  /// Creates a track from its segments.
  public init(_ details: GPXDetails = GPXDetails(), segments: [GPXSegment] = []) {
    self.details = details
    self.segments = segments
  }

  /// The name of the track.
  public var name: String? {
    get { details.name }
    set { details.name = newValue }
  }
}

/// An uninterrupted piece of a track (`trkseg`).
public struct GPXSegment: Hashable, Sendable {
  /// Its points in their order.
  public var points: [GPXWaypoint]
  /// Its extensions as XML; see ``GPXDetails/extensions``.
  public var extensions: String?

  /// Creates a segment from its points.
  public init(_ points: [GPXWaypoint] = [], extensions: String? = nil) {
    self.points = points
    self.extensions = extensions
  }

  /// The points without their details.
  public var fixes: [Fix] { points.map(\.fix) }
}

/// A planned route (`rte`).
public struct GPXRoute: Hashable, Sendable {
  /// Its name, comments, links and extensions.
  public var details: GPXDetails
  /// Its turning points.
  public var points: [GPXWaypoint]

  /// Creates a route from its points.
  public init(_ details: GPXDetails = GPXDetails(), points: [GPXWaypoint] = []) {
    self.details = details
    self.points = points
  }

  /// The name of the route.
  public var name: String? {
    get { details.name }
    set { details.name = newValue }
  }

  /// The points without their details.
  public var fixes: [Fix] { points.map(\.fix) }
}

/// A point with its details: a place of interest (`wpt`), a point of a track or of a route.
///
/// The schema, too, has one type for all three, `wptType`.
public struct GPXWaypoint: Hashable, Sendable {
  /// Its position, and the measurements there.
  public var fix: Fix
  /// Its name, comments, links and extensions.
  public var details: GPXDetails

  /// Creates a point.
  public init(_ fix: Fix, _ details: GPXDetails = GPXDetails()) {
    self.fix = fix
    self.details = details
  }

  /// The name of the point.
  public var name: String? {
    get { details.name }
    set { details.name = newValue }
  }
}
