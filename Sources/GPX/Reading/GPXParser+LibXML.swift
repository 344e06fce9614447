import CLibXML2
import FaketrackSupport

extension GPXParser {
  /// Reads the source, and returns the error of the handler; nil if the source was read to its end.
  static func run(
    _ reader: GPXReader, _ source: () throws(GPXError.Cause) -> any ByteSource,
    _ handler: @escaping (GPXEvent) throws -> Void
  ) throws(GPXError) -> (any Error)? {
    let input: XMLInput
    do {
      input = try XMLInput(source())
    } catch {
      throw GPXError(error, in: reader.input)
    }
    if let kind = input.probe.kind {
      throw GPXError(input.notGPX(kind), in: reader.input)
    }
    let parser = UnsafeMutablePointer<GPXParser>.allocate(capacity: 1)
    parser.initialize(to: GPXParser(reader, input, handler))
    defer {
      parser.deinitialize(count: 1)
      parser.deallocate()
    }
    initializeLibrary
    // By default the library prints errors of conversion. The setting belongs to the thread.
    let function = __xmlStructuredError().pointee
    let context = __xmlStructuredErrorContext().pointee
    xmlSetStructuredErrorFunc(parser) { data, _ in
      GPX.parser(data)?.pointee.isMisencoded = true
    }
    parse(parser)
    xmlSetStructuredErrorFunc(context, function)
    if let failure = parser.pointee.failure { throw failure }
    return parser.pointee.handlerError
  }

  private static func parse(_ parser: UnsafeMutablePointer<GPXParser>) {
    var callbacks = xmlSAXHandler.gpx
    guard
      let context = xmlCreateIOParserCtxt(
        &callbacks, parser, readBytes, nil, parser, XML_CHAR_ENCODING_NONE)
    else {
      // This fails only without memory or without first bytes, and those have been read.
      parser.pointee.fail(.outOfMemory)
      return
    }
    defer { xmlFreeParserCtxt(context) }
    var options = XML_PARSE_NONET.rawValue
    if parser.pointee.input.probe.isUTF8 { options |= XML_PARSE_IGNORE_ENC.rawValue }
    xmlCtxtUseOptions(context, Int32(bitPattern: UInt32(options)))
    parser.pointee.context = context
    parser.pointee.names = GPXNames(context.pointee.dict)
    parser.pointee.passLeadingSpace(context)
    xmlParseDocument(context)
    parser.pointee.finish(context)
    parser.pointee.context = nil
  }

  /// Counts the lines and columns before the XML declaration, which the C library does not see.
  private mutating func passLeadingSpace(_ context: xmlParserCtxtPtr) {
    guard let position = context.pointee.input, !input.leadingSpace.isEmpty else { return }
    let lines = input.leadingSpace.split(separator: 0x0A, omittingEmptySubsequences: false)
    position.pointee.line = Int32(lines.count)
    position.pointee.col = 1 + Int32(lines.last?.count ?? 0)
    report(.encoding, .leadingSpace)
  }

  /// An entity of HTML, valid until the next call; nil for any other name.
  fileprivate mutating func entity(_ name: Name) -> xmlEntityPtr? {
    guard let context, let character = XMLText.character(ofEntity: name) else { return nil }
    Array("&\(name.text);".utf8).withUnsafeBufferPointer {
      report(.encoding, .htmlEntity, text: $0)
    }
    entity.pointer.pointee.name = name
    // The dictionary holds the text as long as the parser.
    entity.pointer.pointee.content = UnsafeMutablePointer(
      mutating: xmlDictLookup(context.pointee.dict, String(character), -1))
    // In an attribute the library would take only the first byte of a predefined entity; that it
    // leaves references to others as they are suits `XMLText.resolved`.
    let isInAttribute = context.pointee.instate == XML_PARSER_ATTRIBUTE_VALUE
    entity.pointer.pointee.etype =
      isInAttribute ? XML_INTERNAL_GENERAL_ENTITY : XML_INTERNAL_PREDEFINED_ENTITY
    return entity.pointer
  }

  private static let initializeLibrary: Void = xmlInitParser()

  private mutating func finish(_ context: xmlParserCtxtPtr) {
    finishPendingDetails()
    flush()
    guard !isStopped else { return }
    if let inputError, syntaxError == nil || syntaxError?.cause == .truncated {
      fail(inputError, line: syntaxError?.line, column: syntaxError?.column)
    } else if let syntaxError {
      fail(syntaxError.cause, line: syntaxError.line, column: syntaxError.column)
    } else if let position = context.pointee.input,
      position.pointee.cur < position.pointee.end || !input.isExhausted
    {
      // The C library takes a NUL for the end of its input.
      fail(.nulBytes)
    }
  }

  fileprivate mutating func note(_ error: xmlError) {
    guard error.level == XML_ERR_FATAL, syntaxError == nil, !isStopped else { return }
    let line = Int(error.line)
    let column = line == lineWithoutColumn ? nil : Int(error.int2)
    syntaxError = (cause(of: error), line, column)
  }

  private func cause(of error: xmlError) -> GPXError.Cause {
    let message = error.message.map { String(cString: $0).shortLine(limit: 200) }
    let syntax = GPXError.Cause.notWellFormed(message ?? "error \(error.code)")
    guard let position = context?.pointee.input, let next = position.pointee.cur else {
      return syntax
    }
    let rest = UnsafeBufferPointer(start: next, count: max(0, position.pointee.end - next))
    if rest.first == 0 { return .nulBytes }
    // The C library takes bytes that it cannot convert for the end.
    if rest.isEmpty, isMisencoded { return .notWellFormed("bytes that the encoding does not have") }
    let isAtEnd = input.isExhausted || inputError != nil
    // Of markup that was cut off, as in `<![CDA`, some bytes may be left; but none that ends it.
    let isCutOff = rest.isEmpty || !isRootClosed && !rest.contains(UInt8(ascii: ">"))
    return isAtEnd && isCutOff ? .truncated : syntax
  }

  /// The smallest number of bytes to give the C library in one piece.
  ///
  /// It looks 250 characters ahead, and with fewer before the end of the input it takes the end of
  /// its buffer for the end of a tag. In other encodings a character has up to four bytes.
  private var lookahead: Int { input.probe.isUTF8 ? 250 : 1_000 }

  /// Gives the C library its next bytes, at least as many as it looks ahead; 0 at the end.
  fileprivate mutating func fill(_ output: UnsafeMutableRawBufferPointer) -> Int {
    // After an error the library would read on to the end, and report nothing.
    guard syntaxError == nil else { return 0 }
    let replacement = skipFiller()
    output.copyBytes(from: replacement)
    var count = replacement.count
    // After a long tag, the library makes room in its buffer only if few bytes are left in it.
    let output = isCollecting ? .init(rebasing: output.prefix(lookahead)) : output
    while count < min(lookahead, output.count), !isStopped, inputError == nil {
      if input.needsRefill {
        refill(given: UnsafeRawBufferPointer(rebasing: output[..<count]))
      } else if input.isExhausted {
        break
      }
      count += input.copy(into: UnsafeMutableRawBufferPointer(rebasing: output[count...]))
    }
    checkLimits(count)
    return isStopped ? 0 : count
  }

  /// Reads more of the input, which follows the bytes that are about to be given to the C library.
  mutating func refill(given bytes: UnsafeRawBufferPointer) {
    // The points of a live source are delivered before it pauses, except for the last few.
    flush()
    guard !isStopped else { return }
    do {
      let runs = try input.refill()
      guard !runs.isEmpty else { return }
      let line = (place?.line ?? 1) + unparsedLines + bytes.count { $0 == 0x0A }
      for lines in runs {
        report(.encoding, .invalidBytes, line: line + lines)
      }
    } catch {
      // The C library first gets what has been read, and then sees the end.
      inputError = error
    }
  }

  /// The line feeds in the bytes that the C library has been given but not parsed.
  var unparsedLines: Int {
    bytesGiven().count { $0 == 0x0A }
  }

  /// The bytes that the C library has been given but not parsed, and as many as `parsed` of those
  /// before them. While it waits for bytes, its pointers into its buffer are those into an old one.
  func bytesGiven(parsed: Int = 0) -> UnsafeBufferPointer<UInt8> {
    guard let position = context?.pointee.input?.pointee, let next = position.cur,
      let base = position.base, let buffer = position.buf?.pointee.buffer,
      let content = xmlBufContent(buffer)
    else { return UnsafeBufferPointer(start: nil, count: 0) }
    let start = max(0, next - base - parsed)
    return UnsafeBufferPointer(start: content + start, count: max(0, xmlBufUse(buffer) - start))
  }
}

private func parser(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<GPXParser>? {
  data?.assumingMemoryBound(to: GPXParser.self)
}

/// Gives the parser what the C library reports, and stops the library if the parser has stopped:
/// only afterwards, because that frees the buffer which the reported text is in.
@inline(__always)
private func withParser(
  _ data: UnsafeMutableRawPointer?, _ body: (inout GPXParser) -> Void
) {
  guard let parser = parser(data) else { return }
  if !parser.pointee.isStopped { body(&parser.pointee) }
  if parser.pointee.isStopped { xmlStopParser(parser.pointee.context) }
}

private func readBytes(
  _ data: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ count: Int32
) -> Int32 {
  guard let parser = parser(data) else { return 0 }
  return Int32(
    parser.pointee.fill(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))))
}

extension xmlSAXHandler {
  fileprivate static var gpx: xmlSAXHandler {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = {
      data, name, prefix, namespace, declarationCount, declarations, count, _, attributes in
      withParser(data) {
        $0.startElement(
          name,
          GPXParser.Tag(
            name: name, prefix: prefix, namespace: namespace, declarations: declarations,
            declarationCount: Int(declarationCount), attributes: attributes,
            attributeCount: Int(count)))
      }
    }
    handler.endElementNs = { data, _, _, _ in
      withParser(data) { $0.endElement() }
    }
    handler.characters = { data, text, count in
      parser(data)?.pointee.characters(text, count)
    }
    handler.cdataBlock = handler.characters
    // With one function for both, the C library need not find out which white space matters.
    handler.ignorableWhitespace = handler.characters
    handler.comment = { data, _ in parser(data)?.pointee.silentBytes = 0 }
    handler.processingInstruction = { data, _, _ in parser(data)?.pointee.silentBytes = 0 }
    handler.getEntity = { data, name in
      var entity: xmlEntityPtr?
      withParser(data) { parser in entity = name.flatMap { parser.entity($0) } }
      return entity
    }
    handler.internalSubset = { data, name, _, _ in
      let isPage = name.map { String(cString: $0).lowercased() } == "html"
      withParser(data) { parser in
        parser.fail(isPage ? parser.input.notGPX(.html) : .documentType)
      }
    }
    handler.serror = { data, error in
      guard let error else { return }
      parser(data)?.pointee.note(error.pointee)
    }
    return handler
  }
}
