import CLibXML2
import Foundation
import Geodesy

/// The facts in an XMP packet.
///
/// Sources: ISO 16684-1, 7 and 8.2.2.4; the Dublin Core element set; XMP Specification Part 2, 2.6 and 3.3.
struct XMPPacket {
  /// Whether the packet has a list of facts, be it empty.
  private(set) var isUsable = false
  private(set) var title: String?
  private(set) var description: String?
  private(set) var coordinate: Coordinate?
  private(set) var gpsTime: Date?
  /// The time by the camera's clock, and its offset from UTC, if the packet says so.
  private(set) var cameraTime: CameraTime.Zoned?
  /// The make and model of the camera.
  private(set) var camera: String?

  private static let initializeLibrary: Void = xmlInitParser()

  /// Reads a packet; without values for a damaged one, and for one that declares entities.
  init(_ bytes: [UInt8]) {
    Self.initializeLibrary
    guard let context = xmlNewParserCtxt() else { return }
    defer { xmlFreeParserCtxt(context) }
    // XMP has no document type, which alone can declare entities or name other files.
    context.pointee.sax?.pointee.internalSubset = { data, _, _, _ in
      xmlStopParser(data?.assumingMemoryBound(to: xmlParserCtxt.self))
    }
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
      | XML_PARSE_NOWARNING.rawValue
    // Some programs end the packet as a text of C.
    let packet = bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1)
    // By default the library prints errors of conversion. The setting belongs to the thread.
    let (function, data) = (__xmlStructuredError().pointee, __xmlStructuredErrorContext().pointee)
    xmlSetStructuredErrorFunc(nil) { _, _ in }
    defer { xmlSetStructuredErrorFunc(data, function) }
    let document = packet.withUnsafeBytes { packet in
      xmlCtxtReadMemory(
        context, packet.baseAddress?.assumingMemoryBound(to: CChar.self),
        CInt(clamping: packet.count), nil, nil, CInt(options))
    }
    guard let document else { return }
    defer { xmlFreeDoc(document) }
    guard let root = xmlDocGetRootElement(document) else { return }
    let list =
      Self.isElement(root, Self.rdf, "RDF")
      ? root : Self.children(of: root).first { Self.isElement($0, Self.rdf, "RDF") }
    guard let list else { return }
    isUsable = true
    for resource in Self.children(of: list)
    where Self.isElement(resource, Self.rdf, "Description") {
      title = title ?? Self.value(Self.dublinCore, "title", of: resource)
      description = description ?? Self.value(Self.dublinCore, "description", of: resource)
      readPlaceAndTime(resource)
    }
  }

  private mutating func readPlaceAndTime(_ resource: xmlNodePtr) {
    func value(_ namespace: String, _ name: String) -> String? {
      Self.value(namespace, name, of: resource)
    }
    if coordinate == nil,
      let latitude = value(Self.exif, "GPSLatitude").flatMap({
        Self.degrees($0, ["N": 1, "S": -1])
      }),
      let longitude = value(Self.exif, "GPSLongitude").flatMap({
        Self.degrees($0, ["E": 1, "W": -1])
      })
    {
      coordinate = Coordinate(recorded: latitude, longitude)
    }
    if gpsTime == nil, let text = value(Self.exif, "GPSTimeStamp"),
      let time = CameraTime.Zoned(text)
    {
      // It is UTC by its definition.
      gpsTime = Date(timeIntervalSinceReferenceDate: time.seconds - (time.offset ?? 0))
    }
    cameraTime =
      cameraTime
      ?? [
        value(Self.exif, "DateTimeOriginal"), value(Self.photoshop, "DateCreated"),
        value(Self.basic, "CreateDate"),
      ].lazy.compactMap { $0.flatMap(CameraTime.Zoned.init) }.first
    let names = [value(Self.tiff, "Make"), value(Self.tiff, "Model")].compactMap(\.self)
    if camera == nil, !names.isEmpty { camera = names.joined(separator: " ") }
  }

  /// Reads `52,24.15N` or `52,24,9N`.
  private static func degrees(_ text: String, _ signs: [Character: Double]) -> Double? {
    guard let sign = text.last.flatMap({ signs[$0] }) else { return nil }
    let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0)
    }
    guard (1...3).contains(parts.count) else { return nil }
    var (degrees, unit) = (0.0, 1.0)
    for part in parts {
      guard let part, part >= 0, part.isFinite else { return nil }
      degrees += part / unit
      unit *= 60
    }
    return sign * degrees
  }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let dublinCore = "http://purl.org/dc/elements/1.1/"
  private static let basic = "http://ns.adobe.com/xap/1.0/"
  private static let exif = "http://ns.adobe.com/exif/1.0/"
  private static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  private static let tiff = "http://ns.adobe.com/tiff/1.0/"

  /// The value of a property in the default language or, without one, in the first language.
  private static func value(
    _ namespace: String, _ name: String, of resource: xmlNodePtr
  ) -> String? {
    // A property may be an attribute of its resource.
    if let attribute = xmlHasNsProp(resource, name, namespace) {
      return text(attribute.pointee.children)
    }
    guard
      let property = children(of: resource).first(where: { isElement($0, namespace, name) })
    else { return nil }
    guard
      let languages = children(of: property).first(where: { isElement($0, rdf, "Alt") })
    else { return text(property.pointee.children) }
    let items = children(of: languages).filter { isElement($0, rdf, "li") }
    let usual = items.first { item in
      xmlHasNsProp(item, "lang", "http://www.w3.org/XML/1998/namespace")
        .map { text($0.pointee.children) == "x-default" } ?? false
    }
    return (usual ?? items.first).map { text($0.pointee.children) }
  }

  private static func isElement(_ node: xmlNodePtr, _ namespace: String, _ name: String) -> Bool {
    node.pointee.type == XML_ELEMENT_NODE && xmlStrEqual(node.pointee.name, name) == 1
      && xmlStrEqual(node.pointee.ns?.pointee.href, namespace) == 1
  }

  private static func children(of node: xmlNodePtr) -> [xmlNodePtr] {
    siblings(from: node.pointee.children)
  }

  private static func siblings(from first: xmlNodePtr?) -> [xmlNodePtr] {
    first.map { Array(sequence(first: $0) { $0.pointee.next }) } ?? []
  }

  /// The text of nodes that follow each other.
  private static func text(_ first: xmlNodePtr?) -> String {
    siblings(from: first).reduce(into: "") { text, node in
      guard node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE,
        let content = node.pointee.content
      else { return }
      text += String(cString: content)
    }
  }
}
