import CZlib

/// A streaming decompressor of gzip data with one or more members (RFC 1952).
///
/// Zero bytes may pad the end of a member. Pass each piece to ``setInput(_:)``, then call
/// ``decode(into:)`` until it returns 0.
package final class GzipDecoder {
  /// An error of zlib.
  package enum Failure: Error, Hashable, Sendable {
    case outOfMemory
    /// The data is not gzip, or its checksum does not match.
    case damaged
  }

  private let stream: UnsafeMutablePointer<z_stream>

  /// Whether the last member is complete, so that the data may end here.
  package private(set) var isAtMemberEnd = false

  /// Creates a decoder at the start of a member.
  package init() throws(Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits is the maximum window; 16 more select the gzip format with its checksum.
    let status = inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    // The deinitializer runs after this throws; ending a stream that did not start has no effect.
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

  /// The number of input bytes that have not been decoded.
  package var inputCount: Int { Int(stream.pointee.avail_in) }

  /// Decodes as much as fits.
  ///
  /// - Parameter output: A buffer of at least one byte.
  /// - Returns: The number of decoded bytes, 0 if more input is needed.
  /// - Throws: ``Failure/damaged``, after everything before the damage has been returned.
  package func decode(into output: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    while true {
      if isAtMemberEnd {
        guard try startMember() else { return 0 }
      }
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

  /// Prepares for another member; returns `false` if only padding is left of the input.
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
