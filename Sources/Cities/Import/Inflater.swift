import CZlib

/// Decompresses gzip data that comes in pieces.
final class Inflater {
  private var stream = z_stream()
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
  /// Whether the last member of the data has ended as it should.
  private(set) var isComplete = false

  init() throws(CitiesError) {
    // 15 bits of window, and 16 for the gzip format.
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      output.deallocate()
      throw .malformedInput(reason: "the decompressor did not start")
    }
  }

  deinit {
    inflateEnd(&stream)
    output.deallocate()
  }

  /// Passes on what some compressed bytes hold.
  ///
  /// - Throws: ``CitiesError/malformedInput(reason:)``, or what `body` throws.
  func inflate(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(CitiesError) -> Void
  ) throws(CitiesError) {
    // zlib reads through this pointer and never writes.
    stream.next_in = UnsafeMutablePointer(
      mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.avail_in = UInt32(bytes.count)
    repeat {
      if isComplete {
        // Another member may follow.
        guard stream.avail_in > 0 else { return }
        inflateReset(&stream)
        isComplete = false
      }
      stream.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
      stream.avail_out = UInt32(output.count)
      let status = CZlib.inflate(&stream, Z_NO_FLUSH)
      let count = output.count - Int(stream.avail_out)
      try body(UnsafeRawBufferPointer(rebasing: output[..<count]))
      switch status {
      case Z_STREAM_END: isComplete = true
      case Z_OK: break
      case Z_BUF_ERROR: return
      default:
        let words = stream.msg.map { String(cString: $0) } ?? "zlib error \(status)"
        throw .malformedInput(reason: words)
      }
    } while stream.avail_in > 0 || stream.avail_out == 0
  }
}
