/// Reads GPX 1.0 and 1.1 from beginning to end in constant memory, on the thread that calls it.
///
/// Elements are known by their local names, whatever their namespace and prefix. Nothing outside
/// of the input is ever loaded, and a document type declaration ends the reading.
///
/// ```swift
/// var log = GPXIssueLog()
/// try GPXReader(.file("walk.gpx")).read { event in
///   switch event {
///   case .points(let points): deliver(points.fixes)
///   case .issue(let issue) where log.record(issue): warn(issue)
///   default: break
///   }
/// }
/// ```
///
/// A point without a usable position is reported and left out, never invented. A time, elevation,
/// speed or course that cannot be used is reported, and the point comes without it. A negative
/// speed or course, with which recorders say that they do not know, is nil and no issue.
public struct GPXReader: Sendable {
  /// The largest number of points in one event; there are fewer when the input pauses.
  public static let batchSize = 512
  /// How deep elements may be nested.
  public static let maximumDepth = 128
  /// How many bytes a tag, comment or CDATA section may have, give or take a buffer.
  public static let maximumMarkupLength = 256 * 1_024
  /// How many bytes of UTF-8 a name may have; what is longer is cut.
  public static let maximumNameLength = 1_024

  /// Ends the reading without an error when a handler throws it.
  public struct Stop: Error {
    public init() {}
  }

  /// Where the bytes come from.
  public var input: GPXInput
  /// Whether the first issue of a point ends the reading with an error.
  public var isStrict: Bool
  /// Whether names are read; without them, no string is made for a point or track.
  public var readsNames: Bool

  public init(_ input: GPXInput, isStrict: Bool = false, readsNames: Bool = true) {
    self.input = input
    self.isStrict = isStrict
    self.readsNames = readsNames
  }

  /// Reads the input and hands every event to the handler, in the order of the file.
  ///
  /// The handler ends the reading by throwing: ``Stop`` for a normal return, any other error to get
  /// it thrown on. It may block; the reading then waits. Time grows with the length of the input,
  /// memory does not.
  ///
  /// - Throws: ``GPXError`` after the events of everything before the break; what the handler
  ///   throws.
  public func read(_ handler: (GPXEvent) throws -> Void) throws {
    do {
      try withoutActuallyEscaping(handler) { try GPXParser.run(self, input.open, $0) }
    } catch is Stop {
      return
    }
  }
}
