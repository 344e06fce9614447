#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Cuts pieces of text into lines.
struct LineSplitter {
  /// What follows the last line end: a line of which the end has not come, or nothing.
  private(set) var rest: [UInt8] = []

  /// Passes on the lines that end within `bytes`, without their ends.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var start = 0
    while let end = Self.lineEnd(in: bytes, from: start) {
      let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if rest.isEmpty {
        body(line)
      } else {
        rest.append(contentsOf: line)
        rest.withUnsafeBytes(body)
        rest.removeAll(keepingCapacity: true)
      }
      start = end + 1
    }
    rest.append(contentsOf: bytes[start...])
  }

  private static func lineEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
