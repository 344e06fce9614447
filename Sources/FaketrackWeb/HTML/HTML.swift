/// Markup that is safe to send: text and values are escaped where they come in, and nothing else
/// can get in.
struct HTML: Hashable, Sendable {
  /// The markup as it is sent.
  private(set) var markup: String

  /// No markup at all.
  static let none = HTML(unescaped: "")

  /// Text, escaped.
  init(_ text: String) {
    markup = Self.escaped(text)
  }

  private init(unescaped markup: String) {
    self.markup = markup
  }

  /// An element. Its name, and those of its attributes, are literals.
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

  /// Escapes what means something in markup, and drops what may not be in it at all.
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
      // What reverses the direction of the text around it.
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// Puts markup together: strings are text, and escaped.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ text: String) -> HTML { HTML(text) }
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ html: HTML?) -> HTML { html ?? .none }
  static func buildBlock(_ parts: HTML...) -> HTML { buildArray(parts) }
  static func buildOptional(_ html: HTML?) -> HTML { html ?? .none }
  static func buildEither(first html: HTML) -> HTML { html }
  static func buildEither(second html: HTML) -> HTML { html }

  static func buildArray(_ parts: [HTML]) -> HTML {
    var whole = HTML.none
    for part in parts { whole.append(part) }
    return whole
  }
}

/// An element with content.
func tag(
  _ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML
) -> HTML {
  HTML(element: name, attributes, content: content())
}

/// An element of SVG, or of HTML, whose content is a text or nothing.
func tag(_ name: StaticString, _ attributes: Attribute..., text: String = "") -> HTML {
  HTML(element: name, attributes, content: HTML(text))
}

/// An element that never has content, such as `img`.
func emptyTag(_ name: StaticString, _ attributes: Attribute...) -> HTML {
  HTML(element: name, attributes, content: nil)
}
