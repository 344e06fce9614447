/// A place in the text of a time, and the parts that may come next.
struct TimeCursor {
  private var byte: UnsafePointer<UInt8>?
  private var left: Int

  init(_ text: UnsafeBufferPointer<UInt8>) {
    byte = text.baseAddress
    left = text.count
  }

  var isAtEnd: Bool { left == 0 }

  private var next: UInt8 { left > 0 ? byte?.pointee ?? 0 : 0 }

  private mutating func advance() {
    byte = byte.map { $0 + 1 }
    left -= 1
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard left > 0, next == UInt8(ascii: character) else { return false }
    advance()
    return true
  }

  mutating func skipSpaces() {
    while left > 0, next <= 0x20 { advance() }
  }

  mutating func number(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < digits.upperBound, left > 0, next &- 0x30 < 10 {
      value = value * 10 + Int(next - 0x30)
      count += 1
      advance()
    }
    return digits.contains(count) ? value : nil
  }

  /// The digits after the point; those past the ninth are dropped.
  mutating func fraction() -> Double? {
    var value = 0
    var power = 1
    var count = 0
    while left > 0, next &- 0x30 < 10 {
      if count < 9 {
        value = value * 10 + Int(next - 0x30)
        power *= 10
      }
      count += 1
      advance()
    }
    return count > 0 ? Double(value) / Double(power) : nil
  }

  /// Seconds east of Greenwich; 0 when no zone is given.
  mutating func offset() -> Int? {
    skipSpaces()
    if take("Z") || take("z") { return 0 }
    let isWest = take("-")
    guard isWest || take("+") else { return 0 }
    guard let hours = number(digits: 1...2), hours < 24 else { return nil }
    var minutes = 0
    if take(":") || next &- 0x30 < 10 {
      guard let value = number(digits: 2...2), value < 60 else { return nil }
      minutes = value
    }
    let seconds = hours * 3_600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  /// Passes over `[Europe/Brussels]`; false when its end is missing.
  mutating func takeZoneName() -> Bool {
    skipSpaces()
    guard take("[") else { return true }
    while left > 0, next != UInt8(ascii: "]") { advance() }
    return take("]")
  }
}
