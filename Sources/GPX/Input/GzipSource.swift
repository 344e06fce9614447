import CZlib

/// The plain bytes of a gzipped source, of one member or several (RFC 1952).
final class GzipSource: ByteSource {
  private let source: any ByteSource
  private let input: UnsafeMutableRawBufferPointer
  private let stream: UnsafeMutablePointer<z_stream>
  private var isSourceAtEnd = false
  private var isBetweenMembers = false

  /// Creates a source whose compressed bytes are `head` and then those of `source`.
  init(_ source: any ByteSource, head: UnsafeRawBufferPointer) throws(GPXError) {
    self.source = source
    input = .allocate(byteCount: max(1 << 16, head.count), alignment: 16)
    input.copyMemory(from: head)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_in = UInt32(head.count)
    // 15 bits is the largest window, and 16 more ask for the gzip format with its checksum.
    let status = inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    input.deallocate()
  }

  var share: Double? { source.share }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GPXError) -> Int {
    let output = buffer.bindMemory(to: UInt8.self)
    stream.pointee.next_out = output.baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    while true {
      if stream.pointee.avail_in == 0, !isSourceAtEnd { try refill() }
      if isBetweenMembers {
        guard try startsMember() else { return 0 }
      }
      let status = inflate(stream, Z_NO_FLUSH)
      let count = output.count - Int(stream.pointee.avail_out)
      switch status {
      case Z_STREAM_END:
        isBetweenMembers = true
        if count > 0 { return count }
      case Z_OK, Z_BUF_ERROR:
        if count > 0 { return count }
        if stream.pointee.avail_in == 0, isSourceAtEnd { throw GPXError(.truncatedGzip) }
      default:
        throw GPXError(.damagedGzip)
      }
    }
  }

  private func refill() throws(GPXError) {
    let count = try source.read(into: input)
    isSourceAtEnd = count == 0
    stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_in = UInt32(count)
  }

  /// Prepares for another member; false at the end, up to which NUL bytes may pad the last one.
  private func startsMember() throws(GPXError) -> Bool {
    while true {
      while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
        stream.pointee.next_in += 1
        stream.pointee.avail_in -= 1
      }
      if stream.pointee.avail_in > 0 { break }
      if isSourceAtEnd { return false }
      try refill()
    }
    guard inflateReset(stream) == Z_OK else { throw GPXError(.damagedGzip) }
    isBetweenMembers = false
    return true
  }
}
