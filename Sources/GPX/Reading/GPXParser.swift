import CLibXML2
import FaketrackSupport
import Geodesy

/// Follows the structure of a GPX document while the C library parses it.
///
/// The callbacks of the C library reach it by its address. It is a struct because access to the
/// properties of a class would be checked at run time.
struct GPXParser: ~Copyable {
  let reader: GPXReader
  let handler: (GPXEvent) throws -> Void
  let input: XMLInput
  /// The C library's parser; set once, before parsing starts.
  var context: xmlParserCtxtPtr?
  var names = GPXNames(nil)

  /// The error in the file that ended the parsing.
  var failure: GPXError?
  /// The error with which the handler ended the parsing.
  var handlerError: (any Error)?
  /// The error with which the input ended; to the C library, the input just ends.
  var inputError: GPXError?
  /// The first fatal error of the C library.
  var syntaxError: GPXError?
  /// Whether the C library met bytes that it could not convert to UTF-8.
  var isMisencoded = false

  /// The number of open elements.
  var depth = 0
  // The depths of open elements, 0 for those that are not open.
  var trackDepth = 0
  var routeDepth = 0
  var segmentDepth = 0
  var pointDepth = 0
  var extensionsDepth = 0
  var leafDepth = 0

  /// The number of the current segment and route, −1 before the first.
  var segment = -1
  var route = -1
  var isInSegment = false
  var isInRoute = false
  var isRootClosed = false

  // The open point.
  var kind = GPXPointKind.trackPoint
  var coordinate: Coordinate?
  var values = PointValues()
  /// The day of the last time of a point.
  var day = GPXDay()

  /// The element whose text is being collected.
  var leaf = Leaf.none
  var text = LeafText()
  var batch = PointBatch()
  /// Names, links and extensions; unused unless the reader asks for details.
  var details = DetailsState()

  /// Changes with every piece of markup or text that the C library reports.
  var progress = 0
  /// The value of `progress` when bytes were last asked for, and the bytes since it last changed.
  var seenProgress = 0
  var silentBytes = 0
  /// Whether the C library is waiting for bytes; it must not be stopped then.
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
    case none, elevation, time, speed, course
    /// A text of the details; `DetailsState` knows which.
    case detail
  }

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

// MARK: Structure

extension GPXParser {
  mutating func startElement(_ tag: Tag) {
    progress &+= 1
    depth += 1
    guard depth <= GPXReader.maximumDepth else { return fail(.tooDeep) }
    if pointDepth > 0 { return startInsidePoint(tag) }
    if depth == 1 { return startRoot(tag) }
    if let kind = names.pointKind(tag.name) {
      guard extensionsDepth > 0 || leaf != .none else { return startPoint(kind, tag) }
      reportMisplaced(kind)
    }
    guard leaf == .none else { return }
    if extensionsDepth == 0 {
      startContainer(tag)
    } else if details.isRecording {
      details.recorder.start(tag)
    }
  }

  mutating func endElement() {
    progress &+= 1
    if leafDepth > 0 {
      if depth == leafDepth { endLeaf() }
    } else if depth == extensionsDepth {
      extensionsDepth = 0
      if details.isRecording { endDetail() }
    } else if pointDepth > 0 {
      if depth == pointDepth {
        endPoint()
      } else if reader.readsDetails {
        endDetail()
      }
    } else {
      endContainer()
    }
    depth -= 1
  }

  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    progress &+= 1
    if leaf != .none {
      self.text.append(text)
    } else if details.isRecording {
      details.recorder.append(text)
    }
  }

  private mutating func startRoot(_ tag: Tag) {
    // Half a name tells nothing.
    guard !isTagCutOff else { return }
    if tag.name == names.gpx {
      if reader.readsDetails { startDetails(tag) }
      return
    }
    let root = tag.name.map { String(cString: $0).shortLine(limit: 40) }
    fail(.notGPX(GPXFileKind(root: root ?? "")))
  }

  private mutating func startContainer(_ tag: Tag) {
    switch tag.name {
    case names.trk where trackDepth == 0:
      finishPendingDetails()
      trackDepth = depth
      isInSegment = false
      resetDetails(of: .track)
      emit(.track)
    case names.trkseg where segmentDepth == 0:
      finishPendingDetails()
      segmentDepth = depth
      resetDetails(of: .segment)
      startSegment()
    case names.rte where routeDepth == 0:
      finishPendingDetails()
      routeDepth = depth
      resetDetails(of: .route)
      startRoute()
    case names.extensions:
      extensionsDepth = depth
      if reader.readsDetails { startExtensions(tag) }
    default:
      if reader.readsDetails { startDetail(tag) }
    }
  }

  private mutating func endContainer() {
    switch depth {
    case segmentDepth:
      finishPendingDetails()
      segmentDepth = 0
      isInSegment = false
    case trackDepth:
      finishPendingDetails()
      trackDepth = 0
      isInSegment = false
    case routeDepth:
      finishPendingDetails()
      routeDepth = 0
      isInRoute = false
    case 1:
      finishPendingDetails()
      isRootClosed = true
    default:
      if reader.readsDetails { endDetail() }
    }
  }

  mutating func startSegment() {
    isInSegment = true
    segment += 1
    emit(.segment)
  }

  mutating func startRoute() {
    isInRoute = true
    route += 1
    emit(.route)
  }
}

// MARK: Events and errors

extension GPXParser {
  /// Where the C library is; nil before it has started and after it was stopped.
  var place: (line: Int, column: Int)? {
    guard !isStopped, let position = context?.pointee.input else { return nil }
    return (Int(position.pointee.line), Int(position.pointee.col))
  }

  /// Whether the file ends within the start tag that the C library has just reported.
  var isTagCutOff: Bool {
    guard let position = context?.pointee.input else { return false }
    return position.pointee.cur >= position.pointee.end
  }

  var isStopped: Bool { failure != nil || handlerError != nil }

  /// Ends the parsing because of the file.
  mutating func fail(_ cause: GPXError.Cause) {
    let place = place
    flush()
    fail(GPXError(cause, file: reader.input.name, line: place?.line, column: place?.column))
  }

  private mutating func fail(_ error: GPXError) {
    // The first reason counts.
    guard !isStopped else { return }
    failure = error
    stop()
  }

  private func stop() {
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
      // A value may be as long as an attacker likes; its beginning is all that is shown.
      text: text.map { String(decoding: $0.prefix(1_024), as: UTF8.self).shortLine(limit: 40) },
      skipsPoint: skipsPoint)
    guard reader.isStrict, isAboutPoint else { return emit(.issue(issue)) }
    flush()
    fail(
      GPXError(.issue(issue), file: reader.input.name, line: issue.line, column: issue.column))
  }

  /// Delivers the event after the points before it.
  mutating func emit(_ event: GPXEvent) {
    flush()
    send(event)
  }

  /// Delivers the points that have been read.
  mutating func flush() {
    guard !batch.isEmpty else { return }
    send(
      .points(
        GPXPoints(
          kind: batch.kind, fixes: batch.fixes, details: batch.details, fraction: input.fraction)))
    batch.removeAll()
  }

  private mutating func send(_ event: GPXEvent) {
    guard !isStopped else { return }
    do {
      try handler(event)
    } catch {
      handlerError = error
      stop()
    }
  }
}
