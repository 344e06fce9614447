import CLibXML2

/// The title and the description in an XMP packet.
///
/// Sources: ISO 16684-1, 7 and 8.2.2.4; the Dublin Core element set.
struct XMPPacket {
  private(set) var title: String?
  private(set) var description: String?

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
    for resource in Self.children(of: list)
    where Self.isElement(resource, Self.rdf, "Description") {
      title = title ?? Self.value("title", of: resource)
      description = description ?? Self.value("description", of: resource)
    }
  }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let dublinCore = "http://purl.org/dc/elements/1.1/"

  /// The value of a property in the default language or, without one, in the first language.
  private static func value(_ name: String, of resource: xmlNodePtr) -> String? {
    // A property may be an attribute of its resource.
    if let attribute = xmlHasNsProp(resource, name, dublinCore) {
      return text(attribute.pointee.children)
    }
    guard
      let property = children(of: resource).first(where: { isElement($0, dublinCore, name) })
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
