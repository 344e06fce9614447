/// The bytes as the XML parser gets them: decompressed, and valid UTF-8 if they claim to be UTF-8.
///
/// In a UTF-8 file, bytes that are not valid UTF-8 are read as ISO-8859-1, so that one stray 0xA0
/// in a name does not make the rest of the file unreadable. Holds two buffers of 64 KiB.
final class XMLInput {
  /// The kind and encoding of the file.
  let probe: FileProbe
  /// Whether it is compressed.
  let isGzipped: Bool
  private let source: any ByteSource
  private let buffer: UnsafeMutableRawBufferPointer
  /// The number of bytes in `buffer` that were read for the probe and have not been handed out.
  private var headCount: Int
  /// The error that ended the reading of the first bytes; it is thrown after they were handed out.
  private var headError: GPXError.Cause?
  /// The start of a character whose remaining bytes have not been read yet.
  private var partialCharacter: [UInt8] = []
  /// The bytes to hand out next: a range of `repaired` if `isRepaired`, else of `buffer`.
  private var ready = 0..<0
  private var repaired: [UInt8] = []
  private var isRepaired = false
  private var isSourceAtEnd = false

  /// Reads the first bytes, however slowly they come.
  init(_ raw: any ByteSource) throws(GPXError.Cause) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    self.buffer = buffer
    do {
      var head = try Head(of: raw, in: buffer)
      isGzipped = FileProbe.isGzip(head.bytes)
      if isGzipped {
        source = try GzipSource(raw, head: head.bytes)
        head = try Head(of: source, in: buffer)
      } else {
        source = raw
      }
      probe = FileProbe(head.bytes)
      headCount = head.bytes.count
      headError = head.error
    } catch {
      buffer.deallocate()
      throw error
    }
  }

  deinit {
    buffer.deallocate()
  }

  /// The fraction of the input that has been read, 0 ... 1; nil if its length is unknown.
  var fraction: Double? { source.fraction(without: 0) }

  /// Whether ``refill()`` must be called before more bytes can be copied.
  var needsRefill: Bool { ready.isEmpty && !isSourceAtEnd }

  /// Whether every byte has been handed out.
  var isExhausted: Bool { ready.isEmpty && isSourceAtEnd }

  /// Hands out bytes and returns how many; 0 if none are ready.
  func copy(into output: UnsafeMutableRawBufferPointer) -> Int {
    let part = ready.prefix(output.count)
    if isRepaired {
      output.copyBytes(from: repaired[part])
    } else {
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[part]))
    }
    ready = part.upperBound..<ready.upperBound
    return part.count
  }

  /// Drops ready bytes as long as `condition` holds, and returns the number of line feeds in them.
  func drop(while condition: (UInt8) -> Bool) -> Int {
    var lines = 0
    var index = ready.lowerBound
    while index < ready.upperBound {
      let byte = isRepaired ? repaired[index] : buffer[index]
      guard condition(byte) else { break }
      if byte == UInt8(ascii: "\n") { lines += 1 }
      index += 1
    }
    ready = index..<ready.upperBound
    return lines
  }

  /// Reads the next bytes and returns, for each run of bytes that was not UTF-8, the number of line
  /// feeds before it in the bytes that are now ready.
  func refill() throws(GPXError.Cause) -> [Int] {
    if headCount > 0 {
      // These come first: asking a live source for more may block.
      ready = 0..<headCount
      headCount = 0
    } else if let headError {
      throw headError
    } else {
      buffer.copyBytes(from: partialCharacter)
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[partialCharacter.count...])
      let count = try source.read(into: free)
      isSourceAtEnd = count == 0
      ready = 0..<partialCharacter.count + count
      partialCharacter = []
    }
    isRepaired = false
    return probe.isUTF8 ? repair() : []
  }

  /// Replaces bytes that are not UTF-8, and returns the line feeds before each run of them.
  private func repair() -> [Int] {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[ready])
    var runs: [Int] = []
    var done = 0
    var lines = 0
    repaired.removeAll(keepingCapacity: true)
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
    isRepaired = true
    ready = 0..<repaired.count
    return runs
  }

  /// The first bytes of a source, and the error that kept them shorter than the probe wants.
  private struct Head {
    var bytes: UnsafeRawBufferPointer
    var error: GPXError.Cause?

    init(
      of source: any ByteSource, in buffer: UnsafeMutableRawBufferPointer
    ) throws(GPXError.Cause) {
      var count = 0
      do {
        while count < FileProbe.length {
          let free = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
          let more = try source.read(into: free)
          if more == 0 { break }
          count += more
        }
      } catch {
        guard count > 0 else { throw error }
        self.error = error
      }
      bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
  }
}

/// Finds bytes that are not UTF-8 (RFC 3629).
enum UTF8Scan {
  /// A run of bytes that are not UTF-8.
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

  /// Whether the next 64 bytes are ASCII.
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
    let length: Int
    // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
    let second: ClosedRange<UInt8>
    switch bytes[index] {
    case 0..<0x80: return .character(length: 1)
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return .invalid
    }
    for offset in 1..<length {
      guard index + offset < bytes.count else { return .partial }
      let allowed = offset == 1 ? second : 0x80...0xBF
      guard allowed.contains(bytes[index + offset]) else { return .invalid }
    }
    return .character(length: length)
  }
}
