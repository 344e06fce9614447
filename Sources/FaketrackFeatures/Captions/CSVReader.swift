/// Reads the records of a table in UTF-8, as in RFC 4180; each has the same number of fields.
///
/// Records end with LF, CR or both; empty lines are skipped. Spaces around quotes are ignored, and a
/// quote within a field without quotes is a part of the field.
struct CSVReader {
  struct Record: Hashable {
    /// The line at which the record begins, counted from 1.
    let line: Int
    let fields: [String]
  }

  struct InvalidRecord: Error, Hashable {
    enum Reason {
      case tooFewFields, tooManyFields
      /// A quote that is not closed.
      case openQuote
      case textAfterQuote
      case notUTF8
    }

    /// The line at which the record or the field begins, counted from 1.
    let line: Int
    let reason: Reason
  }

  private static let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
  private static let (space, quote) = (UInt8(ascii: " "), UInt8(ascii: "\""))

  private let bytes: [UInt8]
  private let separator: UInt8
  private let columns: Int
  private var position = 0
  private var line = 1

  /// - Parameters:
  ///   - bytes: a text without a byte order mark.
  ///   - separator: an ASCII character.
  init(_ bytes: [UInt8], columns: Int, separator: UInt8 = UInt8(ascii: ",")) {
    self.bytes = bytes
    self.columns = columns
    self.separator = separator
  }

  /// The next record; `nil` at the end.
  mutating func next() throws(InvalidRecord) -> Record? {
    while isAtLineEnd { skipLineEnd() }
    guard position < bytes.count else { return nil }
    let start = line
    var fields = [try field()]
    while position < bytes.count, !isAtLineEnd {
      guard fields.count < columns else {
        throw InvalidRecord(line: start, reason: .tooManyFields)
      }
      // A field ends at a line end or at a separator.
      position += 1
      fields.append(try field())
    }
    guard fields.count == columns else { throw InvalidRecord(line: start, reason: .tooFewFields) }
    skipLineEnd()
    return Record(line: start, fields: fields)
  }

  private var isAtLineEnd: Bool {
    position < bytes.count && (bytes[position] == Self.lf || bytes[position] == Self.cr)
  }

  private mutating func skipLineEnd() {
    guard isAtLineEnd else { return }
    let isPair = bytes[position] == Self.cr && position + 1 < bytes.count
    position += isPair && bytes[position + 1] == Self.lf ? 2 : 1
    line += 1
  }

  private mutating func field() throws(InvalidRecord) -> String {
    let start = position
    skipSpaces()
    if position < bytes.count, bytes[position] == Self.quote { return try quotedField() }
    while position < bytes.count, bytes[position] != separator, !isAtLineEnd { position += 1 }
    return try text(of: bytes[start..<position], from: line)
  }

  private mutating func quotedField() throws(InvalidRecord) -> String {
    let start = line
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      if isAtLineEnd {
        let end = position
        skipLineEnd()
        text += bytes[end..<position]
        continue
      }
      let byte = bytes[position]
      position += 1
      if byte == Self.quote {
        guard position < bytes.count, bytes[position] == Self.quote else {
          try endQuotedField()
          return try self.text(of: text[...], from: start)
        }
        position += 1
      }
      text.append(byte)
    }
    throw InvalidRecord(line: start, reason: .openQuote)
  }

  private mutating func endQuotedField() throws(InvalidRecord) {
    skipSpaces()
    if position < bytes.count, bytes[position] != separator, !isAtLineEnd {
      throw InvalidRecord(line: line, reason: .textAfterQuote)
    }
  }

  private func text(of bytes: ArraySlice<UInt8>, from line: Int) throws(InvalidRecord) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InvalidRecord(line: line, reason: .notUTF8)
    }
    return text
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == Self.space { position += 1 }
  }
}
