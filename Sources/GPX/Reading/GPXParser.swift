import CLibXML2
import FaketrackSupport
import Geodesy

/// Room for the entity that the C library asked for last.
struct HeldEntity: ~Copyable {
  let pointer = xmlEntityPtr.allocate(capacity: 1)

  init() {
    pointer.initialize(to: xmlEntity())
  }

  deinit {
    pointer.deallocate()
  }
}

/// Follows the structure of a GPX document while the C library parses it.
///
/// The C library holds its address; access to a class would be checked at run time.
struct GPXParser: ~Copyable {
  let reader: GPXReader
  let handler: (GPXEvent) throws -> Void
  let input: XMLInput
  /// The C library's parser.
  var context: xmlParserCtxtPtr?
  var names = GPXNames(nil)

  /// Whether the parsing has ended early; looking at the errors instead would copy them.
  private(set) var isStopped = false
  private(set) var failure: GPXError?
  private(set) var handlerError: (any Error)?
  /// The error with which the input ended; to the C library, the input just ends.
  var inputError: GPXError.Cause?
  /// The first fatal error of the C library.
  var syntaxError: (cause: GPXError.Cause, line: Int, column: Int?)?
  /// Whether the C library met bytes that it could not convert to UTF-8.
  var isMisencoded = false
  let entity = HeldEntity()

  /// The number of open elements.
  var depth = 0
  // The depths of open elements; 0 if there are none.
  var trackDepth = 0
  var routeDepth = 0
  var segmentDepth = 0
  var pointDepth = 0
  /// Whether the open point is in the batch already, because points follow in its extensions.
  var isPointDelivered = false
  var extensionsDepth = 0
  var leafDepth = 0
  /// An element outside of points in which no track, route or point has a meaning.
  var closedDepth = 0

  /// The number of the current segment and route, −1 before the first.
  var segment = -1
  var route = -1
  var isInSegment = false
  var isInRoute = false
  var isRootClosed = false

  var kind = GPXPointKind.trackPoint
  var readsPointDetails = false
  /// The kinds of points some of which have names.
  var namedKinds: Set<GPXPointKind> = []
  /// The open point; nil if its position is not usable.
  var fix: Fix?
  /// The day of the last time of a point.
  var day = GPXDay()

  var leaf = Leaf.none
  var text = LeafText()
  var batch = PointBatch()
  var details = DetailsState()

  /// The bytes given to the C library since it last reported a piece of markup or text.
  var silentBytes = 0
  /// The line without valid columns, since bytes before it were dropped.
  var lineWithoutColumn = 0

  init(
    _ reader: GPXReader, _ input: XMLInput, _ handler: @escaping (GPXEvent) throws -> Void
  ) {
    self.reader = reader
    self.input = input
    self.handler = handler
  }

  enum Leaf { case none, elevation, time, speed, course }

  typealias Name = GPXNames.Name
  /// Five pointers for each attribute: local name, prefix, namespace, start and end of the value.
  typealias Attributes = UnsafeMutablePointer<UnsafePointer<xmlChar>?>

  /// A start tag as the C library reports it; its pointers are valid during the callback, those to
  /// names and namespaces as long as the parser.
  struct Tag {
    var name: Name?
    var prefix: Name?
    var namespace: Name?
    /// A prefix and a namespace for each declaration.
    var declarations: Attributes?
    var declarationCount: Int
    var attributes: Attributes?
    var attributeCount: Int
  }
}

extension GPXParser {
  /// The place of the C library; nil before it has started and after it was stopped.
  var place: (line: Int, column: Int?)? {
    guard !isStopped, let position = context?.pointee.input else { return nil }
    let line = Int(position.pointee.line)
    return (line, line == lineWithoutColumn ? nil : Int(position.pointee.col))
  }

  /// Whether the file ends within the start tag that the C library has just reported.
  var isTagCutOff: Bool {
    guard let position = context?.pointee.input else { return false }
    return position.pointee.cur >= position.pointee.end
  }

  /// Ends the parsing with an error at the place of the C library.
  @inline(never)
  mutating func fail(_ cause: GPXError.Cause) {
    let place = place
    flush()
    fail(cause, line: place?.line, column: place?.column)
  }

  /// Ends the parsing with an error; the first one counts.
  mutating func fail(_ cause: GPXError.Cause, line: Int?, column: Int?) {
    guard !isStopped else { return }
    isStopped = true
    failure = GPXError(cause, in: reader.input, line: line, column: column)
  }

  /// Reports a problem, by default at the place of the C library; a blank text is empty instead.
  @inline(never)
  mutating func report(
    _ part: GPXIssue.Part, _ problem: GPXIssue.Problem, text: UnsafeBufferPointer<UInt8>? = nil,
    line: Int? = nil
  ) {
    let place = place
    let isEmpty = text?.allSatisfy { $0 <= 0x20 } ?? false
    // A value may be as long as an attacker likes; its beginning is all that is shown.
    let quoted = text.map { String(decoding: $0.prefix(1_024), as: UTF8.self).shortLine(limit: 40) }
    let isOutside = pointDepth == 0 || [.track, .segment, .route, .encoding].contains(part)
    let isAboutPoint = part == .point || !isOutside
    let issue = GPXIssue(
      GPXIssue.Kind(part, isEmpty ? .empty : problem), point: isAboutPoint ? kind : nil,
      line: line ?? place?.line ?? 1, column: line == nil ? place?.column : nil,
      text: isEmpty ? nil : quoted, skipsPoint: [.point, .latitude, .longitude].contains(part))
    guard reader.isStrict, isAboutPoint else { return emit(.issue(issue)) }
    flush()
    fail(.issue(issue), line: issue.line, column: issue.column)
  }

  /// Delivers the event after the points before it.
  mutating func emit(_ event: GPXEvent) {
    flush()
    send(event)
  }

  /// Delivers the points that have been read.
  @inline(never)
  mutating func flush() {
    guard !batch.isEmpty else { return }
    batch.points.fraction = input.fraction
    batch.points.omissions = GPXOmissions(in: context?.pointee.dict)
    if namedKinds.contains(batch.points.kind) { batch.points.omissions.insert(.names) }
    send(.points(batch.points))
    batch.removeAll()
  }

  private mutating func send(_ event: GPXEvent) {
    guard !isStopped else { return }
    do {
      try handler(event)
    } catch {
      isStopped = true
      handlerError = error
    }
  }
}
