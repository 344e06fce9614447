/// The bytes as the XML parser gets them: decompressed, and valid UTF-8 if they claim to be UTF-8.
///
/// In a UTF-8 file, bytes that are not valid UTF-8 are read as ISO-8859-1, so that one stray 0xA0
/// in a name does not make the rest of the file unreadable.
final class XMLInput {
  /// The number of bytes that are read at once.
  private static let size = 1 << 16

  /// The kind and encoding of the file.
  let probe: FileProbe
  /// The text of the white space that was left out before the XML declaration.
  let leadingSpace: [UInt8]
  private let isGzipped: Bool
  private let source: any ByteSource
  /// Room for as many bytes, each of which may become two.
  private let buffer: UnsafeMutableRawBufferPointer
  /// The number of bytes in `buffer` that were read for the probe and have not been handed out.
  private var headCount: Int
  /// The error that ended the reading of the first bytes; it is thrown after they were handed out.
  private var headError: GPXError.Cause?
  /// The start of a character whose remaining bytes have not been read yet.
  private var partialCharacter: [UInt8] = []
  /// The range in `buffer` of the bytes to hand out next.
  private var ready = 0..<0
  private var isSourceAtEnd = false

  init(_ raw: any ByteSource) throws(GPXError.Cause) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Self.size, alignment: 16)
    self.buffer = buffer
    do {
      var head = try Self.readHead(of: raw, into: buffer)
      isGzipped = FileProbe.isGzip(head.bytes)
      if isGzipped {
        source = try GzipSource(raw, head: head.bytes)
        head = try Self.readHead(of: source, into: buffer)
      } else {
        source = raw
      }
      probe = FileProbe(head.bytes)
      headCount = head.bytes.count
      leadingSpace = Array(head.bytes[probe.leadingSpace])
      if !leadingSpace.isEmpty {
        let rest = UnsafeRawBufferPointer(rebasing: head.bytes[probe.leadingSpace.upperBound...])
        buffer.copyMemory(from: rest)
        headCount = rest.count
      }
      headError = head.error
    } catch {
      buffer.deallocate()
      throw error
    }
  }

  deinit {
    buffer.deallocate()
  }

  func notGPX(_ kind: GPXFileKind) -> GPXError.Cause {
    .notGPX(isGzipped ? .gzip(of: kind) : kind)
  }

  /// The fraction of the input that has been read, 0 ... 1; nil if its length is unknown.
  var fraction: Double? { source.fraction(without: 0) }

  /// Whether ``refill()`` must be called before more bytes can be copied.
  var needsRefill: Bool { ready.isEmpty && !isSourceAtEnd }

  var isExhausted: Bool { ready.isEmpty && isSourceAtEnd }

  /// Hands out bytes and returns how many; 0 if none are ready.
  func copy(into output: UnsafeMutableRawBufferPointer) -> Int {
    let part = ready.prefix(output.count)
    output.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[part]))
    ready = part.upperBound..<ready.upperBound
    return part.count
  }

  /// Drops ready bytes as long as `condition` holds, and returns the number of line feeds in them.
  func drop(while condition: (UInt8) -> Bool) -> Int {
    let dropped = buffer[ready].prefix(while: condition)
    ready = dropped.endIndex..<ready.upperBound
    return dropped.count { $0 == UInt8(ascii: "\n") }
  }

  /// Reads the next bytes and returns the number of line feeds before each run that was not UTF-8.
  func refill() throws(GPXError.Cause) -> [Int] {
    if headCount > 0 {
      // The bytes of the head come first: asking a live source for more bytes may block.
      ready = 0..<headCount
      headCount = 0
    } else if let headError {
      throw headError
    } else {
      buffer.copyBytes(from: partialCharacter)
      let free = buffer[partialCharacter.count..<Self.size]
      let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: free))
      isSourceAtEnd = count == 0
      ready = 0..<partialCharacter.count + count
      partialCharacter = []
    }
    return probe.isUTF8 ? repair() : []
  }

  /// Replaces bytes that are not UTF-8.
  private func repair() -> [Int] {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[ready])
    var repaired: [UInt8] = []
    var runs: [Int] = []
    var done = 0
    var lines = 0
    while let fault = UTF8Scan.firstFault(in: bytes, from: done) {
      if fault.isPartial, !isSourceAtEnd {
        partialCharacter = Array(bytes[fault.range])
        ready = 0..<fault.range.lowerBound
        break
      }
      repaired.append(contentsOf: bytes[done..<fault.range.lowerBound])
      lines += bytes[done..<fault.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
      runs.append(lines)
      // The first 256 code points are ISO-8859-1.
      for byte in bytes[fault.range] { repaired += [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
      done = fault.range.upperBound
    }
    guard !runs.isEmpty else { return [] }
    repaired.append(contentsOf: bytes[done..<ready.upperBound])
    buffer.copyBytes(from: repaired)
    ready = 0..<repaired.count
    return runs
  }

  /// Reads the bytes for the probe, or fewer and the error that followed them.
  private static func readHead(
    of source: any ByteSource, into buffer: UnsafeMutableRawBufferPointer
  ) throws(GPXError.Cause) -> (bytes: UnsafeRawBufferPointer, error: GPXError.Cause?) {
    var count = 0
    var failure: GPXError.Cause?
    do {
      while count < FileProbe.length {
        let more = try source.read(into: .init(rebasing: buffer[count..<size]))
        if more == 0 { break }
        count += more
      }
    } catch {
      guard count > 0 else { throw error }
      failure = error
    }
    return (UnsafeRawBufferPointer(rebasing: buffer[..<count]), failure)
  }
}

/// Finds bytes that are not UTF-8 (RFC 3629).
enum UTF8Scan {
  struct Fault {
    var range: Range<Int>
    /// Whether the bytes may be the start of a character that continues after the buffer.
    var isPartial: Bool
  }

  /// The first fault at or after `start`, nil if the rest of the bytes are UTF-8.
  static func firstFault(in bytes: UnsafeRawBufferPointer, from start: Int) -> Fault? {
    guard let base = bytes.baseAddress else { return nil }
    var index = start
    while true {
      // Nearly everything is ASCII: checking 64 bytes in one step costs less than copying them.
      while index + 64 <= bytes.count, isASCII(base + index) { index += 64 }
      guard index < bytes.count else { return nil }
      switch sequence(in: bytes, at: index) {
      case .character(let length): index += length
      case .partial: return Fault(range: index..<bytes.count, isPartial: true)
      case .invalid:
        var end = index + 1
        while end < bytes.count, bytes[end] >= 0x80, case .invalid = sequence(in: bytes, at: end) {
          end += 1
        }
        return Fault(range: index..<end, isPartial: false)
      }
    }
  }

  @inline(__always)
  private static func isASCII(_ bytes: UnsafeRawPointer) -> Bool {
    func word(_ number: Int) -> UInt64 {
      bytes.loadUnaligned(fromByteOffset: 8 * number, as: UInt64.self)
    }
    let first = word(0) | word(1) | word(2) | word(3)
    let second = word(4) | word(5) | word(6) | word(7)
    return (first | second) & 0x8080_8080_8080_8080 == 0
  }

  private enum Sequence {
    case character(length: Int)
    case partial
    case invalid
  }

  private static func sequence(in bytes: UnsafeRawBufferPointer, at index: Int) -> Sequence {
    if bytes[index] < 0x80 { return .character(length: 1) }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes[index...].makeIterator()
    switch parser.parseScalar(from: &rest) {
    case .valid(let character): return .character(length: character.count)
    case .error(let length):
      // The first byte of a character tells its length.
      let isStart = 0xC2...0xF4 ~= bytes[index] && length < (~bytes[index]).leadingZeroBitCount
      return isStart && index + length == bytes.count ? .partial : .invalid
    case .emptyInput: return .partial
    }
  }
}
