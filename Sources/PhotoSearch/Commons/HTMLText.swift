/// The text of a piece of HTML, as authors' names come from Commons.
enum HTMLText {
  /// The text that a reader would see, on one line: without tags, comments, styles and hidden
  /// elements, entities decoded, white space run together. Never fails; takes linear time.
  static func plain(_ html: String) -> String {
    var reader = Reader(html)
    return reader.read()
  }

  private struct Reader {
    private var rest: Substring
    private var text = ""
    /// The hidden element that is being passed over and how often it is open in itself.
    private var hidden: (name: String, depth: Int)?

    init(_ html: String) {
      rest = html[...]
    }

    mutating func read() -> String {
      while let character = rest.first {
        if character == "<", let tag = takeTag() {
          handle(tag)
        } else if character == "&", let decoded = takeEntity() {
          append(decoded)
        } else {
          rest.removeFirst()
          append(String(character))
        }
      }
      return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func append(_ piece: String) {
      if hidden == nil { text += piece }
    }

    /// Takes `<…>` or a comment; a `<` that starts no tag is text.
    private mutating func takeTag() -> Substring? {
      if rest.hasPrefix("<!--") {
        let body = rest.dropFirst(4)
        rest = body.firstRange(of: "-->").map { body[$0.upperBound...] } ?? ""
        return ""
      }
      guard let second = rest.dropFirst().first, second.isLetter || second == "/" || second == "!"
      else { return nil }
      var quote: Character?
      for index in rest.indices.dropFirst() {
        let character = rest[index]
        if let open = quote {
          if character == open { quote = nil }
        } else if character == "\"" || character == "'" {
          quote = character
        } else if character == ">" {
          let tag = rest[rest.index(after: rest.startIndex)..<index]
          rest = rest[rest.index(after: index)...]
          return tag
        }
      }
      rest = ""
      return ""
    }

    private mutating func handle(_ tag: Substring) {
      let isClosing = tag.hasPrefix("/")
      let name = tag.dropFirst(isClosing ? 1 : 0).prefix { $0.isLetter || $0.isNumber }
        .lowercased()
      if let (hiddenName, depth) = hidden {
        guard name == hiddenName else { return }
        let now = depth + (isClosing ? -1 : 1)
        hidden = now == 0 ? nil : (hiddenName, now)
        return
      }
      if HTMLText.breaking.contains(name) { text += " " }
      guard !isClosing, !tag.hasSuffix("/"), !HTMLText.empty.contains(name) else { return }
      let attributes = tag.lowercased().filter { !$0.isWhitespace }
      if name == "style" || name == "script" || attributes.contains("display:none") {
        hidden = (name, 1)
      }
    }

    private mutating func takeEntity() -> String? {
      let body = rest.dropFirst().prefix(12)
      guard let end = body.firstIndex(of: ";") else { return nil }
      guard let decoded = HTMLText.decode(entity: body[..<end]) else { return nil }
      rest = rest[rest.index(after: end)...]
      return decoded
    }
  }

  private static let breaking: Set<String> = ["br", "p", "div", "li", "ul", "tr", "td", "th"]
  private static let empty: Set<String> = ["br", "hr", "img", "input", "link", "meta", "wbr"]

  /// The character of an entity named between `&` and `;`, or `nil` for one not known here.
  private static func decode(entity: Substring) -> String? {
    guard entity.hasPrefix("#") else { return named[String(entity)] }
    let digits = entity.dropFirst()
    let isHex = digits.hasPrefix("x") || digits.hasPrefix("X")
    guard let value = UInt32(digits.dropFirst(isHex ? 1 : 0), radix: isHex ? 16 : 10),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return String(Character(scalar))
  }

  /// The entities that editors type; the service itself sends the others as numbers.
  private static let named: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©",
    "reg": "®", "ndash": "–", "mdash": "—", "hellip": "…", "middot": "·", "bull": "•",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
    "thinsp": " ", "ensp": " ", "emsp": " ", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä",
    "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "agrave": "à", "aacute": "á", "acirc": "â",
    "atilde": "ã", "aring": "å", "aelig": "æ", "ccedil": "ç", "egrave": "è", "eacute": "é",
    "ecirc": "ê", "euml": "ë", "igrave": "ì", "iacute": "í", "icirc": "î", "iuml": "ï",
    "ntilde": "ñ", "ograve": "ò", "oacute": "ó", "ocirc": "ô", "otilde": "õ", "oslash": "ø",
    "ugrave": "ù", "uacute": "ú", "ucirc": "û", "yacute": "ý", "yuml": "ÿ", "Eacute": "É",
    "Aring": "Å", "AElig": "Æ", "Ccedil": "Ç", "Oslash": "Ø", "Ntilde": "Ñ",
  ]
}
