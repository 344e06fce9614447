import CZlib

/// Decompresses gzip data that arrives in pieces, of one member or several (RFC 1952).
///
/// NUL bytes may pad the end of a member. Pass each piece to ``setInput(_:)``, then call
/// ``decode(into:)`` until it returns 0.
package final class GzipDecoder {
  package enum Failure: Error, Hashable, Sendable {
    case outOfMemory
    case damaged
  }

  private let stream: UnsafeMutablePointer<z_stream>

  /// Whether the data may end here: the last member is whole.
  package private(set) var isAtMemberEnd = false

  package init() throws(Failure) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits is the largest window, and 16 more ask for the gzip format with its checksum.
    let status = inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    // The deinitializer runs after this throws, and ending a stream that did not start is harmless.
    guard status == Z_OK else { throw .outOfMemory }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Sets the next compressed bytes, less than 4 GB, which must stay in place until they have been
  /// decoded.
  package func setInput(_ bytes: UnsafeRawBufferPointer) {
    // zlib reads through this pointer and never writes.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(bytes.count)
  }

  /// How many bytes of the input have not been decoded.
  package var inputCount: Int { Int(stream.pointee.avail_in) }

  /// Decodes as much as fits and returns the number of bytes, 0 when more input is needed.
  ///
  /// - Parameter output: room for at least one byte.
  /// - Throws: ``Failure/damaged`` after everything before the damage has been returned.
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

  /// Prepares for another member; `false` when nothing but padding is left of the input.
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
