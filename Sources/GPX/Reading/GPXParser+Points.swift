import CLibXML2
import Geodesy

// MARK: Elements

extension GPXParser {
  mutating func startPoint(_ kind: GPXPointKind, _ tag: Tag) {
    finishPendingDetails()
    self.kind = kind
    readsPointDetails = reader.readsDetails || (kind == .waypoint && reader.readsOutline)
    pointDepth = depth
    // A point outside a segment or route, which the schemas do not allow, opens one.
    switch kind {
    case .trackPoint: if !isInSegment { startSegment() }
    case .routePoint: if !isInRoute { startRoute() }
    case .waypoint: break
    }
    // The rest of a tag that was cut off may hold what seems to be missing.
    let position = isTagCutOff ? nil : position(tag.attributes, tag.attributeCount)
    let number =
      switch kind {
      case .trackPoint: segment
      case .routePoint: route
      case .waypoint: 0
      }
    fix = position.map { Fix($0, segment: number) }
  }

  @inline(__always)
  mutating func startInsidePoint(_ name: Name?, _ tag: @autoclosure () -> Tag) {
    if leaf != .none || fix == nil {
      // Nothing here can be used; but misplaced points are still reported.
    } else if depth == pointDepth + 1 {
      switch name {
      case names.ele: return start(.elevation)
      case names.time: return start(.time)
      case names.extensions:
        extensionsDepth = depth
        if readsPointDetails { startDetail(tag()) }
        return
      case names.speed: return start(.speed)
      case names.course: return start(.course)
      default: if readsPointDetails { startDetail(tag()) }
      }
    } else if extensionsDepth > 0 {
      switch name {
      case names.speed, names.course:
        if details.element.isActive { details.element.omitElement() }
        return start(name == names.speed ? .speed : .course)
      default: if readsPointDetails { startDetail(tag()) }
      }
    } else if readsPointDetails {
      startDetail(tag())
    }
    if names.isStructure(name) { reportMisplaced(name) }
  }

  /// Reports a point, or what points are in, where it has no meaning.
  @inline(never)
  mutating func reportMisplaced(_ name: Name?) {
    // Half a name tells nothing.
    guard !isTagCutOff else { return }
    switch name {
    case names.trk: report(.track, .misplaced, isAboutPoint: false)
    case names.trkseg: report(.segment, .misplaced, isAboutPoint: false)
    case names.rte: report(.route, .misplaced, isAboutPoint: false)
    default:
      let outer = kind
      kind = names.pointKind(name) ?? outer
      report(.point, .misplaced, skipsPoint: true)
      kind = outer
    }
  }

  mutating func endPoint() {
    pointDepth = 0
    guard let fix else { return }
    if batch.isFull(for: kind) { flush() }
    batch.append(fix, kind)
    if readsPointDetails { endPointDetails() }
  }

  mutating func start(_ leaf: Leaf) {
    self.leaf = leaf
    leafDepth = depth
    text.clear()
  }

  /// Uses the collected text as the value of its element.
  mutating func endLeaf() {
    switch leaf {
    case .elevation:
      let elevation = number(.elevation)
      fix?.elevation = elevation
    case .time:
      let time = GPXTime.parse(text.bytes, &day)
      fix?.time = time
      if time == nil { reportUnusable(.time, .notATime) }
    case .speed:
      if let speed = number(.speed) { fix?.speed = speed < 0 ? nil : speed }
    case .course:
      if let course = number(.course) {
        let direction = direction(course)
        fix?.course = direction
      }
    case .none:
      break
    }
    leaf = .none
    leafDepth = 0
  }
}

// MARK: Values

extension GPXParser {
  /// The position in the attributes `lat` and `lon`; nil, after a report, if it is not usable.
  private mutating func position(_ attributes: Attributes?, _ count: Int) -> Coordinate? {
    var latitude: UnsafeBufferPointer<UInt8>?
    var longitude: UnsafeBufferPointer<UInt8>?
    if var attribute = attributes {
      for _ in 0..<count {
        // The attributes of GPX have no prefix; `lat` of another vocabulary is something else.
        if attribute[1] == nil {
          if attribute[0] == names.lat {
            latitude = Self.value(attribute)
          } else if attribute[0] == names.lon {
            longitude = Self.value(attribute)
          }
        }
        attribute += 5
      }
    }
    guard let latitude = degrees(.latitude, latitude, limit: 90),
      let longitude = degrees(.longitude, longitude, limit: 180)
    else { return nil }
    return Coordinate(validLatitude: latitude, longitude: longitude)
  }

  static func value(_ attribute: Attributes) -> UnsafeBufferPointer<UInt8>? {
    guard let start = attribute[3], let end = attribute[4] else { return nil }
    return UnsafeBufferPointer(start: start, count: end - start)
  }

  private mutating func degrees(
    _ part: GPXIssue.Part, _ text: UnsafeBufferPointer<UInt8>?, limit: Double
  ) -> Double? {
    guard let text else {
      report(part, .missing, skipsPoint: true)
      return nil
    }
    guard let value = DecimalParser.parse(text) else {
      reportUnusable(part, .notANumber, text, skipsPoint: true)
      return nil
    }
    guard abs(value) <= limit else {
      report(part, .outOfRange, text: text, skipsPoint: true)
      return nil
    }
    return value
  }

  private mutating func number(_ part: GPXIssue.Part) -> Double? {
    if !text.isCut, let value = DecimalParser.parse(text.bytes) { return value }
    reportUnusable(part, .notANumber)
    return nil
  }

  private mutating func direction(_ course: Double) -> Double? {
    if course < 0 { return nil }
    if course < 360 { return course }
    if course == 360 { return 0 }
    report(.course, .outOfRange, text: text.bytes)
    return nil
  }

  /// Reports a fault of a value, by default of the element's text; a blank value is empty instead.
  @inline(never)
  mutating func reportUnusable(
    _ part: GPXIssue.Part, _ fault: GPXIssue.Fault, _ value: UnsafeBufferPointer<UInt8>? = nil,
    isAboutPoint: Bool = true, skipsPoint: Bool = false
  ) {
    let bytes = value ?? text.bytes
    let isEmpty = bytes.allSatisfy { $0 <= 0x20 }
    report(
      part, isEmpty ? .empty : fault, text: isEmpty ? nil : bytes, isAboutPoint: isAboutPoint,
      skipsPoint: skipsPoint)
  }
}

/// The points that have been read but not yet delivered.
struct PointBatch {
  var points = GPXPoints(kind: .trackPoint, fixes: [])
  /// The approximate number of bytes in the details.
  private var detailsSize = 0

  init() {
    points.fixes.reserveCapacity(GPXReader.batchSize)
  }

  var isEmpty: Bool { points.fixes.isEmpty }

  /// Whether the batch must be delivered before a point of this kind can be added.
  @inline(__always)
  func isFull(for kind: GPXPointKind) -> Bool {
    points.fixes.count == GPXReader.batchSize || (kind != points.kind && !isEmpty)
      || detailsSize > GPXReader.maximumTextLength
  }

  @inline(__always)
  mutating func append(_ fix: Fix, _ kind: GPXPointKind) {
    points.kind = kind
    points.fixes.append(fix)
  }

  /// Adds the details of the point that was appended last.
  mutating func append(_ details: GPXDetails) {
    points.details[points.fixes.count - 1] = details
    detailsSize += details.size
  }

  mutating func removeAll() {
    points.fixes.removeAll(keepingCapacity: true)
    points.details = [:]
    detailsSize = 0
  }
}

/// The text of one element, collected without a string.
struct LeafText: ~Copyable {
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0
  /// Whether the text was longer than the storage.
  private(set) var isCut = false

  init() {
    storage = .allocate(capacity: GPXReader.maximumTextLength)
  }

  deinit {
    storage.deallocate()
  }

  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: storage[..<count])
  }

  mutating func clear() {
    count = 0
    isCut = false
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    let room = storage.count - count
    if text.count > room { isCut = true }
    let length = min(text.count, room)
    guard let target = storage.baseAddress, let source = text.baseAddress else { return }
    (target + count).update(from: source, count: length)
    count += length
  }
}
