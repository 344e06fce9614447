#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Facts about JSON text that hold for every reader of it.
package enum JSONText {
  /// How deep arrays and objects may be nested, as with Foundation's own decoder.
  package static let maximumDepth = 512
}

/// A body from which no JSON value could be read, in a few words.
///
/// Nothing of the body is repeated: it may hold anything, a key included.
struct UnusableBody: CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - response: the response that the body came with.
  ///   - error: what the decoder threw.
  init(_ response: HTTPResponse, _ error: any Error) {
    var body = response.body[...]
    if body.starts(with: [0xEF, 0xBB, 0xBF]) { body = body.dropFirst(3) }
    body = body.drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    description =
      switch (body.first, error) {
      case (nil, _): "the answer is empty"
      case (_, DecodingError.typeMismatch), (_, DecodingError.keyNotFound),
        (_, DecodingError.valueNotFound):
        "unexpected JSON"
      case (UInt8(ascii: "<"), _):
        Markup(body, type: response.header("Content-Type")).isHTML
          ? "HTML instead of JSON" : "XML instead of JSON"
      case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _), (UInt8(ascii: "\""), _):
        Self.fault(ofJSON: body)
      default:
        body.prefix(1024).contains(where: Self.isBinary)
          ? "binary data instead of JSON" : "plain text instead of JSON"
      }
  }

  private static func fault(ofJSON text: Data) -> String {
    let brackets = Brackets(text)
    if brackets.isTooDeep { return "the JSON is nested too deeply" }
    return brackets.areOpen ? "the JSON is cut off" : "malformed JSON"
  }

  /// Whether a byte is a control character that no text has.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte < 0x20 && !(0x09...0x0D).contains(byte)
  }
}

/// How the brackets of JSON text match, whatever else is wrong with it.
private struct Brackets {
  /// Whether the text ends within an array, an object or a string.
  let areOpen: Bool
  /// Whether they are nested more deeply than a reader accepts.
  let isTooDeep: Bool

  init(_ text: Data) {
    var (depth, deepest) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in text {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    areOpen = isInString || depth > 0
    isTooDeep = deepest > JSONText.maximumDepth
  }
}

/// The beginning of a text that begins with a tag.
private struct Markup {
  private let start: String
  private let type: String

  init(_ text: Data, type: String?) {
    start = String(decoding: text.prefix(1024), as: UTF8.self).lowercased()
    self.type = type?.lowercased() ?? ""
  }

  /// Whether it is HTML rather than XML; an XML declaration comes before XHTML as well.
  var isHTML: Bool {
    if start.contains("<html") || start.hasPrefix("<!doctype html") { return true }
    if start.hasPrefix("<?xml") || type.contains("xml") { return false }
    let firstTag = String(start.dropFirst().prefix { $0.isLetter || $0.isNumber })
    return type.contains("html") || start.hasPrefix("<!--") || Self.tags.contains(firstTag)
  }

  /// The tags with which error pages without an `<html>` tag have been seen to begin.
  private static let tags: Set<String> = [
    "head", "title", "meta", "body", "h1", "h2", "h3", "p", "div", "center", "pre", "script",
    "style", "table", "b", "br", "a", "span",
  ]
}
