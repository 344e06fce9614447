/// Looks for the first bytes that are not UTF-8 (RFC 3629).
enum UTF8Scan {
  /// The first run of bytes that are not UTF-8.
  struct Fault {
    var range: Range<Int>
    /// The bytes are the start of a character that ends behind the buffer.
    var isCut: Bool
  }

  /// The first fault at or behind `start`, nil when the rest of the bytes are UTF-8.
  static func firstFault(in bytes: UnsafeRawBufferPointer, from start: Int) -> Fault? {
    var index = start
    while index < bytes.count {
      // Nearly all is ASCII; 32 bytes at once keep the cost of looking below that of copying.
      if index + 32 <= bytes.count {
        var word: UInt64 = 0
        for offset in stride(from: index, to: index + 32, by: 8) {
          word |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        if word & 0x8080_8080_8080_8080 == 0 {
          index += 32
          continue
        }
      }
      switch sequence(in: bytes, at: index) {
      case .character(let length): index += length
      case .cut: return Fault(range: index..<bytes.count, isCut: true)
      case .invalid:
        var end = index + 1
        while end < bytes.count, bytes[end] >= 0x80, case .invalid = sequence(in: bytes, at: end) {
          end += 1
        }
        return Fault(range: index..<end, isCut: false)
      }
    }
    return nil
  }

  private enum Sequence {
    case character(length: Int)
    case cut
    case invalid
  }

  private static func sequence(in bytes: UnsafeRawBufferPointer, at index: Int) -> Sequence {
    let length: Int
    // The second byte keeps out overlong forms, surrogates and what is above U+10FFFF.
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
      guard index + offset < bytes.count else { return .cut }
      let allowed = offset == 1 ? second : 0x80...0xBF
      guard allowed.contains(bytes[index + offset]) else { return .invalid }
    }
    return .character(length: length)
  }
}
