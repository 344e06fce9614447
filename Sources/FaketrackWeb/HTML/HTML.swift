import FaketrackFeatures
import FaketrackServices
import Foundation

/// Safe markup: all text and attribute values are escaped.
package struct HTML: Encodable, Hashable, Sendable {
  /// The markup.
  package private(set) var markup: String

  /// Empty markup.
  static let none = HTML(unescaped: "")

  /// Text, escaped.
  init(_ text: String) {
    markup = Self.escaped(text)
  }

  private init(unescaped markup: String) {
    self.markup = markup
  }

  /// An element; `nil` content leaves out the end tag.
  init(element name: StaticString, _ attributes: [Attribute], content: HTML?) {
    markup = "<\(name)"
    for attribute in attributes { attribute.write(to: &markup) }
    markup += ">"
    if let content { markup += content.markup + "</\(name)>" }
  }

  /// A whole document.
  static func document(_ root: HTML) -> HTML {
    HTML(unescaped: "<!DOCTYPE html>\n" + root.markup)
  }

  mutating func append(_ other: HTML) {
    markup += other.markup
  }

  /// Writes the markup.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(markup)
  }

  /// Escapes the special characters of markup and drops control characters.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): break
      // These reverse the direction of the text around them.
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// Builds markup; strings become escaped text.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ text: String) -> HTML { HTML(text) }
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ html: HTML?) -> HTML { html ?? .none }
  static func buildBlock(_ pieces: HTML...) -> HTML { buildArray(pieces) }
  static func buildOptional(_ html: HTML?) -> HTML { html ?? .none }
  static func buildEither(first html: HTML) -> HTML { html }
  static func buildEither(second html: HTML) -> HTML { html }

  static func buildArray(_ pieces: [HTML]) -> HTML {
    var whole = HTML.none
    for piece in pieces { whole.append(piece) }
    return whole
  }
}

/// An element with content.
func tag(
  _ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
) -> HTML {
  HTML(element: name, attributes, content: content())
}

/// An element whose content is text.
func tag(_ name: StaticString, _ attributes: Attribute..., text: String = "") -> HTML {
  HTML(element: name, attributes, content: HTML(text))
}

/// An element without an end tag, such as `img`.
func emptyTag(_ name: StaticString, _ attributes: Attribute...) -> HTML {
  HTML(element: name, attributes, content: nil)
}

/// A link to another site, which opens in a new tab.
func outsideLink(
  _ url: URL?, _ attributes: [Attribute] = [], @HTMLBuilder content: () -> HTML
) -> HTML {
  let ofLink: [Attribute] = [
    .href(url), .attribute("target", "_blank"), .attribute("rel", "noopener noreferrer"),
  ]
  return HTML(element: "a", attributes + ofLink, content: content())
}

extension String {
  /// The address with an additional query item, such as `page=2`.
  func withQueryItem(_ item: String) -> String { self + (contains("?") ? "&" : "?") + item }
}

/// An attribute of an element; its value is escaped in the markup.
struct Attribute: Hashable, Sendable {
  private let name: String
  /// `nil` for an attribute without a value.
  private let value: String?
  private let isLeftOut: Bool

  private init(_ name: String, _ value: String?, isLeftOut: Bool = false) {
    self.name = name
    self.value = value
    self.isLeftOut = isLeftOut
  }

  /// An attribute other than an address; left out if the value is `nil`.
  static func attribute(_ name: StaticString, _ value: String?) -> Attribute {
    Attribute("\(name)", value, isLeftOut: value == nil)
  }

  /// An attribute without a value.
  static func flag(_ name: StaticString, _ isSet: Bool = true) -> Attribute {
    Attribute("\(name)", nil, isLeftOut: !isSet)
  }

  /// A link to a screen.
  static func href(_ route: Route) -> Attribute { Attribute("href", route.address) }

  /// A link to another site; left out unless it leads to the web or to this server.
  static func href(_ url: URL?) -> Attribute { address("href", url) }

  /// An image; left out unless it comes from the web or from this server.
  static func src(_ url: URL?) -> Attribute { address("src", url) }

  /// An address on this server.
  static func local(_ name: StaticString, _ path: String) -> Attribute {
    Attribute("\(name)", path, isLeftOut: !path.hasPrefix("/") || path.hasPrefix("//"))
  }

  func write(to markup: inout String) {
    if isLeftOut { return }
    markup += " " + name
    if let value { markup += "=\"" + HTML.escaped(value) + "\"" }
  }

  private static func address(_ name: String, _ url: URL?) -> Attribute {
    let isLocal = url?.scheme == nil && url?.host == nil && url?.path.hasPrefix("/") == true
    return Attribute(
      name, url?.absoluteString, isLeftOut: !isLocal && url?.isWebAddress != true)
  }
}

extension Attribute {
  static func `class`(_ names: String) -> Attribute { Attribute("class", names) }
  static func id(_ id: String) -> Attribute { Attribute("id", id) }
  static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
  static let hiddenFromReaders = Attribute("aria-hidden", "true")

  /// A `data-` attribute.
  static func data(_ name: StaticString, _ value: String) -> Attribute {
    Attribute("data-\(name)", value)
  }
}
