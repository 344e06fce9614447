/// The text of one element, collected without a string.
struct LeafText: ~Copyable {
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0
  /// Whether more came than fits.
  private(set) var isCut = false

  init() {
    storage = .allocate(capacity: GPXReader.maximumNameLength)
  }

  deinit {
    storage.deallocate()
  }

  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: storage[..<count])
  }

  mutating func clear() {
    count = 0
    isCut = false
  }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    let room = storage.count - count
    if text.count > room { isCut = true }
    let part = text.prefix(room)
    guard let target = storage.baseAddress, let source = part.base.baseAddress else { return }
    (target + count).update(from: source, count: part.count)
    count += part.count
  }

  /// The text without the white space around it, nil when nothing is left; a character that was
  /// cut is dropped.
  func string() -> String? {
    var end = count
    if isCut {
      while end > 0, storage[end - 1] & 0xC0 == 0x80 { end -= 1 }
      if end > 0, storage[end - 1] >= 0xC0 { end -= 1 }
    }
    var start = 0
    while start < end, storage[start] <= 0x20 { start += 1 }
    while start < end, storage[end - 1] <= 0x20 { end -= 1 }
    guard start < end else { return nil }
    return String(decoding: storage[start..<end], as: UTF8.self)
  }
}
