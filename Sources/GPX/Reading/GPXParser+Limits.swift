import CLibXML2

// The C library reports a tag, comment, processing instruction or CDATA section only when it has
// collected the whole. A tag must be short enough for that; of the others, most is never given to
// the library.
extension GPXParser {
  /// Looks whether the C library has reported anything since it was last given bytes.
  mutating func noteProgress() {
    guard progress != seenProgress else { return }
    seenProgress = progress
    silentBytes = 0
  }

  /// Whether the C library is collecting something longer than its usual buffer.
  var isCollecting: Bool { silentBytes > 16_384 }

  /// Ends the parsing if the C library would need too much memory or time for what it is collecting,
  /// with the `count` bytes that it is about to be given.
  mutating func checkLimits(_ count: Int) {
    silentBytes += count
    if silentBytes > GPXReader.maximumMarkupLength { return fail(.markupTooLong) }
    guard let context = context?.pointee else { return }
    // The library compares the attributes of a tag with each other, and each prefix with those of
    // the namespaces; and its dictionary of all names is not made for any number of them.
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
    guard silentBytes > GPXReader.maximumTextLength, input.probe.isUTF8,
      let context, let position = context.pointee.input
    else { return [] }
    switch context.pointee.instate {
    case XML_PARSER_COMMENT: return skip(to: MarkupEnd("--"), position)
    case XML_PARSER_PI: return skip(to: MarkupEnd("?>"), position)
    case XML_PARSER_CDATA_SECTION: return skip(to: MarkupEnd("]]>"), position)
    case _ where depth == 0:
      if bytesGiven().allSatisfy(Self.isBlank) { skipBlanks(position) }
      return []
    default: return []
    }
  }

  private mutating func skip(to end: MarkupEnd, _ position: xmlParserInputPtr) -> [UInt8] {
    var end = end
    // The library may have been given the end already; of that, it may have passed two characters.
    for byte in bytesGiven(parsed: 2) where end.isComplete(with: byte) { return [] }
    // The bytes that it was given may break off within a character.
    var replacement: [UInt8] = []
    _ = input.drop { byte in
      guard 0x80..<0xC0 ~= byte else { return false }
      replacement.append(byte)
      return true
    }
    defer { lineWithoutColumn = Int(position.pointee.line) + unparsedLines }
    var isEnd = false
    var isAllowed = true
    while !isEnd, isAllowed {
      guard fillInput() else { return replacement }
      let lines = input.drop { byte in
        // The library says what is wrong with a character that no XML may have.
        isAllowed = byte >= 0x20 || Self.isBlank(byte)
        guard isAllowed, !isEnd else { return false }
        isEnd = end.isComplete(with: byte)
        return true
      }
      position.pointee.line += Int32(clamping: lines)
    }
    silentBytes = 0
    // Separated from the bytes before it, the end has the same meaning.
    return replacement + [0x20] + (isEnd ? end.bytes : [])
  }

  /// Drops white space outside of the root element.
  private mutating func skipBlanks(_ position: xmlParserInputPtr) {
    while fillInput() {
      position.pointee.line += Int32(clamping: input.drop(while: Self.isBlank))
      if !input.needsRefill { break }
    }
    lineWithoutColumn = Int(position.pointee.line) + unparsedLines
    silentBytes = 0
  }

  /// Reads more of the input if no bytes are ready, and returns whether some are then.
  private mutating func fillInput() -> Bool {
    while input.needsRefill, !isStopped, inputError == nil {
      refill(given: .init(start: nil, count: 0))
    }
    return !isStopped && inputError == nil && !input.isExhausted
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

/// The characters that end a piece of markup, recognized byte by byte.
private struct MarkupEnd {
  let bytes: [UInt8]
  private var matched = 0

  /// - Parameter text: characters of which only the last may differ from the others.
  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Whether the end is complete with the next byte.
  mutating func isComplete(with byte: UInt8) -> Bool {
    if byte == bytes[matched] {
      matched += 1
    } else if byte != bytes[0] {
      matched = 0
    }
    // Otherwise the byte repeats the first one, as the third `]` of `]]]>` does.
    guard matched == bytes.count else { return false }
    matched = 0
    return true
  }
}
