import CZlib

/// The gzip format of RFC 1952.
package enum Gzip {
  /// The bytes as one member of a gzip file.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { return [] }
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

  /// Whether the content of a gzip file, as far as it can be decompressed, is within a size in bytes.
  ///
  /// Nothing of the content is kept, and nothing beyond the size is decompressed.
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

  /// The CRC-32 checksum of bytes, or of all bytes so far when `start` is that of those before.
  package static func checksum(_ bytes: [UInt8], from start: UInt32 = 0) -> UInt32 {
    // zlib starts over where there are no bytes.
    guard !bytes.isEmpty else { return start }
    return bytes.withUnsafeBufferPointer { bytes in
      UInt32(crc32_z(UInt(start), bytes.baseAddress, bytes.count))
    }
  }
}
