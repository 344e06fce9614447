/// Where a string, a number, a boolean or `null` stands in the JSON of a ``JSONReader``.
///
/// Takes no memory of its own: only the reader that found it makes a value of it.
struct JSONScalar: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case string
    /// A string with escapes.
    case escapedString
    case number
    case `true`
    case `false`
    case null
  }

  let kind: Kind
  /// The bytes, without the quotation marks of a string.
  let start: Int
  let end: Int
}

extension JSONReader {
  /// The text of a string, or a number as text; `nil` for anything else.
  ///
  /// Half a surrogate pair becomes U+FFFD.
  func text(_ scalar: JSONScalar?) -> String? {
    guard let scalar else { return nil }
    switch scalar.kind {
    case .string, .escapedString: return text(of: scalar)
    case .number: return integer(scalar).map { String($0) } ?? double(scalar).map { String($0) }
    case .true, .false, .null: return nil
    }
  }

  /// The value of a number, or of a string that holds one, if it is whole.
  func integer(_ scalar: JSONScalar?) -> Int? {
    guard let scalar, let text = digits(of: scalar) else { return nil }
    if let integer = Int(text) { return integer }
    return scalar.kind == .number ? Double(text).flatMap { Int(exactly: $0) } : nil
  }

  /// The value of a number, or of a string that holds one: the nearest one that a `Double` has,
  /// unless that is infinite.
  func double(_ scalar: JSONScalar?) -> Double? {
    guard let scalar, let text = digits(of: scalar), let value = Double(text) else { return nil }
    return value.isFinite ? value : nil
  }

  /// The text of what may be a number.
  private func digits(of scalar: JSONScalar) -> String? {
    switch scalar.kind {
    case .string, .escapedString, .number: text(of: scalar)
    case .true, .false, .null: nil
    }
  }

  /// The text of a string, or of anything else as it stands.
  func text(of scalar: JSONScalar) -> String {
    let raw = bytes[scalar.start..<scalar.end]
    guard scalar.kind == .escapedString else { return String(decoding: raw, as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var position = raw.startIndex
    while position < raw.endIndex {
      if raw[position] != UInt8(ascii: "\\") {
        text.append(raw[position])
        position += 1
      } else if let character = Self.character(escapedBy: raw[position + 1]) {
        text.append(character)
        position += 2
      } else {
        text.append(contentsOf: String(escapedScalar(at: &position)).utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the character of one `\u` escape, or of two that are a surrogate pair.
  private func escapedScalar(at position: inout Int) -> Unicode.Scalar {
    let unit = escapedUnit(at: position) ?? 0xFFFD
    position += 6
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), let trail = escapedUnit(at: position),
      UTF16.isTrailSurrogate(trail)
    else { return "\u{FFFD}" }
    position += 6
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  /// The number in an escape such as `\u00FC`, if there is one.
  func escapedUnit(at position: Int) -> UInt16? {
    guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[position + 2..<position + 6] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 0x30)
      case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        unit = unit << 4 | UInt16(byte & 0x5F - 0x37)
      default: return nil
      }
    }
    return unit
  }

  /// What a letter after a backslash stands for; `nil` for `u` and for letters without a meaning.
  static func character(escapedBy letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}

/// The names of the members that are read from an object, and what each stands for.
struct JSONNames<Field: Sendable>: Sendable, ExpressibleByDictionaryLiteral {
  /// The names by their length, so that most others are recognized by that alone.
  private var byLength: [[(name: [UInt8], field: Field)]] = []

  init(dictionaryLiteral names: (String, Field)...) {
    self.init(names)
  }

  init(_ names: [(String, Field)]) {
    for (name, field) in names {
      let bytes = Array(name.utf8)
      while byLength.count <= bytes.count { byLength.append([]) }
      byLength[bytes.count].append((bytes, field))
    }
  }

  /// The field with a name; names are compared byte by byte, and of equal ones the first counts.
  func field(named name: ArraySlice<UInt8>) -> Field? {
    guard name.count < byLength.count else { return nil }
    for entry in byLength[name.count] where name.elementsEqual(entry.name) { return entry.field }
    return nil
  }
}
