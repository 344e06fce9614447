import Foundation
import Testing

@testable import PhotoSearch

@Suite struct LenientJSONTests {
  /// The values of the member `a`, read while the JSON is decoded.
  private struct Reading: Decodable {
    let text: String?
    let integer: Int?
    let number: Double?
    let flag: Bool
    let isObject: Bool
    let list: [Bool]?

    init(from decoder: any Decoder) throws {
      let object = try LenientObject(from: decoder)
      text = object.text("a")
      integer = object.integer("a")
      number = object.number("a")
      flag = object.flag("a")
      isObject = object.object("a") != nil
      list = object.objects("a")?.map { $0 != nil }
    }
  }

  private func read(_ value: String) throws -> Reading {
    try JSONDecoder().decode(Reading.self, from: Data(#"{"b":0,"a":\#(value)}"#.utf8))
  }

  @Test(
    arguments: [
      (#""12""#, "12", 12, 12), ("12", "12", 12, 12), ("-3", "-3", -3, -3),
      ("1.5", "1.5", nil, 1.5), (#""1.5""#, "1.5", nil, 1.5), (#""x""#, "x", nil, nil),
      (#""""#, "", nil, nil), ("null", nil, nil, nil), ("[1]", nil, nil, nil),
      (#"{"a":1}"#, nil, nil, nil), ("true", nil, nil, nil), ("1e300", "1e+300", nil, 1e300),
      ("9223372036854775807", "9223372036854775807", Int.max, 0x1p63),
      ("-9223372036854775808", "-9223372036854775808", Int.min, -0x1p63),
      ("5.0", "5", 5, 5), ("1e3", "1000", 1_000, 1_000), ("0.1", "0.1", nil, 0.1),
      ("1e999", nil, nil, nil), (#""5.0""#, "5.0", nil, 5), ("false", nil, nil, nil),
      (#""\u00fc \ud83c\udf07""#, "ü 🌇", nil, nil),
    ] as [(String, String?, Int?, Double?)])
  func readsTextAndNumbers(json: String, text: String?, integer: Int?, number: Double?) throws {
    let value = try read(json)
    #expect(value.text == text)
    #expect(value.integer == integer)
    #expect(value.number == number)
  }

  @Test(arguments: [
    ("true", true), (#""""#, true), ("1", true), ("false", false), ("null", false), ("{}", false),
  ])
  func readsFlags(json: String, flag: Bool) throws {
    #expect(try read(json).flag == flag)
  }

  @Test func skipsElementsOfOtherTypes() throws {
    #expect(
      try read(#"[{},1,null,"x",[{}],{"b":2}]"#).list == [true, false, false, false, false, true])
    #expect(try read("{}").list == nil)
    #expect(try read("{}").isObject && !read("[]").isObject && !read("null").isObject)
  }

  @Test func missingMembersHaveNoValue() throws {
    let value = try JSONDecoder().decode(Reading.self, from: Data("{}".utf8))
    #expect(value.text == nil && value.integer == nil && value.number == nil && !value.flag)
    #expect(!value.isObject && value.list == nil)
  }

  @Test(arguments: ["", "[]", "null", "1", #"{"a":1"#, #"{"a":1}}"#, #"{"a":tru}"#, "<html>"])
  func anythingButAnObjectIsAnError(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Reading.self, from: Data(json.utf8))
    }
  }
}
