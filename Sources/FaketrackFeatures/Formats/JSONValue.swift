import FaketrackSupport

/// A JSON value whose objects keep the order of their keys, so that the same facts always make
/// the same line.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(key: String, value: JSONValue)])
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { (key: $0, value: $1) })
  }

  package init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSONValue {
  package static func text(_ text: String?) -> JSONValue {
    text.map(JSONValue.string) ?? .null
  }

  /// A number rounded to `places` decimals, or null where JSON has no number for it.
  package static func rounded(_ number: Double?, places: Int) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    return .number(number.rounded(places: places))
  }

  package var serialized: String {
    var text = TextBuffer()
    write(to: &text)
    return text.string
  }

  private func write(to text: inout TextBuffer) {
    switch self {
    case .null: text.append("null")
    case .bool(let value): text.append(value ? "true" : "false")
    case .integer(let value): text.append(value)
    case .number(let value): text.append(json: value)
    case .string(let value): text.append(json: value)
    case .array(let values):
      text.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { text.append(",") }
        value.write(to: &text)
      }
      text.append("]")
    case .object(let members):
      text.append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(",") }
        text.append(json: member.key)
        text.append(":")
        member.value.write(to: &text)
      }
      text.append("}")
    }
  }
}

// MARK: Values as they are written

extension TextBuffer {
  /// Appends a number, or null where JSON has no number for it.
  mutating func append(json number: Double?) {
    if let number, number.isFinite { append(number) } else { append("null") }
  }

  mutating func append(json number: Double?, roundedTo places: Int) {
    if let number, number.isFinite {
      append(number, roundedTo: places)
    } else {
      append("null")
    }
  }

  mutating func append(json string: String?) {
    guard var string else { return append("null") }
    append("\"")
    let isVerbatim = string.withUTF8 { text in
      text.isPlain && !text.contains(UInt8(ascii: "\"")) && !text.contains(UInt8(ascii: "\\"))
    }
    if isVerbatim {
      append(contentsOf: string)
    } else {
      for scalar in string.unicodeScalars { append(jsonEscaped: scalar) }
    }
    append("\"")
  }

  private mutating func append(jsonEscaped scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    // Besides what JSON demands, all that could steer a terminal or reorder its line.
    case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}",
      "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FEFF}":
      let digits = String(scalar.value, radix: 16)
      append(contentsOf: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    default: append(contentsOf: String(scalar))
    }
  }
}
