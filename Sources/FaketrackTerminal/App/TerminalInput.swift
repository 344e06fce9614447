/// Input from the user of a terminal.
package enum TerminalInput: Hashable, Sendable {
  case key(Key)
  /// A click with the left button.
  case click(CellPosition)
  /// A turn of the wheel, in steps; positive is down.
  case wheel(Int, at: CellPosition)
  /// Pasted text, unchanged.
  case paste(String)

  package enum Key: Hashable, Sendable {
    case character(Character)
    /// A letter with the control key.
    case control(Character)
    case enter, escape, tab, backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
  }
}

/// Turns the bytes of a terminal into input.
///
/// It skips unknown sequences as a whole: no part of one is taken for keys.
package struct TerminalInputReader: Sendable {
  private var bytes: [UInt8] = []
  /// The text since a paste began.
  private var pasted: [UInt8]?

  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// The maximum length of a sequence in bytes.
  private static let longestSequence = 64
  /// The maximum length of a paste in bytes; longer ones are cut.
  private static let longestPaste = 4_096

  package init() {}

  /// Whether the last bytes are the escape key or the start of a sequence, which only time tells.
  package var isUndecided: Bool { !bytes.isEmpty || isPasting }

  /// Whether a paste has begun, the rest of which may take longer.
  package var isPasting: Bool { pasted != nil }

  /// Reads bytes as they arrive.
  package mutating func read(_ new: some Sequence<UInt8>) -> [TerminalInput] {
    bytes += new
    var inputs: [TerminalInput] = []
    while !bytes.isEmpty, let next = next() {
      if let input = next.input { inputs.append(input) }
      bytes.removeFirst(next.count)
    }
    return inputs
  }

  /// Reads the rest after a timeout: a pending escape is the escape key, and a paste is complete.
  package mutating func readRest() -> [TerminalInput] {
    if let pasted {
      self.pasted = nil
      return [.paste(String(decoding: pasted, as: UTF8.self))] + read([])
    }
    guard let first = bytes.first else { return [] }
    bytes.removeFirst()
    let input: TerminalInput? = first == 0x1B ? .key(.escape) : nil
    return [input].compactMap(\.self) + read([])
  }

  /// The next input and its number of bytes; `nil` if it is incomplete.
  private mutating func next() -> (input: TerminalInput?, count: Int)? {
    if pasted != nil { return nextOfPaste() }
    switch bytes[0] {
    case 0x1B: return sequence()
    case 0x0D, 0x0A: return (.key(.enter), 1)
    case 0x09: return (.key(.tab), 1)
    case 0x7F, 0x08: return (.key(.backspace), 1)
    case 0x01...0x1A:
      return (.key(.control(Character(Unicode.Scalar(bytes[0] + 0x60)))), 1)
    case 0x00...0x1F: return (nil, 1)
    case 0x20...0x7E: return (.key(.character(Character(Unicode.Scalar(bytes[0])))), 1)
    default: return character()
    }
  }

  /// A character of several bytes.
  private func character() -> (input: TerminalInput?, count: Int)? {
    let length =
      switch bytes[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    guard length > 1 else { return (nil, 1) }
    let text = bytes.prefix(length)
    if text.dropFirst().contains(where: { !(0x80...0xBF).contains($0) }) { return (nil, 1) }
    guard text.count == length else { return nil }
    guard let character = String(validating: text, as: UTF8.self)?.first else {
      return (nil, length)
    }
    return (.key(.character(character)), length)
  }

  private mutating func sequence() -> (input: TerminalInput?, count: Int)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["): return controlSequence()
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (Self.finals[bytes[2]].map { .key($0) }, 3)
    // The escape key, followed by another.
    case 0x1B: return (.key(.escape), 1)
    // A key with Alt.
    default: return (nil, 2)
    }
  }

  private mutating func controlSequence() -> (input: TerminalInput?, count: Int)? {
    guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return bytes.count > Self.longestSequence ? (nil, bytes.count) : nil
    }
    let parameters = String(decoding: bytes[2..<end], as: UTF8.self)
    let count = end + 1
    switch (bytes[end], parameters) {
    case (UInt8(ascii: "~"), "200"):
      pasted = []
      return (nil, count)
    case (UInt8(ascii: "M"), let text) where text.hasPrefix("<"):
      return (Self.mouse(text.dropFirst()), count)
    case (UInt8(ascii: "M"), ""):
      // A click in the old format, which has three more bytes and ends at column 223.
      return bytes.count < count + 3 ? nil : (nil, count + 3)
    case (UInt8(ascii: "~"), let text):
      return (Self.numbers[text.prefix { $0 != ";" }].map { .key($0) }, count)
    case (let final, _): return (Self.finals[final].map { .key($0) }, count)
    }
  }

  private mutating func nextOfPaste() -> (input: TerminalInput?, count: Int)? {
    if bytes.starts(with: Self.pasteEnd) {
      let text = String(decoding: pasted ?? [], as: UTF8.self)
      pasted = nil
      return (.paste(text), Self.pasteEnd.count)
    }
    if Self.pasteEnd.starts(with: bytes) { return nil }
    if pasted?.count ?? 0 < Self.longestPaste { pasted?.append(bytes[0]) }
    return (nil, 1)
  }

  private static func mouse(_ text: Substring) -> TerminalInput? {
    let numbers = text.split(separator: ";").map { Int($0) }
    guard numbers.count == 3, let button = numbers[0], let column = numbers[1],
      let row = numbers[2], column > 0, row > 0
    else { return nil }
    let place = CellPosition(column: column - 1, row: row - 1)
    // Bits 2 to 4 are modifier keys.
    switch button & ~0b11100 {
    case 0: return .click(place)
    case 64: return .wheel(-1, at: place)
    case 65: return .wheel(1, at: place)
    default: return nil
    }
  }

  /// The keys by the final byte of their sequence.
  private static let finals: [UInt8: TerminalInput.Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    UInt8(ascii: "M"): .enter,
  ]

  /// The keys by the number of their sequence, which ends with a tilde.
  private static let numbers: [Substring: TerminalInput.Key] = [
    "1": .home, "3": .delete, "4": .end, "5": .pageUp, "6": .pageDown, "7": .home, "8": .end,
  ]
}
