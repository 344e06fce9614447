import CLibXML2
import Geodesy

extension GPXParser {
  typealias Name = GPXNames.Name
  /// Five pointers for each attribute: local name, prefix, namespace, start and end of the value.
  typealias Attributes = UnsafeMutablePointer<UnsafePointer<xmlChar>?>

  mutating func startElement(_ name: Name?, _ attributes: Attributes?, _ count: Int) {
    progress &+= 1
    depth += 1
    if pointDepth > 0 { return startInsidePoint(name) }
    guard depth <= GPXReader.maximumDepth else { return fail(.tooDeep) }
    if depth == 1 { return startRoot(name) }
    if let kind = names.pointKind(name) {
      guard extensionsDepth == 0, leaf == .none else { return reportMisplaced(kind) }
      return startPoint(kind, attributes, count)
    }
    if extensionsDepth == 0, leaf == .none { startContainer(name) }
  }

  mutating func endElement() {
    progress &+= 1
    if leafDepth > 0 {
      if depth == leafDepth { endLeaf() }
    } else if depth == extensionsDepth {
      extensionsDepth = 0
    } else if pointDepth > 0 {
      if depth == pointDepth { endPoint() }
    } else {
      endContainer()
    }
    depth -= 1
  }

  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    progress &+= 1
    if leaf != .none { self.text.append(text) }
  }

  private mutating func startRoot(_ name: Name?) {
    guard name != names.gpx else { return }
    let root = name.map { PrintableText.string(UnsafeBufferPointer(start: $0, count: length($0))) }
    fail(.notGPX(GPXFileKind(root: root ?? "")))
  }

  private func length(_ name: UnsafePointer<xmlChar>) -> Int {
    Int(xmlStrlen(name))
  }

  private mutating func startContainer(_ name: Name?) {
    switch name {
    case names.trk where trackDepth == 0:
      trackDepth = depth
      isInSegment = false
      emit(.track)
    case names.trkseg where segmentDepth == 0:
      segmentDepth = depth
      startSegment()
    case names.rte where routeDepth == 0:
      routeDepth = depth
      startRoute()
    case names.name where reader.readsNames:
      let parent = depth - 1
      if parent == trackDepth || parent == routeDepth { start(.name) }
    case names.extensions:
      extensionsDepth = depth
    default:
      break
    }
  }

  private mutating func endContainer() {
    switch depth {
    case segmentDepth:
      segmentDepth = 0
      isInSegment = false
    case trackDepth:
      trackDepth = 0
      isInSegment = false
    case routeDepth:
      routeDepth = 0
      isInRoute = false
    case 1:
      isRootClosed = true
    default:
      break
    }
  }

  private mutating func startSegment() {
    isInSegment = true
    segment += 1
    emit(.segment)
  }

  private mutating func startRoute() {
    isInRoute = true
    route += 1
    emit(.route)
  }

  private mutating func startPoint(
    _ kind: GPXPointKind, _ attributes: Attributes?, _ count: Int
  ) {
    self.kind = kind
    pointDepth = depth
    values = PointValues()
    // A point outside of a segment or route, which the schemas do not have, opens one.
    switch kind {
    case .trackPoint: if !isInSegment { startSegment() }
    case .routePoint: if !isInRoute { startRoute() }
    case .waypoint: break
    }
    coordinate = position(attributes, count)
  }

  private mutating func startInsidePoint(_ name: Name?) {
    if leaf != .none || coordinate == nil {
      // Only points still matter, and how deep they lie.
    } else if depth == pointDepth + 1 {
      switch name {
      case names.ele: return start(.elevation)
      case names.time: return start(.time)
      case names.extensions: return extensionsDepth = depth
      case names.speed: return start(.speed)
      case names.course: return start(.course)
      case names.name: if kind == .waypoint, reader.readsNames { return start(.name) }
      default: break
      }
    } else if extensionsDepth > 0 {
      switch name {
      case names.speed: return start(.speed)
      case names.course: return start(.course)
      default: break
      }
    }
    if let kind = names.pointKind(name) { reportMisplaced(kind) }
    if depth > GPXReader.maximumDepth { fail(.tooDeep) }
  }

  private mutating func reportMisplaced(_ kind: GPXPointKind) {
    let outer = self.kind
    self.kind = kind
    report(.point, .misplaced, skipsPoint: true)
    self.kind = outer
  }

  private mutating func endPoint() {
    pointDepth = 0
    guard let coordinate else { return }
    if batch.isFull(for: kind) { flush() }
    let number =
      switch kind {
      case .trackPoint: segment
      case .routePoint: route
      case .waypoint: 0
      }
    batch.append(
      Fix(
        coordinate, time: values.time, elevation: values.elevation, speed: values.speed,
        course: values.course, segment: number),
      kind)
    if kind == .waypoint, reader.readsNames { batch.append(name: values.name) }
  }
}
