import Foundation
import Testing

@testable import PhotoSearch

@Suite struct JSONScalarTests {
  /// The reader of a list with one value, and the value.
  private func read(_ json: String) throws -> (JSONReader, JSONScalar?) {
    var reader = JSONReader(Data("[\(json)]".utf8))
    #expect(try reader.beginArray() && reader.nextElement())
    let scalar = try reader.scalar()
    #expect(try !reader.nextElement())
    try reader.finish()
    return (reader, scalar)
  }

  @Test(
    arguments: [
      (#""12""#, "12", 12, 12), ("12", "12", 12, 12), ("-3", "-3", -3, -3),
      ("1.5", "1.5", nil, 1.5), (#""1.5""#, "1.5", nil, 1.5), (#""x""#, "x", nil, nil),
      (#""""#, "", nil, nil), ("null", nil, nil, nil), ("[1]", nil, nil, nil),
      (#"{"a":1}"#, nil, nil, nil), ("true", nil, nil, nil), ("1e300", "1e+300", nil, 1e300),
      ("9223372036854775807", "9223372036854775807", Int.max, 0x1p63),
      ("9223372036854775808", "9.223372036854776e+18", nil, 0x1p63),
      ("-9223372036854775808", "-9223372036854775808", Int.min, -0x1p63),
      ("-0", "0", 0, 0), ("5.0", "5", 5, 5), ("1e3", "1000", 1_000, 1_000),
      ("0.1", "0.1", nil, 0.1),
      ("1e999", nil, nil, nil), (#""1e999""#, "1e999", nil, nil), (#""nan""#, "nan", nil, nil),
      (#""5.0""#, "5.0", nil, 5), ("false", nil, nil, nil), ("123E-2", "1.23", nil, 1.23),
      ("52.4009000000000000000000000001", "52.4009", nil, 52.4009),
    ] as [(String, String?, Int?, Double?)])
  func readsWhateverIsThere(json: String, text: String?, integer: Int?, double: Double?) throws {
    let (reader, value) = try read(json)
    #expect(reader.text(value) == text)
    #expect(reader.integer(value) == integer)
    #expect(reader.double(value) == double)
  }

  @Test(arguments: [
    (#"\" \\ \/ \b \f \n \r \t"#, "\" \\ / \u{8} \u{C} \n \r \t"),
    (#"https:\/\/a.example\/b"#, "https://a.example/b"),
    (#"\u00fc\u00DC\u20ac"#, "üÜ€"), (#"\ud83c\udf07"#, "🌇"), (#"a\u0000b"#, "a\0b"),
    (#"\ud83c"#, "\u{FFFD}"), (#"\udf07"#, "\u{FFFD}"), (#"\ud83c\ud83c\udf07"#, "\u{FFFD}🌇"),
    (#"\udf07\ud83c"#, "\u{FFFD}\u{FFFD}"), (#"\ud83cx\udf07"#, "\u{FFFD}x\u{FFFD}"),
    (#"\ud83c\n"#, "\u{FFFD}\n"), (#"\\u00fc"#, #"\u00fc"#), ("東京 🌇 ü", "東京 🌇 ü"),
    ("\u{7F}\u{80}\u{2028}", "\u{7F}\u{80}\u{2028}"),
  ])
  func readsTexts(json: String, text: String) throws {
    let (reader, value) = try read("\"\(json)\"")
    #expect(reader.text(value) == text)
  }

  @Test(arguments: ["true", "false", "null"])
  func wordsHaveNoValue(word: String) throws {
    let (reader, value) = try read(word)
    #expect(value.map { "\($0.kind)" } == word)
    #expect(reader.text(value) == nil && reader.integer(value) == nil)
  }

  @Test func nothingHasNoValue() throws {
    let (reader, _) = try read("1")
    #expect(reader.text(nil) == nil && reader.integer(nil) == nil && reader.double(nil) == nil)
  }
}
