/// Texts laid end to end, of which the ends are known.
struct TextList {
  let ends: UnsafeBufferPointer<UInt32>
  let text: UnsafeBufferPointer<UInt8>

  /// The bytes of a text that the list holds.
  @inline(__always)
  subscript(position: Int) -> UnsafeBufferPointer<UInt8> {
    let start = position == 0 ? 0 : Int(ends[position - 1])
    return UnsafeBufferPointer(rebasing: text[start..<Int(ends[position])])
  }

  /// The text at a position, or `nil` for one past the end or an empty text.
  func string(_ position: Int) -> String? {
    guard position < ends.count else { return nil }
    let bytes = self[position]
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the ends ascend up to the length of the text; linear.
  var isWellFormed: Bool {
    var last: UInt32 = 0
    for end in ends {
      guard end >= last else { return false }
      last = end
    }
    return Int(last) == text.count
  }
}
