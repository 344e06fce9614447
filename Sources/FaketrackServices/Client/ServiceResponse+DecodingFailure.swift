import Foundation

extension ServiceResponse {
  /// Whether the body begins with a tag, as a web page does.
  package var isMarkup: Bool { firstCharacters.first == UInt8(ascii: "<") }

  /// The body without a byte order mark and white space at its beginning.
  private var firstCharacters: Data {
    let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
    return text.drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
  }

  /// Returns a short description of a body that is not the expected JSON.
  ///
  /// It quotes nothing from the body, which may contain a key.
  func decodingFailure(_ error: any Error) -> String {
    let text = firstCharacters
    switch (text.first, error) {
    case (nil, _): return "the answer is empty"
    case (_, DecodingError.typeMismatch), (_, DecodingError.keyNotFound),
      (_, DecodingError.valueNotFound):
      return "unexpected JSON"
    case (UInt8(ascii: "<"), _):
      return isHTML(text) ? "HTML instead of JSON" : "XML instead of JSON"
    case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _), (UInt8(ascii: "\""), _):
      return Self.syntaxError(in: text)
    default:
      let isBinary = text.prefix(1024).contains { $0 < 0x20 && !(0x09...0x0D).contains($0) }
      return isBinary ? "binary data instead of JSON" : "plain text instead of JSON"
    }
  }

  private static func syntaxError(in json: Data) -> String {
    var (depth, maximumDepth) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in json {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: isEscaped = byte == UInt8(ascii: "\\")
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        maximumDepth = max(maximumDepth, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    // The limit of Foundation's decoder.
    if maximumDepth > 512 { return "the JSON is nested too deeply" }
    return isInString || depth > 0 ? "the JSON is cut off" : "malformed JSON"
  }

  /// Whether text that begins with a tag is HTML rather than XML. XHTML may begin with an XML declaration.
  private func isHTML(_ text: Data) -> Bool {
    let start = String(decoding: text.prefix(1024), as: UTF8.self).lowercased()
    let type = header("Content-Type")?.lowercased() ?? ""
    if start.contains("<html") || start.hasPrefix("<!doctype html") { return true }
    if start.hasPrefix("<?xml") || type.contains("xml") { return false }
    // Error pages without an <html> tag begin with one of these.
    let tags: Set = [
      "head", "title", "meta", "body", "h1", "h2", "h3", "p", "div", "center", "pre", "script",
      "style", "table", "b", "br", "a", "span",
    ]
    let firstTag = String(start.dropFirst().prefix { $0.isLetter || $0.isNumber })
    return type.contains("html") || start.hasPrefix("<!--") || tags.contains(firstTag)
  }
}
