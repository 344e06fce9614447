/// A JSON object of a service that sends values of changing types.
///
/// A missing value and one of another type are both `nil`. Malformed JSON is still an error: the
/// decoder reads all of it before the first object.
struct LenientObject: Decodable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
      self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
  }

  private let values: KeyedDecodingContainer<Key>

  /// - Throws: `DecodingError` if the value is not an object.
  init(from decoder: any Decoder) throws {
    values = try decoder.container(keyedBy: Key.self)
  }

  var names: [String] { values.allKeys.map(\.stringValue) }

  /// The text of a string, or a number as text.
  func text(_ name: String) -> String? {
    let key = Key(stringValue: name)
    do {
      return try values.decodeIfPresent(String.self, forKey: key)
    } catch {
      if let integer = try? values.decode(Int.self, forKey: key) { return String(integer) }
      return (try? values.decode(Double.self, forKey: key)).map { String($0) }
    }
  }

  /// The text of a string or a number, unless it is empty.
  func filledText(_ name: String) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of a number, or of a string that holds one, if it is whole.
  func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  /// The value of a number, or of a string that holds one.
  func number(_ name: String) -> Double? { text(name).flatMap { Double($0) } }

  /// Whether a value is `true`, a string or a number; some services send `""` for `true`.
  func flag(_ name: String) -> Bool {
    (try? values.decode(Bool.self, forKey: Key(stringValue: name))) ?? (text(name) != nil)
  }

  func object(_ name: String) -> LenientObject? {
    try? values.decode(LenientObject.self, forKey: Key(stringValue: name))
  }

  /// The elements of an array, each `nil` if it is not an object.
  func objects(_ name: String) -> [LenientObject?]? {
    let list = try? values.decode([Element].self, forKey: Key(stringValue: name))
    return list?.map(\.object)
  }

  private struct Element: Decodable {
    let object: LenientObject?

    init(from decoder: any Decoder) {
      object = try? LenientObject(from: decoder)
    }
  }
}
