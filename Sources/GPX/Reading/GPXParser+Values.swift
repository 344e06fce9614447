import CLibXML2
import Geodesy

extension GPXParser {
  /// The position that the attributes `lat` and `lon` give; nil, and reported, when they do not.
  mutating func position(_ attributes: Attributes?, _ count: Int) -> Coordinate? {
    var latitude: UnsafeBufferPointer<UInt8>?
    var longitude: UnsafeBufferPointer<UInt8>?
    if var attribute = attributes {
      for _ in 0..<count {
        // Attributes of GPX have no prefix; another vocabulary's `lat` is not meant.
        if attribute[1] == nil {
          if attribute[0] == names.lat {
            latitude = value(attribute)
          } else if attribute[0] == names.lon {
            longitude = value(attribute)
          }
        }
        attribute += 5
      }
    }
    guard let latitude = degrees(.latitude, latitude, limit: 90),
      let longitude = degrees(.longitude, longitude, limit: 180)
    else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  private func value(_ attribute: Attributes) -> UnsafeBufferPointer<UInt8>? {
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
    guard let value = DecimalText.parse(text) else {
      let isEmpty = text.allSatisfy { $0 <= 0x20 }
      report(
        part, isEmpty ? .empty : .notANumber, text: isEmpty ? nil : text, skipsPoint: true)
      return nil
    }
    guard abs(value) <= limit else {
      report(part, .outOfRange, text: text, skipsPoint: true)
      return nil
    }
    return value
  }

  mutating func start(_ leaf: Leaf) {
    self.leaf = leaf
    leafDepth = depth
    text.clear()
  }

  /// Takes the text that has been collected as the value of its element.
  mutating func endLeaf() {
    switch leaf {
    case .elevation:
      values.elevation = number(.elevation)
    case .time:
      values.time = GPXTime.parse(text.bytes)
      if values.time == nil { reportUnusable(.time, .notATime) }
    case .speed:
      if let speed = number(.speed) { values.speed = speed < 0 ? nil : speed }
    case .course:
      if let course = number(.course) { values.course = direction(course) }
    case .name:
      endName()
    case .none:
      break
    }
    leaf = .none
    leafDepth = 0
  }

  private mutating func endName() {
    guard let name = text.string() else { return }
    if pointDepth > 0 {
      values.name = name
    } else {
      emit(depth == trackDepth + 1 ? .trackName(name) : .routeName(name))
    }
  }

  private mutating func number(_ part: GPXIssue.Part) -> Double? {
    if !text.isCut, let value = DecimalText.parse(text.bytes) { return value }
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

  private mutating func reportUnusable(_ part: GPXIssue.Part, _ fault: GPXIssue.Fault) {
    let bytes = text.bytes
    let isEmpty = bytes.allSatisfy { $0 <= 0x20 }
    report(part, isEmpty ? .empty : fault, text: isEmpty ? nil : bytes)
  }
}

extension GPXFileKind {
  /// The kind of an XML document, by the local name of its root element.
  init(root: String) {
    switch root.lowercased() {
    case "html": self = .html
    case "kml": self = .kml
    case "trainingcenterdatabase": self = .tcx
    default: self = .xml(root: root)
    }
  }
}
