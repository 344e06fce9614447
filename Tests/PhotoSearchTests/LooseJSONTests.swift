import Foundation
import Testing

@testable import PhotoSearch

@Suite struct LooseJSONTests {
  private func read(_ json: String) throws -> LooseJSON {
    try JSONDecoder().decode([LooseJSON].self, from: Data("[\(json)]".utf8))[0]
  }

  @Test(
    arguments: [
      (#""12""#, "12", 12, 12), ("12", "12", 12, 12), ("-3", "-3", -3, -3),
      ("1.5", "1.5", nil, 1.5), (#""1.5""#, "1.5", nil, 1.5), (#""x""#, "x", nil, nil),
      (#""""#, "", nil, nil), ("null", nil, nil, nil), ("[1]", nil, nil, nil),
      (#"{"a":1}"#, nil, nil, nil), ("true", nil, nil, nil), ("1e300", "1e+300", nil, 1e300),
      ("9223372036854775807", "9223372036854775807", Int.max, 0x1p63),
    ] as [(String, String?, Int?, Double?)])
  func readsWhateverIsThere(json: String, text: String?, integer: Int?, double: Double?) throws {
    let value = try read(json)
    #expect(value.text == text)
    #expect(value.integer == integer)
    #expect(value.double == double)
  }

  @Test func whatCannotBeDecodedIsLeftOut() throws {
    let list = try JSONDecoder().decode(
      [OptionalJSON<Int>].self, from: Data(#"[1, "two", null, 4, {"five": 5}]"#.utf8))
    #expect(list.map(\.value) == [1, nil, nil, 4, nil])
  }
}
