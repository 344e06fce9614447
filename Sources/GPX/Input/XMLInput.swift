/// The bytes as the XML parser gets them: inflated, and UTF-8 where that is what they claim to be.
///
/// Bytes that are not UTF-8 inside of a file that is are taken as ISO-8859-1, so that one stray
/// 0xA0 in a name does not end a walk. Holds two buffers of 64 KiB.
final class XMLInput {
  /// What the file is.
  let probe: FileProbe
  private let source: any ByteSource
  private let buffer: UnsafeMutableRawBufferPointer
  /// How many bytes the probe has left in `buffer`.
  private var headCount: Int
  /// What ended the probe's reading, to be thrown behind its bytes.
  private var headError: GPXError?
  /// The start of a character whose end has not been read yet.
  private var cut: [UInt8] = []
  /// What to hand out next, of `mended` or of `buffer`.
  private var ready = 0..<0
  private var mended: [UInt8] = []
  private var isMended = false
  private var isSourceAtEnd = false

  /// Reads the first bytes, however slowly they come.
  init(_ raw: any ByteSource) throws(GPXError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    self.buffer = buffer
    do {
      var head = try Head(of: raw, in: buffer)
      if FileProbe.isGzip(head.bytes) {
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

  /// How much of the input has been taken in, 0 ... 1; nil when its length is not known.
  var share: Double? { source.share }

  /// Whether ``refill()`` has to be called before there are bytes to copy.
  var needsRefill: Bool { ready.isEmpty && !isSourceAtEnd }

  /// Whether every byte has been handed out.
  var isExhausted: Bool { ready.isEmpty && isSourceAtEnd }

  /// Hands out bytes; 0 when there are none left.
  func copy(into output: UnsafeMutableRawBufferPointer) -> Int {
    let part = ready.prefix(output.count)
    if isMended {
      output.copyBytes(from: mended[part])
    } else {
      output.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[part]))
    }
    ready = part.upperBound..<ready.upperBound
    return part.count
  }

  /// Takes in the next bytes and returns, for each run of bytes that had to be mended, how many
  /// line feeds lie between the end of what has been copied and the run.
  func refill() throws(GPXError) -> [Int] {
    if headCount > 0 {
      // These are handed out before more is asked for, which may take its time.
      ready = 0..<headCount
      headCount = 0
    } else if let headError {
      throw headError
    } else {
      buffer.copyBytes(from: cut)
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[cut.count...])
      let count = try source.read(into: free)
      isSourceAtEnd = count == 0
      ready = 0..<cut.count + count
      cut = []
    }
    isMended = false
    return probe.isUTF8 ? mend() : []
  }

  private func mend() -> [Int] {
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[ready])
    var runs: [Int] = []
    var done = 0
    var lines = 0
    mended.removeAll(keepingCapacity: true)
    while let fault = UTF8Scan.firstFault(in: bytes, from: done) {
      if fault.isCut, !isSourceAtEnd {
        cut = Array(bytes[fault.range])
        ready = 0..<fault.range.lowerBound
        break
      }
      mended.append(contentsOf: bytes[done..<fault.range.lowerBound])
      lines += bytes[done..<fault.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
      runs.append(lines)
      // The first 256 code points are ISO-8859-1.
      for byte in bytes[fault.range] { mended += [0xC0 | byte >> 6, 0x80 | byte & 0x3F] }
      done = fault.range.upperBound
    }
    guard !runs.isEmpty else { return [] }
    mended.append(contentsOf: bytes[done..<ready.upperBound])
    isMended = true
    ready = 0..<mended.count
    return runs
  }

  /// The first bytes of a source, and the error behind them if there are fewer than the probe
  /// wants.
  private struct Head {
    var bytes: UnsafeRawBufferPointer
    var error: GPXError?

    init(
      of source: any ByteSource, in buffer: UnsafeMutableRawBufferPointer
    ) throws(GPXError) {
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
