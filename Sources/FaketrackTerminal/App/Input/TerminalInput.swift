/// Input from the user of a terminal.
package enum TerminalInput: Hashable, Sendable {
  case key(Key)
  /// A press of the left button.
  case click(CellPosition)
  /// A move of the mouse with the left button pressed.
  case drag(from: CellPosition, to: CellPosition)
  case release(CellPosition)
  /// A turn of the wheel, in steps; positive is down.
  case wheel(Int, at: CellPosition)
  /// Pasted text, unchanged.
  case paste(String)
  /// The answer of the terminal to a question for its status.
  case report

  package enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case enter, escape, tab, backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
  }

  var place: CellPosition? {
    switch self {
    case .click(let place), .wheel(_, let place), .drag(let place, _), .release(let place): place
    case .key, .paste, .report: nil
    }
  }
}

/// Turns the bytes of a terminal into input.
///
/// It skips unknown control sequences as a whole: no part of one is taken for keys. A key with Alt is
/// the escape key, then the key.
package struct TerminalInputReader: Sendable {
  /// The next input and its number of bytes; without an input, bytes to skip.
  private typealias Next = (input: TerminalInput?, count: Int)

  private var bytes: [UInt8] = []
  /// The last place of the mouse while the left button is pressed.
  private var pressed: CellPosition?
  /// The text since a paste began.
  private var pasted: [UInt8]?

  private static let report = Array(FrameFlow.answer.utf8)
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

  package mutating func read(_ new: some Sequence<UInt8>) -> [TerminalInput] {
    bytes += new
    var inputs: [TerminalInput] = []
    while let first = bytes.first, let next = isPasting ? nextOfPaste() : next(from: first) {
      if let input = next.input { inputs.append(input) }
      bytes.removeFirst(next.count)
    }
    return inputs
  }

  /// Reads the rest after a timeout: a pending escape is the escape key, and a paste is complete.
  package mutating func readRest() -> [TerminalInput] {
    if let text = endPaste() { return [text] + read([]) }
    guard !bytes.isEmpty else { return [] }
    let escape: [TerminalInput] = bytes.removeFirst() == 0x1B ? [.key(.escape)] : []
    return escape + read([])
  }

  /// `nil` if the input is incomplete.
  private mutating func next(from first: UInt8) -> Next? {
    switch first {
    case 0x1B: sequence()
    case 0x0D, 0x0A: (.key(.enter), 1)
    case 0x09: (.key(.tab), 1)
    case 0x7F, 0x08: (.key(.backspace), 1)
    case 0x01...0x1A: (.key(.control(Character(Unicode.Scalar(first + 0x60)))), 1)
    case 0x00...0x1F: (nil, 1)
    default: character(from: first)
    }
  }

  /// Reads a UTF-8 character; skips invalid bytes.
  private func character(from first: UInt8) -> Next? {
    // The leading ones give the number of bytes; ASCII has none.
    let length = max(1, (~first).leadingZeroBitCount)
    guard first < 0x80 || (2...4).contains(length) else { return (nil, 1) }
    let text = bytes.prefix(length)
    if text.dropFirst().contains(where: { $0 & 0xC0 != 0x80 }) { return (nil, 1) }
    guard text.count == length else { return nil }
    let character = String(validating: text, as: UTF8.self)?.first
    return (character.map { .key(.character($0)) }, length)
  }

  private mutating func sequence() -> Next? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["): return controlSequence()
    case UInt8(ascii: "O"):
      return bytes.count > 2 ? (Self.key(String(Unicode.Scalar(bytes[2]))), 3) : nil
    // The escape key, followed by another key.
    default: return (.key(.escape), 1)
    }
  }

  private mutating func controlSequence() -> Next? {
    guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return bytes.count > Self.longestSequence ? (nil, bytes.count) : nil
    }
    let parameters = String(decoding: bytes[2..<end], as: UTF8.self)
    let count = end + 1
    let final = String(Unicode.Scalar(bytes[end]))
    switch (final, parameters) {
    case ("~", "200"):
      pasted = []
      return (nil, count)
    case ("M", ""):
      // A click in the old format, which has three more bytes and ends at column 223.
      return bytes.count < count + 3 ? nil : (nil, count + 3)
    case ("M", _) where parameters.hasPrefix("<"):
      return (mouse(parameters.dropFirst(), isReleased: false), count)
    case ("m", _) where parameters.hasPrefix("<"):
      return (mouse(parameters.dropFirst(), isReleased: true), count)
    case ("n", _): return (.report, count)
    // A number before a semicolon names the key; one after it is a modifier key.
    case ("~", _): return (Self.key(parameters.prefix { $0 != ";" } + final), count)
    default: return (Self.key(final), count)
    }
  }

  private mutating func nextOfPaste() -> Next? {
    if bytes.starts(with: Self.pasteEnd) { return (endPaste(), Self.pasteEnd.count) }
    if bytes.starts(with: Self.report) { return (.report, Self.report.count) }
    if [Self.pasteEnd, Self.report].contains(where: { $0.starts(with: bytes) }) { return nil }
    if pasted?.count ?? 0 < Self.longestPaste { pasted?.append(bytes[0]) }
    return (nil, 1)
  }

  private mutating func endPaste() -> TerminalInput? {
    defer { pasted = nil }
    return pasted.map { .paste(String(decoding: $0, as: UTF8.self)) }
  }

  private mutating func mouse(_ text: Substring, isReleased: Bool) -> TerminalInput? {
    let numbers = text.split(separator: ";").map { Int($0) ?? -1 }
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let place = CellPosition(column: numbers[1] - 1, row: numbers[2] - 1)
    // Bits 2 to 4 are modifier keys.
    let button = numbers[0] & ~0b11100
    let last = pressed
    if button == 0 || button == 32 { pressed = isReleased ? nil : place }
    if isReleased { return button == 0 ? .release(place) : nil }
    switch button {
    case 0: return .click(place)
    case 32: return last.flatMap { $0 == place ? nil : .drag(from: $0, to: place) }
    case 64: return .wheel(-1, at: place)
    case 65: return .wheel(1, at: place)
    default: return nil
    }
  }

  /// The key with a sequence, by its end.
  private static func key(_ end: String) -> TerminalInput? { keys[end].map { .key($0) } }

  private static let keys: [String: TerminalInput.Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "F": .end, "H": .home, "M": .enter,
    "1~": .home, "3~": .delete, "4~": .end, "5~": .pageUp, "6~": .pageDown, "7~": .home,
    "8~": .end,
  ]
}
