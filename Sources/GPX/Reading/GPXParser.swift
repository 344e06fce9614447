import CLibXML2
import Geodesy

/// What the parser has come to in a GPX document.
///
/// The C callbacks reach it by its address; as a struct it spares them the checks that a class's
/// properties get.
struct GPXParser: ~Copyable {
  let reader: GPXReader
  let handler: (GPXEvent) throws -> Void
  let input: XMLInput
  /// What the C library parses with; set once before the parsing starts.
  var context: xmlParserCtxtPtr?
  var names = GPXNames(nil)

  /// Why the reading has to end.
  var failure: (any Error)?
  /// Why there was no more to read.
  var inputError: GPXError?
  /// Whether bytes could not be converted to UTF-8.
  var isMisencoded = false
  /// How many elements are open.
  var depth = 0
  /// The first fatal error of the XML parser.
  var syntaxError: GPXError?
  /// A number that is another after every piece of markup or text.
  var progress = 0

  // Depths of elements that are open, 0 when there are none.
  var trackDepth = 0
  var routeDepth = 0
  var segmentDepth = 0
  var pointDepth = 0
  var extensionsDepth = 0
  var leafDepth = 0

  /// The number of the segment or route that is open, −1 before the first.
  var segment = -1
  var route = -1
  var isInSegment = false
  var isInRoute = false
  var isRootClosed = false

  // The point that is open.
  var kind = GPXPointKind.trackPoint
  var coordinate: Coordinate?
  var values = PointValues()

  /// The element whose text is being collected.
  var leaf = Leaf.none
  var text = LeafText()
  var batch = PointBatch()
  /// The bytes taken in, and the progress, when the parser was last seen to move.
  var silentBytes = 0
  var seenProgress = 0
  /// Whether the parser waits for bytes; its buffers must not be taken from it then.
  var isReadingInput = false

  init(
    _ reader: GPXReader, _ input: XMLInput, _ handler: @escaping (GPXEvent) throws -> Void
  ) {
    self.reader = reader
    self.input = input
    self.handler = handler
  }

  /// Elements whose text is a value.
  enum Leaf {
    case none, elevation, time, speed, course, name
  }
}

extension GPXParser {
  /// Where the parser is; nil before it has started and after it was stopped.
  var place: (line: Int, column: Int)? {
    guard failure == nil, let position = context?.pointee.input else { return nil }
    return (Int(position.pointee.line), Int(position.pointee.col))
  }

  /// Ends the parsing for a reason that lies in the file.
  mutating func fail(_ cause: GPXError.Cause) {
    let place = place
    flush()
    end(
      with: GPXError(cause, file: reader.input.name, line: place?.line, column: place?.column))
  }

  /// Ends the parsing; the first reason counts.
  mutating func end(with error: any Error) {
    guard failure == nil else { return }
    failure = error
    if let context, !isReadingInput { xmlStopParser(context) }
  }

  mutating func report(
    _ part: GPXIssue.Part, _ fault: GPXIssue.Fault, text: UnsafeBufferPointer<UInt8>? = nil,
    line: Int? = nil, isAboutPoint: Bool = true, skipsPoint: Bool = false
  ) {
    let place = place
    let issue = GPXIssue(
      GPXIssue.Kind(part, fault), point: isAboutPoint ? kind : nil, line: line ?? place?.line ?? 1,
      column: line == nil ? place?.column : nil,
      text: text.map { PrintableText.string($0) }, skipsPoint: skipsPoint)
    guard reader.isStrict, isAboutPoint else { return emit(.issue(issue)) }
    flush()
    end(
      with: GPXError(
        .issue(issue), file: reader.input.name, line: issue.line, column: issue.column))
  }

  /// Hands the event on, after the points that came before it.
  mutating func emit(_ event: GPXEvent) {
    flush()
    send(event)
  }

  mutating func flush() {
    guard !batch.isEmpty else { return }
    send(
      .points(
        GPXPoints(
          kind: batch.kind, fixes: batch.fixes, names: batch.names, share: input.share)))
    batch.removeAll()
  }

  private mutating func send(_ event: GPXEvent) {
    guard failure == nil else { return }
    do {
      try handler(event)
    } catch {
      end(with: error)
    }
  }
}
