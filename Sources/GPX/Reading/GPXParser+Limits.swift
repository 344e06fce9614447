import CLibXML2

// The C library reports a tag, comment, processing instruction or CDATA section only when it has
// collected the whole. A tag must be short enough for that; of the others, most is never given to
// the library.
extension GPXParser {
  /// Whether the C library is collecting something longer than its usual buffer.
  var isCollecting: Bool { silentBytes > 16_384 }

  /// Ends the parsing if the C library would need too much memory or time for what it is
  /// collecting, with the `count` bytes that it is about to be given.
  mutating func checkLimits(_ count: Int) {
    silentBytes += count
    if silentBytes > GPXReader.maximumMarkupLength { return fail(.markupTooLong) }
    guard let context = context?.pointee else { return }
    // The library compares the attributes of a tag with each other, and each prefix with the prefixes of
    // all namespaces; and its dictionary of names is not made for an unlimited number of names.
    let limit = GPXReader.maximumNameCount
    if Int(xmlDictSize(context.dict)) > limit || Int(context.maxatts) > 5 * limit
      || Int(context.nsNr) > 2 * GPXReader.maximumNamespaceCount
    {
      fail(.tooManyNames)
    }
  }

  /// Drops the rest of something long that the C library collects although it is not needed, as
  /// soon as no text of the details can need more of it.
  ///
  /// - Returns: the bytes for the library in place of the dropped ones.
  mutating func skipFiller() -> [UInt8] {
    guard silentBytes > GPXReader.maximumTextLength, input.probe.isUTF8, inputError == nil,
      let context
    else { return [] }
    switch context.pointee.instate {
    case XML_PARSER_COMMENT: return skip(to: "--")
    case XML_PARSER_PI: return skip(to: "?>")
    case XML_PARSER_CDATA_SECTION: return skip(to: "]]>")
    default:
      // White space outside of the root element.
      if depth == 0, bytesGiven().allSatisfy(Self.isBlank) { dropInput(while: Self.isBlank) }
      return []
    }
  }

  private mutating func skip(to end: String) -> [UInt8] {
    let pattern = end.utf8.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    let mask = (1 as UInt32) << (8 * end.utf8.count) - 1
    var tail: UInt32 = 0
    func isEnd(_ byte: UInt8) -> Bool {
      tail = tail << 8 | UInt32(byte)
      return tail & mask == pattern
    }
    // The library may have been given the end already; of that, it may have passed two characters.
    if bytesGiven(parsed: 2).contains(where: isEnd) { return [] }
    // The bytes that it was given may break off within a character.
    var replacement: [UInt8] = []
    _ = input.drop { byte in
      guard 0x80..<0xC0 ~= byte else { return false }
      replacement.append(byte)
      return true
    }
    var isComplete = false
    dropInput { byte in
      // The library says what is wrong with a character that no XML may have.
      guard !isComplete, byte >= 0x20 || Self.isBlank(byte) else { return false }
      isComplete = isEnd(byte)
      return true
    }
    // Separated from the bytes before it, the end has the same meaning.
    return replacement + [0x20] + (isComplete ? Array(end.utf8) : [])
  }

  /// Drops bytes of the input, up to its end, as long as `condition` holds.
  private mutating func dropInput(while condition: (UInt8) -> Bool) {
    guard let position = context?.pointee.input else { return }
    repeat {
      if input.needsRefill { refill(given: .init(start: nil, count: 0)) }
      position.pointee.line += Int32(clamping: input.drop(while: condition))
    } while input.needsRefill && !isStopped && inputError == nil
    lineWithoutColumn = Int(position.pointee.line) + unparsedLines
    silentBytes = 0
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
