import Foundation
import Geodesy

/// Reads GPX 1.0 and 1.1 from beginning to end in constant memory, on the thread that calls it.
///
/// Elements are recognized by their local names, whatever their namespace and prefix. Nothing
/// outside the input is ever loaded, and a document type declaration ends the reading.
///
/// A point without a usable position is reported and skipped. A time, elevation, speed or course
/// that is not usable is reported, and the point is delivered without it. A negative speed or
/// course is nil and not an issue, because recorders write it for an unknown one.
///
/// Tracks, routes and points are read where GPX has them, even if a level is missing, as with a
/// `trkpt` directly in a `trk`, or if an unknown element is wrapped around them. Anywhere else,
/// such as in metadata, extensions or a point, they are reported and not read. Elements of the same
/// names in other namespaces are not GPX's, and not reported. A waypoint in a track is read and reported.
///
/// A text of more than 1 MiB, a tag of more than 8 MiB, more than 128 nested elements and more than
/// 8,192 names are cut, left out or refused, as each issue or error says.
///
/// White space before the XML declaration is ignored, and entities of HTML such as `&deg;` are read
/// as their characters; both are reported.
public struct GPXReader: Sendable {
  /// The largest number of points in one event; there are fewer if the input pauses.
  public static let batchSize = 512
  /// The largest depth of nested elements.
  package static let maximumDepth = 128
  /// The largest size of a tag in bytes, give or take a buffer.
  ///
  /// In UTF-8, comments, processing instructions and CDATA sections may be of any length; in other
  /// encodings this limit applies to them too.
  package static let maximumMarkupLength = 8 << 20
  /// The largest number of different names of elements and attributes in a file, and about the
  /// largest number of attributes of a tag; some dozens are usual. Time grows with their square.
  package static let maximumNameCount = 8_192
  /// About the largest number of namespaces declared at the same time; a few are usual.
  package static let maximumNamespaceCount = 512
  /// The largest size in bytes of UTF-8 of a text, of an `extensions` element and, roughly, of all
  /// links and unknown elements of a point, track, route or file.
  ///
  /// A longer text is cut, a longer `extensions` element is left out, and further links are not
  /// read; each is reported.
  package static let maximumTextLength = 1 << 20

  let input: GPXInput
  /// Whether the first issue of a point ends the reading with an error.
  public var isStrict: Bool
  /// Whether metadata and the details of points, tracks and routes are read; without them, no
  /// memory is allocated for a point.
  public var readsDetails: Bool
  /// Whether metadata and the details of tracks, routes and waypoints are read.
  var readsOutline = false

  /// Creates a reader of a file, plain or gzipped, which is opened by each reading.
  public init(contentsOf url: URL, isStrict: Bool = false, readsDetails: Bool = true) {
    self.init(.file(url.path), isStrict: isStrict, readsDetails: readsDetails)
  }

  /// Creates a reader of the bytes of a file, plain or gzipped.
  public init(data: Data, isStrict: Bool = false, readsDetails: Bool = true) {
    self.init(.bytes(Array(data)), isStrict: isStrict, readsDetails: readsDetails)
  }

  package init(_ input: GPXInput, isStrict: Bool = false, readsDetails: Bool = true) {
    self.input = input
    self.isStrict = isStrict
    self.readsDetails = readsDetails
  }

  /// Reads the input and passes every event to the handler, in the order of the file.
  ///
  /// An error that the handler throws ends the reading and is rethrown. The handler may block. Time
  /// grows with the length of the input, memory does not.
  ///
  /// - Throws: ``GPXError`` after the events of everything before the place of the error, and the
  ///   errors of the handler.
  public func read(_ handler: (GPXEvent) throws -> Void) throws {
    if let error = try run(handler) { throw error }
  }

  /// Reads the input and returns the error of the handler, nil if the input was read to its end.
  func run(_ handler: (GPXEvent) throws -> Void) throws(GPXError) -> (any Error)? {
    try withoutActuallyEscaping(handler) { handler throws(GPXError) in
      try GPXParser.run(self, input.open, handler)
    }
  }
}

/// A part of a file, as a reader delivers it.
public enum GPXEvent: Sendable {
  /// The element that details belong to.
  public enum Owner: Hashable, Sendable {
    /// The whole file; its details are the extensions of the root element.
    case file
    /// The track, segment or route that began last.
    case track, segment, route
  }

  /// File-level metadata, mostly before the points.
  case metadata(GPXMetadata)
  /// A track begins.
  case track
  /// A segment of the track begins.
  case segment
  /// A route begins.
  case route
  /// All details of the owner that have been read so far; they replace the details of an earlier event.
  case details(GPXDetails, of: Owner)
  /// The next points, at least one.
  case points(GPXPoints)
  /// Something that could not be used.
  case issue(GPXIssue)
}

/// Consecutive points of one kind and, in a track or route, of one segment.
public struct GPXPoints: Sendable {
  /// The part of a file that the points belong to.
  public var kind: GPXPointKind
  /// The positions and measurements, at least one and at most ``GPXReader/batchSize``.
  ///
  /// Segments are numbered from 0 through the whole file, and so are routes.
  public var fixes: [Fix]
  /// The details of those points that have any, by index in ``fixes``; empty if the reader does not
  /// read details.
  public var details: [Int: GPXDetails] = [:]
  /// The fraction of the input that has been read, 0 ... 1; nil if its length is unknown.
  public var fraction: Double?
  /// Values of points that fixes do not hold, as far as the file has been read.
  var omissions: GPXOmissions = []

  /// The points, each with its details.
  public var waypoints: some Sequence<GPXWaypoint> {
    fixes.enumerated().lazy.map { GPXWaypoint($1, details[$0] ?? GPXDetails()) }
  }
}

/// The part of a GPX file that a point belongs to.
public enum GPXPointKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// A `trkpt`: a recorded position.
  case trackPoint
  /// A `rtept`: a turn of a planned route.
  case routePoint
  /// A `wpt`: a place of interest.
  case waypoint
}

extension GPXPointKind: CustomStringConvertible {
  /// `track point`, `route point` or `waypoint`.
  public var description: String {
    switch self {
    case .trackPoint: "track point"
    case .routePoint: "route point"
    case .waypoint: "waypoint"
    }
  }
}
