/// A JSON value whose type differs from answer to answer, such as a number that may be a string.
enum LooseJSON: Decodable, Hashable, Sendable {
  case string(String)
  case integer(Int)
  case number(Double)
  /// `null`, a boolean, an array or an object, none of which is useful here.
  case other

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else {
      self = .other
    }
  }

  var text: String? {
    switch self {
    case .string(let string): string
    case .integer(let integer): String(integer)
    case .number(let number): String(number)
    case .other: nil
    }
  }

  var integer: Int? {
    switch self {
    case .string(let string): Int(string)
    case .integer(let integer): integer
    case .number(let number): Int(exactly: number)
    case .other: nil
    }
  }

  var double: Double? {
    switch self {
    case .string(let string): Double(string)
    case .integer(let integer): Double(integer)
    case .number(let number): number
    case .other: nil
    }
  }
}

/// A part of an answer that becomes `nil` if it cannot be decoded, so that the rest still can.
struct OptionalJSON<Value: Decodable & Sendable>: Decodable, Sendable {
  let value: Value?

  init(from decoder: any Decoder) throws {
    value = try? Value(from: decoder)
  }
}
