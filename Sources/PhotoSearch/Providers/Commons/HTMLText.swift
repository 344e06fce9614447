import CLibXML2

/// The text in a piece of HTML, as which Commons sends the names of authors.
enum HTMLText {
  /// The text that a reader would see, on one line: without tags, comments, styles and hidden
  /// elements, with entities decoded and white space collapsed.
  ///
  /// Never fails: libxml2 repairs what is broken. Only the first 64 KB are read, and nesting beyond
  /// libxml2's limit of 256 elements ends the text. Linear in the length.
  static func plain(_ html: String) -> String {
    if hasNoMarkup(html) { return collapsed(html) }
    guard let context = htmlNewParserCtxt() else { return "" }
    defer { htmlFreeParserCtxt(context) }
    // libxml2 drops the space between two elements where it considers it insignificant.
    context.pointee.sax?.pointee.ignorableWhitespace = xmlSAX2Characters
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
    let document = Array(html.utf8.prefix(maximumLength)).withUnsafeBytes { bytes in
      htmlCtxtReadMemory(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count), nil,
        "UTF-8", CInt(options))
    }
    guard let document else { return "" }
    defer { xmlFreeDoc(document) }
    var text = ""
    if let root = xmlDocGetRootElement(document) { append(root, to: &text) }
    return collapsed(text)
  }

  /// Whether the parser would give back a text as it is.
  private static func hasNoMarkup(_ html: String) -> Bool {
    html.utf8.count <= maximumLength
      && html.utf8.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") && $0 != 0x7F
      }
  }

  private static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let maximumLength = 65_536
  private static let separating: Set<String> = ["br", "p", "div", "li", "ul", "tr", "td", "th"]

  /// Appends the text of a node and all below it; they are never nested deeper than the parser
  /// allows.
  private static func append(_ node: xmlNodePtr, to text: inout String) {
    switch node.pointee.type {
    case XML_TEXT_NODE:
      if let content = node.pointee.content { text += String(cString: content) }
    case XML_ELEMENT_NODE:
      let name = node.pointee.name.map { String(cString: $0) } ?? ""
      guard name != "style", name != "script", !isHidden(node) else { return }
      let separator = separating.contains(name) ? " " : ""
      text += separator
      var children = node.pointee.children
      while let child = children {
        append(child, to: &text)
        children = child.pointee.next
      }
      text += separator
    default: break
    }
  }

  private static func isHidden(_ element: xmlNodePtr) -> Bool {
    guard let style = xmlHasProp(element, "style")?.pointee.children?.pointee.content else {
      return false
    }
    return String(cString: style).lowercased().filter { !$0.isWhitespace }
      .contains("display:none")
  }
}
