import FaketrackFeatures
import FaketrackServices
import Foundation

/// Safe markup: all text and attribute values are escaped.
package struct HTML: Encodable, Hashable, Sendable {
  package private(set) var markup: String

  static let none = HTML(unescaped: "")

  init(_ text: String) {
    markup = Self.escaped(text)
  }

  fileprivate init(unescaped markup: String) {
    self.markup = markup
  }

  /// An element; `nil` content leaves out the end tag.
  init(element name: StaticString, _ attributes: [Attribute], content: HTML?) {
    markup = "<\(name)"
    for attribute in attributes { markup += attribute.markup }
    markup += ">"
    if let content { markup += content.markup + "</\(name)>" }
  }

  /// A script or a style, whose text is no markup.
  static func raw(_ name: StaticString, _ attributes: Attribute..., text: String) -> HTML {
    precondition(!text.utf8.contains("</".utf8), "the text would end the element")
    return HTML(element: name, attributes, content: HTML(unescaped: text))
  }

  static func document(_ root: HTML) -> HTML {
    HTML(unescaped: "<!DOCTYPE html>\n" + root.markup)
  }

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
      // Characters that reverse the direction of the text around them.
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
    HTML(unescaped: pieces.reduce(into: "") { $0 += $1.markup })
  }
}

func tag(
  _ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
) -> HTML {
  HTML(element: name, attributes, content: content())
}

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
  /// The markup with a space in front; empty for an attribute that is left out.
  let markup: String

  private init(_ name: String, _ value: String?) {
    markup = value.map { " " + name + "=\"" + HTML.escaped($0) + "\"" } ?? ""
  }

  private init(markup: String) {
    self.markup = markup
  }

  /// An attribute other than an address; left out if the value is `nil`.
  static func attribute(_ name: StaticString, _ value: String?) -> Attribute {
    Attribute("\(name)", value)
  }

  static func flag(_ name: StaticString, _ isSet: Bool = true) -> Attribute {
    Attribute(markup: isSet ? " \(name)" : "")
  }

  static func href(_ route: Route) -> Attribute { Attribute("href", route.address) }

  /// A link to another site; left out unless it leads to the web or to this server.
  static func href(_ url: URL?) -> Attribute { Attribute("href", address(url)) }

  /// An image; left out unless it comes from the web or from this server.
  static func src(_ url: URL?) -> Attribute { Attribute("src", address(url)) }

  /// An image in the page itself or beside it, by an address without special characters.
  static func embedded(_ name: StaticString, _ address: String) -> Attribute {
    Attribute(markup: " \(name)=\"\(address)\"")
  }

  /// An address on this server.
  static func local(_ name: StaticString, _ path: String) -> Attribute {
    Attribute("\(name)", path.hasPrefix("/") && !path.hasPrefix("//") ? path : nil)
  }

  static func `class`(_ names: String) -> Attribute { Attribute("class", names) }

  static func id(_ id: String) -> Attribute { Attribute("id", id) }

  static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }

  static func data(_ name: StaticString, _ value: String) -> Attribute {
    Attribute("data-\(name)", value)
  }

  static let hiddenFromReaders = Attribute("aria-hidden", "true")

  private static func address(_ url: URL?) -> String? {
    let isLocal = url?.scheme == nil && url?.host == nil && url?.path.hasPrefix("/") == true
    return isLocal || url?.isWebAddress == true ? url?.absoluteString : nil
  }
}
