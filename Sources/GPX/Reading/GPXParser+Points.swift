import CLibXML2
import Foundation
import Geodesy

extension GPXParser {
  mutating func startPoint(_ kind: GPXPointKind, _ tag: Tag) {
    finishPendingDetails()
    self.kind = kind
    readsPointDetails = reader.readsDetails || (kind == .waypoint && reader.readsOutline)
    pointDepth = depth
    isPointDelivered = false
    // A point outside a segment or route, which the schemas do not allow, opens one.
    let number: Int
    switch kind {
    case .trackPoint:
      if !isInSegment { startSegment() }
      number = segment
    case .routePoint:
      if !isInRoute { startRoute() }
      number = route
    case .waypoint: number = -1
    }
    // The rest of a tag that was cut off may hold what seems to be missing.
    let position = isTagCutOff ? nil : position(tag.attributes, tag.attributeCount)
    fix = position.map { Fix($0, segment: number) }
    // The line of a point without a time matters if its position is an outlier.
    if position?.isZero == true {
      let origin = FixOrigin(line: line)
      fix?.origin = origin
    }
  }

  @inline(__always)
  mutating func startInsidePoint(_ name: Name?, _ tag: @autoclosure () -> Tag) {
    if leaf == .none, fix != nil {
      if depth == pointDepth + 1 {
        switch name {
        case names.ele: return start(.elevation)
        case names.time: return start(.time)
        case names.extensions:
          extensionsDepth = depth
          guard readsPointDetails else { return }
        case names.speed: return start(.speed)
        case names.course: return start(.course)
        case names.name: namedKinds.insert(kind)
        default: break
        }
      } else if extensionsDepth > 0, name == names.speed || name == names.course {
        if details.element.isActive { details.element.omitElement() }
        return start(name == names.speed ? .speed : .course)
      } else if extensionsDepth > 0, name == names.rpt, kind == .routePoint, !readsPointDetails {
        addShapingPoint(tag())
      }
      if readsPointDetails { startDetail(tag()) }
    }
    if names.isStructure(name) { reportMisplaced(tag()) }
  }

  /// Whether an element belongs to GPX: its namespace is GPX 1.1's or the root element's.
  func isOfGPX(_ tag: Tag) -> Bool {
    if tag.namespace == names.namespace { return true }
    guard tag.namespace == details.root.namespace else { return false }
    return tag.namespace != nil || tag.prefix == nil || tag.prefix == details.root.prefix
  }

  /// Reports a misplaced point, track, segment or route. In other vocabularies, the same names mean
  /// something else.
  @inline(never)
  mutating func reportMisplaced(_ tag: Tag) {
    guard !isTagCutOff, isOfGPX(tag) else { return }
    switch tag.name {
    case names.trk: report(.track, .misplaced)
    case names.trkseg: report(.segment, .misplaced)
    case names.rte: report(.route, .misplaced)
    default:
      let outer = kind
      kind = names.pointKind(tag.name) ?? outer
      report(.point, .misplaced)
      kind = outer
    }
  }

  /// Adds a point that Garmin's programs write between two points of a route, as an extension of the first.
  @inline(never)
  private mutating func addShapingPoint(_ tag: Tag) {
    guard !isTagCutOff, let route = fix?.segment,
      let coordinate = position(tag.attributes, tag.attributeCount)
    else { return }
    deliverPoint()
    if batch.isFull(for: kind) { flush() }
    batch.append(Fix(coordinate, segment: route), kind)
  }

  private mutating func deliverPoint() {
    guard let fix, !isPointDelivered else { return }
    if batch.isFull(for: kind) { flush() }
    batch.append(fix, kind)
    isPointDelivered = true
  }

  mutating func endPoint() {
    pointDepth = 0
    deliverPoint()
    guard fix != nil else { return }
    if readsPointDetails, let changed = details.takeChange(of: .point) {
      batch.append(changed)
      details.reset(.point)
    }
  }

  /// The line of the file that is being read.
  private var line: Int { Int(context?.pointee.input?.pointee.line ?? 0) }

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
      let line = line
      fix?.setTime(time, line: line)
      if time == nil { report(.time, .notATime, text: text.bytes) }
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
      report(part, .missing)
      return nil
    }
    guard let value = DecimalParser.parse(text) else {
      report(part, .notANumber, text: text)
      return nil
    }
    guard abs(value) <= limit else {
      report(part, .outOfRange, text: text)
      return nil
    }
    return value
  }

  private mutating func number(_ part: GPXIssue.Part) -> Double? {
    if !text.isCut, let value = DecimalParser.parse(text.bytes) { return value }
    report(part, .notANumber, text: text.bytes)
    return nil
  }

  private mutating func direction(_ course: Double) -> Double? {
    if course < 0 { return nil }
    if course < 360 { return course }
    if course == 360 { return 0 }
    report(.course, .outOfRange, text: text.bytes)
    return nil
  }
}

extension Fix {
  fileprivate mutating func setTime(_ time: Date?, line: Int) {
    self.time = time
    origin = FixOrigin(line: line)
  }
}

struct PointBatch {
  var points = GPXPoints(kind: .trackPoint, fixes: [])
  /// The approximate number of bytes in the details.
  private var detailsSize = 0

  init() {
    points.fixes.reserveCapacity(GPXReader.batchSize)
  }

  var isEmpty: Bool { points.fixes.isEmpty }

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
