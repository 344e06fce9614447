#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackServices

/// Reads JSON from beginning to end, one piece at a time, without making anything that is not asked
/// for.
///
/// Services send values of another type than expected, so that is never an error: such a value is
/// passed over. What is not JSON is one, wherever it is: text that is not UTF-8, anything else that
/// RFC 8259 does not allow, and nesting beyond `JSONText.maximumDepth`.
struct JSONReader {
  let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  /// Whether an array or object has just begun, so that no comma is due.
  private var isAtStart = false

  /// Creates a reader; a byte order mark is ignored.
  init(_ data: Data) {
    bytes = [UInt8](data)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Begins an object if there is one; passes over any other value.
  ///
  /// - Returns: whether it began; then ask for its members until there are no more.
  mutating func beginObject() throws(JSONError) -> Bool {
    try begin(with: UInt8(ascii: "{"))
  }

  /// Begins the object that an answer is.
  ///
  /// - Throws: `ServiceFault` that names any other value, ``JSONError`` if it is not JSON.
  mutating func beginAnswer() throws {
    skipSpace()
    let first = byte
    guard try !beginObject() else { return }
    try finish()
    let name =
      switch first {
      case UInt8(ascii: "["): "an array"
      case UInt8(ascii: "\""): "a string"
      case UInt8(ascii: "n"): "null"
      case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
      default: "a number"
      }
    throw ServiceFault.broken("unexpected JSON: \(name)")
  }

  /// Begins an array if there is one; passes over any other value.
  ///
  /// - Returns: whether it began; then ask for its elements until there are no more.
  mutating func beginArray() throws(JSONError) -> Bool {
    try begin(with: UInt8(ascii: "["))
  }

  /// Goes on to the value of the object's next member.
  ///
  /// - Returns: its name, or `nil` at the end of the object.
  mutating func nextMember() throws(JSONError) -> String? {
    try nextName().map { text(of: $0) }
  }

  /// Goes on to the value of the object's next member with one of some names, and passes over the
  /// others.
  ///
  /// - Returns: what the name stands for, or `nil` at the end of the object.
  mutating func nextMember<Field>(among names: JSONNames<Field>) throws(JSONError) -> Field? {
    while let name = try nextName() {
      let plain =
        name.kind == .string ? bytes[name.start..<name.end] : ArraySlice(text(of: name).utf8)
      if let field = names.field(named: plain) { return field }
      try skip()
    }
    return nil
  }

  /// Goes on to the array's next element.
  ///
  /// - Returns: whether there is one.
  mutating func nextElement() throws(JSONError) -> Bool {
    try advance(to: UInt8(ascii: "]"))
  }

  /// Reads a string, a number, a boolean or `null`; passes over an array or an object.
  mutating func scalar() throws(JSONError) -> JSONScalar? {
    skipSpace()
    let start = position
    guard start < bytes.count else { throw malformed }
    switch bytes[start] {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skip()
      return nil
    case UInt8(ascii: "t"): return try word("true", .true)
    case UInt8(ascii: "f"): return try word("false", .false)
    case UInt8(ascii: "n"): return try word("null", .null)
    default:
      try skipNumber()
      return JSONScalar(kind: .number, start: start, end: position)
    }
  }

  /// Passes over a value of any type.
  mutating func skip() throws(JSONError) {
    skipSpace()
    switch position < bytes.count ? bytes[position] : 0 {
    case UInt8(ascii: "{"):
      _ = try beginObject()
      while try nextName() != nil { try skip() }
    case UInt8(ascii: "["):
      _ = try beginArray()
      while try nextElement() { try skip() }
    default: _ = try scalar()
    }
  }

  /// Makes sure that nothing follows.
  mutating func finish() throws(JSONError) {
    skipSpace()
    guard position == bytes.count else { throw malformed }
  }
}

// MARK: - Structure

extension JSONReader {
  private var malformed: JSONError { JSONError(offset: position) }

  private mutating func begin(with bracket: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == bracket else {
      try skip()
      return false
    }
    guard depth < JSONText.maximumDepth else { throw malformed }
    position += 1
    depth += 1
    isAtStart = true
    return true
  }

  /// Goes to the next element or member, past the comma before it.
  ///
  /// - Returns: `false` at the closing bracket, which is passed as well.
  private mutating func advance(to bracket: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard position < bytes.count else { throw malformed }
    if bytes[position] == bracket {
      position += 1
      depth -= 1
      isAtStart = false
      return false
    }
    if !isAtStart {
      guard bytes[position] == UInt8(ascii: ",") else { throw malformed }
      position += 1
    }
    isAtStart = false
    return true
  }

  private mutating func nextName() throws(JSONError) -> JSONScalar? {
    guard try advance(to: UInt8(ascii: "}")) else { return nil }
    skipSpace()
    let name = try string()
    skipSpace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { throw malformed }
    position += 1
    return name
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        position += 1
      default: return
      }
    }
  }
}

// MARK: - Scalars

extension JSONReader {
  private mutating func word(
    _ word: StaticString, _ kind: JSONScalar.Kind
  ) throws(JSONError) -> JSONScalar {
    let start = position
    let end = start + word.utf8CodeUnitCount
    guard end <= bytes.count,
      word.withUTF8Buffer({ bytes[start..<end].elementsEqual($0) })
    else { throw malformed }
    position = end
    return JSONScalar(kind: kind, start: start, end: end)
  }

  private mutating func string() throws(JSONError) -> JSONScalar {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw malformed }
    position += 1
    let start = position
    var kind = JSONScalar.Kind.string
    var isASCII = true
    while position < bytes.count {
      skipPlainText()
      switch byte {
      case UInt8(ascii: "\""):
        let end = position
        guard isASCII || String(validating: bytes[start..<end], as: UTF8.self) != nil else {
          throw malformed
        }
        position += 1
        return JSONScalar(kind: kind, start: start, end: end)
      case UInt8(ascii: "\\"):
        kind = .escapedString
        try skipEscape()
      case .some(0x80...):
        isASCII = false
        position += 1
      default: throw malformed
      }
    }
    throw malformed
  }

  /// Passes over ASCII up to the end of a string, an escape, or what must not be in a string.
  private mutating func skipPlainText() {
    var end = position
    while end < bytes.count {
      let byte = bytes[end]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        break
      }
      end += 1
    }
    position = end
  }

  private mutating func skipEscape() throws(JSONError) {
    guard position + 1 < bytes.count else { throw malformed }
    switch bytes[position + 1] {
    case UInt8(ascii: "u"):
      guard escapedUnit(at: position) != nil else { throw malformed }
      position += 6
    case let letter where Self.character(escapedBy: letter) != nil: position += 2
    default: throw malformed
    }
  }

  private mutating func skipNumber() throws(JSONError) {
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
    if byte == UInt8(ascii: ".") {
      position += 1
      try skipDigits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
  }

  /// Passes over digits, at least one.
  private mutating func skipDigits() throws(JSONError) {
    let start = position
    while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
    guard position > start else { throw malformed }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
}

/// Data that is not JSON.
struct JSONError: Error, Hashable, Sendable {
  /// The byte at which that shows.
  let offset: Int
}
