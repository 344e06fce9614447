import CLibXML2
import FaketrackSupport

/// Records elements that GPX does not define as XML that can be written into another document.
///
/// The XML declares every namespace where it is first used, except that of GPX, which is the
/// default one. Comments, processing instructions and white space between elements are left out.
struct ExtensionsRecorder {
  private static let gpxNamespace = "http://www.topografix.com/GPX/1/1"

  typealias Name = GPXNames.Name

  private struct Element {
    /// The prefix as it is written, nil for none.
    var prefix: Name?
    var name: Name
    /// Where the element and its content start in the recorded bytes.
    var start: Int
    var contentStart: Int
    var bindingCount: Int
    var hasAttributes: Bool
    /// Whether some of its content was left out on purpose.
    var hasOmission = false
  }

  /// What a prefix means within the open elements.
  private struct Binding {
    var prefix: Name?
    var namespace: Namespace
  }

  private enum Namespace {
    case gpx
    /// No namespace at all.
    case none
    /// The prefix has not been declared in the file.
    case undeclared
    case named(Name)
  }

  private let rootNamespace: Name?
  private let rootPrefix: Name?
  private var text = TextBuffer()
  private var open: [Element] = []
  private var bindings: [Binding] = []
  /// Where the text since the last tag starts, and whether it is white space only.
  private var textStart = 0
  private var isTextBlank = true
  /// Whether the last tag was a start tag, so that blank text is a value and not formatting.
  private var isAfterStartTag = false

  /// Whether there was more than ``GPXReader/maximumTextLength``; then the rest is not recorded.
  private(set) var isTooLong = false

  /// - Parameter rootNamespace: the namespace of the root element, which is that of GPX whatever
  ///   its address.
  init(rootNamespace: Name?, rootPrefix: Name?) {
    self.rootNamespace = rootNamespace
    self.rootPrefix = rootPrefix
  }

  /// What has been recorded, nil for nothing.
  var xml: String? {
    // Blank text after the last element is formatting.
    var text = text
    if isTextBlank { text.truncate(to: textStart) }
    return text.isEmpty ? nil : text.string
  }

  /// Forgets everything.
  mutating func clear() {
    text.removeAll()
    open.removeAll(keepingCapacity: true)
    bindings.removeAll(keepingCapacity: true)
    isTooLong = false
    startText(afterStartTag: false)
  }

  mutating func start(_ tag: GPXParser.Tag) {
    guard let name = tag.name, !isTooLong else { return }
    dropBlankText()
    let namespace = namespace(tag.namespace, prefix: tag.prefix)
    let prefix = if case .gpx = namespace { nil as Name? } else { tag.prefix }
    let start = text.count
    let bindingCount = bindings.count
    append(prefix, name, after: "<")
    if let declarations = tag.declarations {
      // They may be used in the text of an attribute, such as that of `xsi:type`.
      for index in 0..<tag.declarationCount {
        guard let prefix = declarations[2 * index], let uri = declarations[2 * index + 1] else {
          continue
        }
        bind(prefix, .named(uri))
      }
    }
    // The prefix of the element comes last, because it does so when this XML is read again.
    bindAttributes(tag)
    bind(prefix, namespace)
    appendAttributes(tag)
    text.append(">")
    open.append(
      Element(
        prefix: prefix, name: name, start: start, contentStart: text.count,
        bindingCount: bindingCount, hasAttributes: tag.attributeCount > 0))
    startText(afterStartTag: true)
    if text.count > GPXReader.maximumTextLength { isTooLong = true }
  }

  mutating func end() {
    guard !isTooLong else { return }
    if !isAfterStartTag || open.last?.hasOmission == true { dropBlankText() }
    guard let element = open.popLast() else { return }
    bindings.removeLast(bindings.count - element.bindingCount)
    if text.count == element.contentStart {
      if element.hasOmission, !element.hasAttributes {
        // Everything in it is a value of the fix.
        text.truncate(to: element.start)
        noteOmission()
      } else {
        text.truncate(to: text.count - 1)
        text.append("/>")
      }
    } else {
      append(element.prefix, element.name, after: "</")
      text.append(">")
    }
    startText(afterStartTag: false)
  }

  mutating func append(_ characters: UnsafeBufferPointer<UInt8>) {
    guard !isTooLong else { return }
    if isTextBlank { isTextBlank = characters.allSatisfy { $0 <= 0x20 } }
    XMLText.append(characters, to: &text)
    if text.count > GPXReader.maximumTextLength { isTooLong = true }
  }

  /// Notes that an element is left out, because the fix has its value.
  mutating func omitElement() {
    guard !isTooLong else { return }
    dropBlankText()
    noteOmission()
    startText(afterStartTag: false)
  }
}

extension ExtensionsRecorder {
  private mutating func noteOmission() {
    if let last = open.indices.last { open[last].hasOmission = true }
  }

  private mutating func startText(afterStartTag: Bool) {
    textStart = text.count
    isTextBlank = true
    isAfterStartTag = afterStartTag
  }

  private mutating func dropBlankText() {
    if isTextBlank { text.truncate(to: textStart) }
  }

  private func namespace(_ uri: Name?, prefix: Name?) -> Namespace {
    guard let uri else {
      if rootNamespace == nil, prefix == nil || Self.isEqual(prefix, rootPrefix) { return .gpx }
      return prefix == nil ? .none : .undeclared
    }
    return Self.isEqual(uri, rootNamespace) || xmlStrEqual(uri, Self.gpxNamespace) != 0
      ? .gpx : .named(uri)
  }

  /// Appends a declaration if the prefix does not have that meaning already.
  private mutating func bind(_ prefix: Name?, _ namespace: Namespace) {
    let current = bindings.last { Self.isEqual($0.prefix, prefix) }?.namespace
    switch (namespace, current ?? (prefix == nil ? .gpx : .none)) {
    case (.gpx, .gpx), (.none, .none), (.undeclared, .undeclared): return
    case (.named(let uri), .named(let other)) where Self.isEqual(uri, other): return
    default: break
    }
    bindings.append(Binding(prefix: prefix, namespace: namespace))
    text.append(" xmlns")
    if let prefix {
      text.append(":")
      append(prefix)
    }
    text.append("=\"")
    switch namespace {
    case .gpx: text.append(contentsOf: Self.gpxNamespace)
    case .none: break
    case .undeclared:
      text.append("urn:undeclared:")
      if let prefix { append(prefix) }
    case .named(let uri): XMLText.append(XMLText.attributeValue(Self.bytes(of: uri)), to: &text)
    }
    text.append("\"")
  }

  /// Declares the prefixes of attributes; `xml` has its meaning in every document.
  private mutating func bindAttributes(_ tag: GPXParser.Tag) {
    guard let attributes = tag.attributes else { return }
    for index in 0..<tag.attributeCount {
      let attribute = attributes + index * 5
      guard let prefix = attribute[1], xmlStrEqual(prefix, "xml") == 0 else { continue }
      bind(prefix, attribute[2].map { .named($0) } ?? .undeclared)
    }
  }

  private mutating func appendAttributes(_ tag: GPXParser.Tag) {
    guard let attributes = tag.attributes else { return }
    for index in 0..<tag.attributeCount {
      let attribute = attributes + index * 5
      guard let name = attribute[0], let value = GPXParser.value(attribute) else { continue }
      append(attribute[1], name, after: " ")
      text.append("=\"")
      XMLText.append(XMLText.attributeValue(value), to: &text)
      text.append("\"")
    }
  }

  private mutating func append(_ prefix: Name?, _ name: Name, after mark: String) {
    text.append(contentsOf: mark)
    if let prefix {
      append(prefix)
      text.append(":")
    }
    append(name)
  }

  private mutating func append(_ name: Name) {
    text.append(contentsOf: UnsafeRawBufferPointer(Self.bytes(of: name)))
  }

  private static func bytes(of name: Name) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: name, count: Int(xmlStrlen(name)))
  }

  private static func isEqual(_ a: Name?, _ b: Name?) -> Bool {
    xmlStrEqual(a, b) != 0
  }
}

/// Text as XML has it, between tags or in an attribute in double quotes.
enum XMLText {
  /// Appends a string with references for the characters that mean something in XML, and without
  /// those that XML 1.0 cannot hold (section 2.2, Char).
  static func append(_ string: String, to text: inout TextBuffer) {
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      case "\u{0}"..."\u{7F}": append(UInt8(truncatingIfNeeded: scalar.value), to: &text)
      default: text.append(contentsOf: String(scalar))
      }
    }
  }

  /// Appends characters that come from an XML parser, so that all of them are allowed.
  static func append(_ characters: some Sequence<UInt8>, to text: inout TextBuffer) {
    for byte in characters { append(byte, to: &text) }
  }

  private static func append(_ byte: UInt8, to text: inout TextBuffer) {
    switch byte {
    case UInt8(ascii: "&"): text.append("&amp;")
    case UInt8(ascii: "<"): text.append("&lt;")
    // Needed only after `]]`, and harmless elsewhere.
    case UInt8(ascii: ">"): text.append("&gt;")
    case UInt8(ascii: "\""): text.append("&quot;")
    // Unless they are references, a parser turns these into spaces or line feeds.
    case 0x9: text.append("&#9;")
    case 0xA: text.append("&#10;")
    case 0xD: text.append("&#13;")
    default: text.append(byte)
    }
  }

  /// The value of an attribute as the C library reports it.
  ///
  /// The library resolves all references in it but that to an ampersand, which it reports as
  /// `&#38;`, so that every ampersand in the value starts such a reference.
  static func attributeValue(_ value: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: value, as: UTF8.self)
    return text.utf8.contains(UInt8(ascii: "&"))
      ? text.split(separator: "&#38;", omittingEmptySubsequences: false).joined(separator: "&")
      : text
  }
}
