import CLibXML2
import FaketrackSupport

/// An element with everything in it, except comments and processing instructions.
struct XMLElement {
  /// Names are held once, by the C library, however often they occur.
  struct Name {
    var prefix: GPXNames.Name?
    /// The address that the prefix is declared for; nil without a declaration.
    var namespace: GPXNames.Name?
    var local: GPXNames.Name?

    var localText: String { local?.text ?? "" }

    func text(_ prefix: GPXNames.Name?) -> String {
      prefix.map { "\($0.text):\(localText)" } ?? localText
    }
  }

  enum Node {
    case element(XMLElement)
    case text(String)

    var isBlank: Bool {
      if case .text(let text) = self { text.utf8.allSatisfy { $0 <= 0x20 } } else { false }
    }
  }

  var name: Name
  /// The prefixes that the start tag declares, with their namespaces.
  var declarations: [(prefix: GPXNames.Name, namespace: GPXNames.Name)] = []
  var attributes: [(name: Name, value: String)] = []
  var children: [Node] = []
  /// Whether a value of the fix was left out of the children.
  var hasOmission = false

  var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text, with the text of child elements, without surrounding white space; nil if it is empty.
  var text: String? {
    let bytes = Array(wholeText.utf8)
    guard let start = bytes.firstIndex(where: { $0 > 0x20 }),
      let end = bytes.lastIndex(where: { $0 > 0x20 })
    else { return nil }
    return String(decoding: bytes[start...end], as: UTF8.self)
  }

  private var wholeText: String {
    children.reduce(into: "") { text, child in
      switch child {
      case .element(let element): text += element.wholeText
      case .text(let more): text += more
      }
    }
  }

  subscript(attribute name: String) -> String? {
    attributes.first { $0.name.prefix == nil && $0.name.localText == name }?.value
  }
}

extension XMLElement {
  /// Puts an element together from its tags and texts.
  struct Builder {
    /// Whether there was more than ``GPXReader/maximumTextLength``; then the rest is missing.
    private(set) var isCut = false
    private var open: [XMLElement] = []
    var isActive: Bool { !open.isEmpty }
    private var text: [UInt8] = []
    /// The bytes of the texts and tags, without the name of the outermost element.
    private var size = 0

    mutating func start(_ tag: GPXParser.Tag) {
      guard let name = tag.name else { return }
      endText()
      if open.isEmpty {
        isCut = false
        size = 0
      } else {
        size += 2 + Int(xmlStrlen(name)) + (tag.prefix.map { 1 + Int(xmlStrlen($0)) } ?? 0)
      }
      size += tag.attributeSize
      if size > GPXReader.maximumTextLength { isCut = true }
      // An element that is cut keeps its name, to report what is missing.
      open.append(isCut ? XMLElement(name: Name(local: name)) : XMLElement(tag))
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
      guard !isCut else { return }
      var bytes = text[...]
      size += text.count
      if size > GPXReader.maximumTextLength {
        isCut = true
        bytes = bytes.dropLast(size - GPXReader.maximumTextLength)
        // An incomplete character at the end is dropped.
        while let byte = bytes.last, byte & 0xC0 == 0x80 { bytes.removeLast() }
        if let byte = bytes.last, byte >= 0xC0 { bytes.removeLast() }
      }
      self.text += bytes
    }

    private mutating func endText() {
      guard !text.isEmpty, let last = open.indices.last else { return }
      open[last].children.append(.text(String(decoding: text, as: UTF8.self)))
      text.removeAll(keepingCapacity: true)
    }

    /// Leaves out an element, because the fix has its value.
    mutating func omitElement() {
      endText()
      if let last = open.indices.last { open[last].hasOmission = true }
    }

    /// Ends the innermost open element; returns the outermost one when that ends.
    mutating func end() -> XMLElement? {
      endText()
      guard var element = open.popLast() else { return nil }
      // The white space around elements is formatting.
      let hasElements = element.children.contains { if case .element = $0 { true } else { false } }
      if element.hasOmission || hasElements {
        element.children.removeAll(where: \.isBlank)
      }
      guard let parent = open.indices.last else { return element }
      if element.children.isEmpty, element.hasOmission, element.attributes.isEmpty {
        // Everything in it is a value of the fix.
        open[parent].hasOmission = true
      } else if !isCut {
        open[parent].children.append(.element(element))
      }
      return nil
    }

    mutating func cancel() {
      open.removeAll()
      text.removeAll()
    }
  }

  private init(_ tag: GPXParser.Tag) {
    name = Name(prefix: tag.prefix, namespace: tag.namespace, local: tag.name)
    for index in 0..<tag.declarationCount {
      if let prefix = tag.declarations?[2 * index], let uri = tag.declarations?[2 * index + 1] {
        declarations.append((prefix, uri))
      }
    }
    attributes = tag.attributeList.map { attribute in
      let value = GPXParser.value(attribute).map { String(decoding: $0, as: UTF8.self) }
      return (
        Name(prefix: attribute[1], namespace: attribute[2], local: attribute[0]),
        XMLText.resolved(value ?? "")
      )
    }
  }
}

extension GPXParser.Tag {
  fileprivate var attributeList: [GPXParser.Attributes] {
    attributes.map { first in (0..<attributeCount).map { first + 5 * $0 } } ?? []
  }

  /// The bytes of the attributes and declarations.
  fileprivate var attributeSize: Int {
    let names = declarations.map { pairs in
      (0..<2 * declarationCount).reduce(0) { $0 + Int(xmlStrlen(pairs[$1])) }
    }
    return attributeList.reduce(names ?? 0) { size, attribute in
      size + 4 + Int(xmlStrlen(attribute[0])) + (GPXParser.value(attribute)?.count ?? 0)
    }
  }
}

/// Writes elements as XML that can be used in another GPX document.
///
/// The XML declares every namespace where it is first used, except the namespace of GPX 1.1, which is
/// the default namespace. The namespace of the root element counts as GPX, whatever its address.
struct ExtensionsWriter {
  private let root: XMLElement.Name
  private var text = TextBuffer()
  /// The meanings of prefixes within the open elements; nil is the default namespace.
  private var bindings: [(prefix: GPXNames.Name?, namespace: String)] = []
  private var isTooLong = false

  /// The XML of some nodes; nil if it is longer than ``GPXReader/maximumTextLength``.
  static func xml(of nodes: [XMLElement.Node], in root: XMLElement.Name) -> String? {
    var writer = ExtensionsWriter(root: root)
    for node in nodes { writer.append(node) }
    return writer.isTooLong ? nil : writer.text.string
  }

  private init(root: XMLElement.Name) {
    self.root = root
  }

  private mutating func append(_ node: XMLElement.Node) {
    guard !isTooLong else { return }
    switch node {
    case .element(let element): append(element)
    case .text(let value):
      XMLText.append(value, to: &text)
      checkLength()
    }
  }

  private mutating func append(_ element: XMLElement) {
    let namespace = meaning(of: element.name)
    let prefix = namespace == GPXWriter.namespace ? nil : element.name.prefix
    let name = element.name.text(prefix)
    let bindingCount = bindings.count
    text.append(contentsOf: "<\(name)")
    // A declared prefix may be used in the value of an attribute such as `xsi:type`.
    for (prefix, namespace) in element.declarations { bind(prefix, namespace.text) }
    for attribute in element.attributes where !isTooLong {
      // The prefix `xml` has its meaning in every document.
      guard let prefix = attribute.name.prefix, prefix.text != "xml" else { continue }
      bind(prefix, attribute.name.namespace?.text ?? Self.undeclared(prefix))
    }
    // The prefix of the element comes last, as it does when this XML is read again.
    bind(prefix, namespace)
    for attribute in element.attributes {
      append(attribute: attribute.name.text(attribute.name.prefix), attribute.value)
    }
    text.append(">")
    checkLength()
    if element.children.isEmpty {
      text.truncate(to: text.count - 1)
      text.append("/>")
    } else {
      for child in element.children { append(child) }
      text.append(contentsOf: "</\(name)>")
    }
    bindings.removeLast(bindings.count - bindingCount)
  }

  private mutating func append(attribute name: String, _ value: String) {
    text.append(contentsOf: " \(name)=\"")
    XMLText.append(value, to: &text)
    text.append("\"")
  }

  /// Declares a prefix unless it has that meaning already.
  private mutating func bind(_ prefix: GPXNames.Name?, _ namespace: String) {
    let current = bindings.last { $0.prefix == prefix }?.namespace
    guard namespace != current ?? (prefix == nil ? GPXWriter.namespace : nil) else { return }
    bindings.append((prefix, namespace))
    append(attribute: prefix.map { "xmlns:\($0.text)" } ?? "xmlns", XMLText.resolved(namespace))
    checkLength()
  }

  /// The namespace of an element in the new document, empty for none.
  private func meaning(of name: XMLElement.Name) -> String {
    if let namespace = name.namespace {
      return namespace == root.namespace ? GPXWriter.namespace : namespace.text
    }
    if root.namespace == nil, name.prefix == nil || name.prefix == root.prefix {
      return GPXWriter.namespace
    }
    return name.prefix.map(Self.undeclared) ?? ""
  }

  private static func undeclared(_ prefix: GPXNames.Name) -> String {
    "urn:undeclared:\(prefix.text)"
  }

  private mutating func checkLength() {
    if text.count > GPXReader.maximumTextLength { isTooLong = true }
  }
}

/// Text as XML has it, between tags or in an attribute in double quotes.
enum XMLText {
  /// Appends a string with references for the characters that have a meaning in XML, and without
  /// those that XML 1.0 cannot hold (section 2.2, Char).
  static func append(_ string: String, to text: inout TextBuffer) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      case "&": text.append("&amp;")
      case "<": text.append("&lt;")
      // Needed only after `]]`, and harmless elsewhere.
      case ">": text.append("&gt;")
      case "\"": text.append("&quot;")
      // Unless they are references, a parser turns these into spaces or line feeds.
      case "\t": text.append("&#9;")
      case "\n": text.append("&#10;")
      case "\r": text.append("&#13;")
      case "\u{0}"..."\u{7F}": text.append(UInt8(truncatingIfNeeded: scalar.value))
      default: text.append(contentsOf: String(scalar))
      }
    }
  }

  /// The value of an attribute, or a namespace, that the C library reports.
  ///
  /// The library resolves all references in it but those to an ampersand, which it reports as
  /// `&#38;`, and to entities of HTML, so that every ampersand in the value starts one of these.
  static func resolved(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
    // By scalars, because a character may combine a semicolon with what follows.
    let parts = value.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      let name = String(part.prefix { $0 != ";" })
      text += name == "#38" ? "&" : character(ofEntity: name).map(String.init) ?? ""
      text += String(part.drop { $0 != ";" }.dropFirst())
    }
  }

  /// The character of an entity of HTML; nil for any other name.
  static func character(ofEntity name: UnsafePointer<xmlChar>) -> Character? {
    htmlEntityLookup(name).flatMap { Unicode.Scalar($0.pointee.value) }.map(Character.init)
  }
}
