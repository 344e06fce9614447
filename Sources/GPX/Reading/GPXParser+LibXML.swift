import CLibXML2

extension GPXParser {
  /// Reads the source to its end, as `reader` says.
  static func run(
    _ reader: GPXReader, _ source: () throws(GPXError) -> any ByteSource,
    _ handler: @escaping (GPXEvent) throws -> Void
  ) throws {
    let input: XMLInput
    do {
      input = try XMLInput(source())
    } catch {
      throw GPXError(error.cause, file: reader.input.name)
    }
    if let kind = input.probe.kind {
      throw GPXError(.notGPX(kind), file: reader.input.name)
    }
    let parser = UnsafeMutablePointer<GPXParser>.allocate(capacity: 1)
    parser.initialize(to: GPXParser(reader, input, handler))
    defer {
      parser.deinitialize(count: 1)
      parser.deallocate()
    }
    // Outside of a document only conversion raises errors.
    let note: xmlStructuredErrorFunc = { data, _ in
      GPX.parser(data)?.pointee.isMisencoded = true
    }
    try LibXMLErrors.redirected(to: note, parser) { try parse(parser) }
  }

  private static func parse(_ parser: UnsafeMutablePointer<GPXParser>) throws {
    var callbacks = xmlSAXHandler.gpx
    guard
      let context = xmlCreateIOParserCtxt(
        &callbacks, parser, readBytes, nil, parser, XML_CHAR_ENCODING_NONE)
    else {
      // The parser fails to start only when there is no memory, or when the first bytes cannot be
      // read; they have been read.
      throw parser.pointee.failure ?? GPXError.outOfMemory
    }
    defer { xmlFreeParserCtxt(context) }
    var options = XML_PARSE_NONET.rawValue
    if parser.pointee.input.probe.isUTF8 { options |= XML_PARSE_IGNORE_ENC.rawValue }
    xmlCtxtUseOptions(context, Int32(bitPattern: UInt32(options)))
    parser.pointee.context = context
    parser.pointee.names = GPXNames(context.pointee.dict)
    xmlParseDocument(context)
    try parser.pointee.finish(context)
  }

  /// Delivers what is left and throws what has gone wrong.
  private mutating func finish(_ context: xmlParserCtxtPtr) throws {
    flush()
    if let failure { throw failure }
    if let inputError, syntaxError == nil || syntaxError?.cause == .truncated {
      throw GPXError(
        inputError.cause, file: reader.input.name, line: syntaxError?.line,
        column: syntaxError?.column)
    }
    if let syntaxError { throw syntaxError }
    guard let position = context.pointee.input,
      position.pointee.cur < position.pointee.end
        || !input.isExhausted
    else { return }
    // The parser takes a NUL for the end of its input.
    fail(.nulBytes)
    if let failure { throw failure }
  }

  /// Notes a fatal error of the XML parser; the first one counts.
  fileprivate mutating func note(_ error: xmlError) {
    guard error.level == XML_ERR_FATAL, syntaxError == nil, failure == nil else { return }
    syntaxError = GPXError(
      cause(of: error), file: reader.input.name, line: Int(error.line), column: Int(error.int2))
  }

  private func cause(of error: xmlError) -> GPXError.Cause {
    guard let position = context?.pointee.input, let next = position.pointee.cur else {
      return .notWellFormed(Self.words(error))
    }
    if next < position.pointee.end {
      return next.pointee == 0 ? .nulBytes : .notWellFormed(Self.words(error))
    }
    // The parser takes bytes that it cannot convert for the end.
    if isMisencoded { return .notWellFormed("bytes that the encoding does not have") }
    let isAtEnd = input.isExhausted || inputError != nil
    return isAtEnd ? .truncated : .notWellFormed(Self.words(error))
  }

  private static func words(_ error: xmlError) -> String {
    guard let message = error.message else { return "error \(error.code)" }
    return PrintableText.string(String(cString: message).utf8, limit: 200)
  }

  /// How many bytes to give the parser at once, at least.
  ///
  /// It looks 250 characters ahead; with fewer before the end of the input it takes the end of what
  /// it was given for the end of a tag. Characters of other encodings have up to four bytes.
  private var lookahead: Int { input.probe.isUTF8 ? 256 : 1_024 }

  /// Gives the parser its next bytes, at least as many as it looks ahead; 0 at the end.
  fileprivate mutating func fill(_ output: UnsafeMutableRawBufferPointer) -> Int {
    isReadingInput = true
    defer { isReadingInput = false }
    var count = 0
    while count < min(lookahead, output.count), failure == nil, inputError == nil {
      if input.needsRefill {
        refill(given: UnsafeRawBufferPointer(rebasing: output[..<count]))
      } else if input.isExhausted {
        break
      }
      count += input.copy(into: UnsafeMutableRawBufferPointer(rebasing: output[count...]))
    }
    if !isWithinMarkup(count) { fail(.markupTooLong) }
    return failure == nil ? count : 0
  }

  /// Takes in more of the input, behind the bytes that are about to be given to the parser.
  private mutating func refill(given bytes: UnsafeRawBufferPointer) {
    // Whoever follows a live source gets the points before it pauses, but for the last few.
    flush()
    guard failure == nil else { return }
    do {
      let runs = try input.refill()
      guard !runs.isEmpty else { return }
      let line = (place?.line ?? 1) + unparsedLines + bytes.count { $0 == 0x0A }
      for lines in runs {
        report(.encoding, .invalidBytes, line: line + lines, isAboutPoint: false)
      }
    } catch {
      // To the parser this is the end; first it gets what has been read.
      inputError = error
    }
  }

  /// Line feeds in what the parser has been given and has not come to.
  private var unparsedLines: Int {
    guard let position = context?.pointee.input?.pointee, let start = position.cur,
      position.end > start
    else { return 0 }
    return UnsafeBufferPointer(start: start, count: position.end - start).count { $0 == 0x0A }
  }

  /// Whether the markup that the parser is collecting may grow by `count` bytes.
  ///
  /// The time that the parser takes for the attributes of one tag grows with their number squared.
  private mutating func isWithinMarkup(_ count: Int) -> Bool {
    if progress != seenProgress || isRootClosed {
      seenProgress = progress
      silentBytes = 0
    }
    silentBytes += count
    return silentBytes <= GPXReader.maximumMarkupLength
  }
}

/// The parser at the address that the C library hands back.
private func parser(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<GPXParser>? {
  data?.assumingMemoryBound(to: GPXParser.self)
}

private func readBytes(
  _ data: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ count: Int32
) -> Int32 {
  guard let parser = parser(data) else { return 0 }
  return Int32(
    parser.pointee.fill(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))))
}

extension xmlSAXHandler {
  /// The callbacks into the ``GPXParser`` whose address is the user data.
  fileprivate static var gpx: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { data, name, _, _, _, _, count, _, attributes in
      parser(data)?.pointee.startElement(name, attributes, Int(count))
    }
    handler.endElementNs = { data, _, _, _ in
      parser(data)?.pointee.endElement()
    }
    handler.characters = { data, text, count in
      parser(data)?.pointee.characters(UnsafeBufferPointer(start: text, count: Int(count)))
    }
    handler.cdataBlock = handler.characters
    // The same function for both: the parser need not find out which white space matters.
    handler.ignorableWhitespace = handler.characters
    handler.comment = { data, _ in
      parser(data)?.pointee.progress &+= 1
    }
    handler.processingInstruction = { data, _, _ in
      parser(data)?.pointee.progress &+= 1
    }
    handler.internalSubset = { data, name, _, _ in
      let root = name.map { String(cString: $0).lowercased() }
      parser(data)?.pointee.fail(root == "html" ? .notGPX(.html) : .documentType)
    }
    handler.serror = { data, error in
      guard let error else { return }
      parser(data)?.pointee.note(error.pointee)
    }
    return handler
  }
}
