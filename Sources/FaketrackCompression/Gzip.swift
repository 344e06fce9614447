import CZlib

/// The gzip format of RFC 1952.
package enum Gzip {
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    let status = deflateInit2_(
      &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    guard status == Z_OK else { return [] }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 64)
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        deflate(&stream, Z_FINISH)
        return output.count - Int(stream.avail_out)
      }
    }
    return Array(output.prefix(count))
  }

  /// Whether a gzip file has at most `limit` bytes of content, as far as it can be decompressed.
  package static func fits(_ bytes: [UInt8], within limit: Int) -> Bool {
    guard let decoder = try? GzipDecoder() else { return false }
    var size = 0
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      bytes.withUnsafeBytes { input in
        decoder.setInput(input)
        while size <= limit {
          guard let count = try? decoder.decode(into: buffer), count > 0 else { return true }
          size += count
        }
        return false
      }
    }
  }

  /// Returns the CRC-32 checksum of bytes. To continue, pass the checksum of the previous bytes as `start`.
  package static func checksum(_ bytes: [UInt8], from start: UInt32 = 0) -> UInt32 {
    // zlib starts over where there are no bytes.
    guard !bytes.isEmpty else { return start }
    return bytes.withUnsafeBufferPointer { bytes in
      UInt32(crc32_z(UInt(start), bytes.baseAddress, bytes.count))
    }
  }
}

/// A streaming decompressor of gzip members, padded by zero bytes. Pass each piece to
/// ``setInput(_:)``, then call ``decode(into:)`` until it returns 0.
package final class GzipDecoder {
  package enum Failure: Error, Hashable, Sendable {
    case outOfMemory
    /// The data is not gzip, or its checksum does not match.
    case damaged
  }

  private let stream: UnsafeMutablePointer<z_stream>

  /// Whether the last member is complete, so that the data may end here.
  package private(set) var isAtMemberEnd = false

  package init() throws(Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits is the maximum window; 16 more select the gzip format with its checksum.
    let size = Int32(MemoryLayout<z_stream>.size)
    let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size)
    // The deinitializer runs after this throws, which has no effect on a stream that did not start.
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Sets the next compressed bytes, less than 4 GB, which must stay valid until they are decoded.
  package func setInput(_ bytes: UnsafeRawBufferPointer) {
    // zlib reads through this pointer and never writes.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
  }

  package var inputCount: Int { Int(stream.pointee.avail_in) }

  /// Returns the number of decoded bytes, 0 if more input is needed.
  ///
  /// - Throws: ``Failure/damaged``, after everything before the damage has been returned.
  package func decode(into output: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    while true {
      if isAtMemberEnd, try !startMember() { return 0 }
      let status = inflate(stream, Z_NO_FLUSH)
      let count = output.count - Int(stream.pointee.avail_out)
      switch status {
      case Z_STREAM_END:
        isAtMemberEnd = true
        if count > 0 { return count }
      case Z_OK, Z_BUF_ERROR:
        if count > 0 || stream.pointee.avail_in == 0 { return count }
      default:
        throw .damaged
      }
    }
  }

  /// Returns `false` if only padding is left of the input.
  private func startMember() throws(Failure) -> Bool {
    while stream.pointee.avail_in > 0, stream.pointee.next_in.pointee == 0 {
      stream.pointee.next_in += 1
      stream.pointee.avail_in -= 1
    }
    guard stream.pointee.avail_in > 0 else { return false }
    guard inflateReset(stream) == Z_OK else { throw .damaged }
    isAtMemberEnd = false
    return true
  }
}
