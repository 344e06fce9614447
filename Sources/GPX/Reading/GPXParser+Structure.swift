import CLibXML2
import FaketrackSupport

extension GPXParser {
  /// - Parameter tag: made only for the elements that need more than their name.
  @inline(__always)
  mutating func startElement(_ name: Name?, _ tag: @autoclosure () -> Tag) {
    silentBytes = 0
    depth += 1
    guard depth <= GPXReader.maximumDepth else { return fail(.tooDeep) }
    if pointDepth > 0 { return startInsidePoint(name, tag()) }
    if depth == 1 { return startRoot(tag()) }
    if let kind = names.pointKind(name), isPlace(for: kind) { return startPoint(kind, tag()) }
    startOutsidePoint(tag())
  }

  @inline(__always)
  mutating func endElement() {
    silentBytes = 0
    if depth == closedDepth { closedDepth = 0 }
    if leafDepth > 0 {
      if depth == leafDepth { endLeaf() }
    } else if pointDepth > 0 {
      if depth == pointDepth {
        endPoint()
      } else {
        if depth == extensionsDepth { extensionsDepth = 0 }
        if readsPointDetails { endDetail() }
      }
    } else {
      endContainer()
    }
    depth -= 1
  }

  @inline(__always)
  mutating func characters(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    silentBytes = 0
    let text = UnsafeBufferPointer(start: text, count: Int(count))
    if leaf != .none {
      self.text.append(text)
    } else if details.element.isActive {
      details.element.append(text)
    }
  }

  /// Whether details outside of points are read.
  var readsOutline: Bool { reader.readsDetails || reader.readsOutline }

  private mutating func startRoot(_ tag: Tag) {
    // A truncated name is unusable.
    guard !isTagCutOff else { return }
    if tag.name == names.gpx {
      details.root = XMLElement.Name(prefix: tag.prefix, namespace: tag.namespace)
      return
    }
    let root = tag.name.map { String(cString: $0).shortLine(limit: 40) }
    fail(input.notGPX(GPXFileKind(root: root ?? "")))
  }

  /// Whether a point of that kind may be here. A level of the structure may be missing around the point,
  /// but the point must belong to the element that is open: a route cannot hold a track point.
  @inline(__always)
  private func isPlace(for kind: GPXPointKind) -> Bool {
    guard closedDepth == 0 else { return false }
    return switch kind {
    case .trackPoint: routeDepth == 0
    case .routePoint: trackDepth == 0 && segmentDepth == 0
    case .waypoint: isPlaceForPath
    }
  }

  /// Whether a track or route may begin here.
  private var isPlaceForPath: Bool {
    closedDepth == 0 && trackDepth == 0 && segmentDepth == 0 && routeDepth == 0
  }

  private mutating func startOutsidePoint(_ tag: Tag) {
    if names.isStructure(tag.name) {
      if startPath(tag) || startWaypointInTrack(tag) { return }
      reportMisplaced(tag)
      if closedDepth == 0 { closedDepth = depth }
    } else if closedDepth == 0, names.isValue(tag.name) {
      closedDepth = depth
    }
    if readsOutline { startDetail(tag) }
  }

  /// Begins a track, segment or route if the tag starts one in a valid place; returns whether it did.
  private mutating func startPath(_ tag: Tag) -> Bool {
    switch tag.name {
    case names.trk where isPlaceForPath:
      finishPendingDetails()
      trackDepth = depth
      isInSegment = false
      details.reset(.track)
      emit(.track)
    case names.trkseg where closedDepth == 0 && segmentDepth == 0 && routeDepth == 0:
      finishPendingDetails()
      segmentDepth = depth
      details.reset(.segment)
      startSegment()
    case names.rte where isPlaceForPath:
      finishPendingDetails()
      routeDepth = depth
      details.reset(.route)
      startRoute()
    default: return false
    }
    return true
  }

  /// Begins a waypoint that some programs write into the track it belongs to.
  private mutating func startWaypointInTrack(_ tag: Tag) -> Bool {
    guard tag.name == names.wpt, closedDepth == 0, routeDepth == 0, isOfGPX(tag) else {
      return false
    }
    startPoint(.waypoint, tag)
    if fix != nil { report(.track, .waypoint) }
    return true
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
    case 1: isRootClosed = true
    default:
      if readsOutline { endDetail() }
      return
    }
    finishPendingDetails()
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
