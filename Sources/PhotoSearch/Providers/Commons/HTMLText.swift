import CLibXML2
import FaketrackServices
import Foundation

/// The text in a piece of HTML, such as the name of an author on Commons or an attribution.
package enum HTMLText {
  /// A part of a text, and the page on the web that it links to.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var link: URL?

    package init(text: String, link: URL? = nil) {
      self.text = text
      self.link = link
    }
  }

  /// The text that a reader would see, on one line: without tags, comments, styles and hidden
  /// elements, with entities decoded and white space collapsed.
  ///
  /// Never fails: libxml2 repairs what is broken. Only the first 64 KB are read, and nesting beyond
  /// libxml2's limit of 256 elements ends the text. Linear in the length.
  static func plain(_ html: String) -> String {
    if hasNoMarkup(html) { return collapsed(html) }
    return collapsed(parsed(html).map(\.text).joined())
  }

  /// The same text in parts, with its links to http and https addresses.
  package static func runs(_ html: String) -> [Run] {
    var runs: [Run] = []
    var isAfterSpace = true
    for run in parsed(html) {
      var text = ""
      for character in run.text where !(character.isWhitespace && isAfterSpace) {
        isAfterSpace = character.isWhitespace
        text.append(isAfterSpace ? " " : character)
      }
      if !text.isEmpty { runs.append(Run(text: text, link: run.link)) }
    }
    guard isAfterSpace, var last = runs.popLast() else { return runs }
    last.text.removeLast()
    return last.text.isEmpty ? runs : runs + [last]
  }

  private static func parsed(_ html: String) -> [Run] {
    guard let context = htmlNewParserCtxt() else { return [] }
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
    guard let document else { return [] }
    defer { xmlFreeDoc(document) }
    var runs: [Run] = []
    if let root = xmlDocGetRootElement(document) { append(root, link: nil, to: &runs) }
    return runs
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
  private static func append(_ node: xmlNodePtr, link: URL?, to runs: inout [Run]) {
    func append(_ text: String) {
      if runs.last?.link == link, let last = runs.indices.last {
        runs[last].text += text
      } else {
        runs.append(Run(text: text, link: link))
      }
    }
    switch node.pointee.type {
    case XML_TEXT_NODE:
      if let content = node.pointee.content { append(String(cString: content)) }
    case XML_ELEMENT_NODE:
      let name = node.pointee.name.map { String(cString: $0) } ?? ""
      guard name != "style", name != "script", !isHidden(node) else { return }
      let link = name == "a" ? attribute("href", of: node).flatMap(URL.init(webAddress:)) : link
      if separating.contains(name) { append(" ") }
      var children = node.pointee.children
      while let child = children {
        Self.append(child, link: link, to: &runs)
        children = child.pointee.next
      }
      if separating.contains(name) { append(" ") }
    default: break
    }
  }

  private static func isHidden(_ element: xmlNodePtr) -> Bool {
    attribute("style", of: element)?.lowercased().filter { !$0.isWhitespace }
      .contains("display:none") == true
  }

  private static func attribute(_ name: String, of element: xmlNodePtr) -> String? {
    xmlHasProp(element, name)?.pointee.children?.pointee.content.map { String(cString: $0) }
  }
}
