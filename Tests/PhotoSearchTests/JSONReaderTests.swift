import FaketrackServices
import FaketrackSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct JSONReaderTests {
  /// Passes over one value and the white space around it.
  private func skip(_ data: Data) throws {
    var reader = JSONReader(data)
    try reader.skip()
    try reader.finish()
  }

  /// Everything in the next value: scalars with their texts, objects with their names.
  private func contents(_ reader: inout JSONReader, byte: UInt8?) throws -> String {
    switch byte {
    case UInt8(ascii: "{"): try object(&reader)
    case UInt8(ascii: "["): try array(&reader)
    default: reader.text(try reader.scalar()) ?? "-"
    }
  }

  private func object(_ reader: inout JSONReader) throws -> String {
    var parts: [String] = []
    #expect(try reader.beginObject())
    while let name = try reader.nextMember() {
      parts.append("\(name)=\(reader.text(try reader.scalar()) ?? "-")")
    }
    return "{\(parts.joined(separator: ","))}"
  }

  private func array(_ reader: inout JSONReader) throws -> String {
    var parts: [String] = []
    #expect(try reader.beginArray())
    while try reader.nextElement() { parts.append(reader.text(try reader.scalar()) ?? "-") }
    return "[\(parts.joined(separator: ","))]"
  }

  private static let wellFormed = [
    "1", " 1 ", "-0", "0.5", "-1.5e+10", "1E5", "true", "false", "null", #""""#, #""a""#, "[]",
    "[ ]", "{}", "{ }", "[1]", "[1,2]", " [ 1 , 2 ] ", #"{"a":1}"#, #" { "a" : 1 , "a" : 2 } "#,
    #"{"":[]}"#, "[[[]],{}]", "\t\r\n[]\n", #"["\u00e9\"\\\/\b\f\n\r\t"]"#, #"["\ud800"]"#,
    "\u{FEFF}[]", #"{"a":{"b":[{"c":null}]}}"#, "123456789012345678901234567890",
  ]

  private static let malformed = [
    "", " ", "[", "]", "{", "}", "[1", "[1,", "[,1]", "[1,]", "[1 2]", "[1,,2]", "[1}", "{1}",
    #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"#, #"{"a" 1}"#, #"{a:1}"#, #"{"a":1 "b":2}"#,
    #"{,"a":1}"#, #"{"a":1]"#, "{'a':1}", #"{"a"::1}"#, "1 2", "[]]", "{}}", "tru", "True", "nul",
    "nulll", "truefalse", "NaN", "Infinity", "-Infinity", "undefined", "-", "+1", ".5", "1.", "01",
    "-01", "1e", "1e+", "1.e5", "0x10", "1_000", "1..2", "--1", #"""#, #""a"#, #""\"#, #""\""#,
    #""\a""#, #""\x41""#, #""\u""#, #""\u12""#, #""\u12g4""#, #""\u12 4""#, #""\U0041""#,
    #""\u-123""#, "\"\n\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "'a'", "[1]x", "// c\n1", "/**/1",
    "\u{A0}1", "\u{0}", "1\u{0}", "\u{FEFF}", "[\u{FEFF}]", #"["a":1]"#, #"{"a":1,"b"}"#, "<html>",
    #"{"a":1}{"b":2}"#, "[\"a\",\n\"b]", "\u{2028}1",
  ]

  @Test(arguments: wellFormed) func acceptsJSON(json: String) throws {
    try skip(Data(json.utf8))
  }

  @Test(arguments: malformed) func refusesAnythingElse(json: String) {
    #expect(throws: JSONError.self) { try skip(Data(json.utf8)) }
  }

  @Test(arguments: malformed) func refusesItWithinAnAnswerToo(json: String) {
    // Alone these are JSON, or nothing is left of them.
    let exceptions: Set<String> = ["", " "]
    guard !exceptions.contains(json) else { return }
    #expect(throws: JSONError.self) {
      try skip(Data(#"{"a":[\#(json)],"b":1}"#.utf8))
    }
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
      [0xF0, 0x9F, 0x8C],
    ] as [[UInt8]])
  func refusesWhatIsNotUTF8(bytes: [UInt8]) {
    let json = Data(#"{"a":""#.utf8) + bytes + Data(#""}"#.utf8)
    #expect(throws: JSONError(offset: 6 + bytes.count)) { try skip(json) }
  }

  @Test func refusesUTF16() throws {
    let json = try #require(#"{"a":1}"#.data(using: .utf16))
    #expect(throws: JSONError.self) { try skip(json) }
  }

  @Test(arguments: ["[", #"{"a":"#])
  func isNestedToALimit(open: String) throws {
    let close = open == "[" ? "]" : "}"
    func nested(_ depth: Int) -> Data {
      Data(
        (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
    }
    try skip(nested(JSONText.maximumDepth))
    #expect(throws: JSONError.self) { try skip(nested(JSONText.maximumDepth + 1)) }
    #expect(throws: JSONError.self) { try skip(nested(1_000_000)) }
  }

  @Test func theLimitIsOfDepthAndNotOfNumber() throws {
    try skip(Data("[\(Array(repeating: "[{}]", count: 2_000).joined(separator: ","))]".utf8))
  }

  @Test func tellsWhereItStops() {
    #expect(throws: JSONError(offset: 7)) { try skip(Data(#"{"a":1 "b":2}"#.utf8)) }
  }

  @Test func readsMembersAndElements() throws {
    for (json, expected) in [
      (#"{"a":1,"b":"x","a":null,"":[1,2],"\u0063":true}"#, "{a=1,b=x,a=-,=-,c=-}"),
      (#"[1,"two",[3],{"four":4},null,5.5]"#, "[1,two,-,-,-,5.5]"),
    ] {
      var reader = JSONReader(Data(json.utf8))
      #expect(try contents(&reader, byte: json.utf8.first) == expected)
      try reader.finish()
    }
  }

  @Test func passesOverWhatIsOfAnotherType() throws {
    var reader = JSONReader(Data(#"[[1,{"a":2}],"text",{"b":[3]},4,null]"#.utf8))
    #expect(try reader.beginArray())
    #expect(try reader.nextElement() && !reader.beginObject())
    #expect(try reader.nextElement() && !reader.beginArray())
    #expect(try reader.nextElement() && !reader.beginArray())
    #expect(try reader.nextElement() && !reader.beginObject())
    #expect(try reader.nextElement() && !reader.beginObject())
    #expect(try !reader.nextElement())
    try reader.finish()
  }

  @Test func picksMembersByName() throws {
    let names: JSONNames<Int> = ["id": 1, "title": 2, "url_s": 3, "url_m": 4]
    let json = #"""
      {"x":[{"id":0}],"title":"t","ID":0,"i\u0064":"escaped","url_s":"s","url_":0,"ti":0,
      "titles":0,"":0,"url_m":"m","ü":0,"a name that is longer than all":0}
      """#
    var reader = JSONReader(Data(json.utf8))
    var found: [Int: String] = [:]
    #expect(try reader.beginObject())
    while let field = try reader.nextMember(among: names) {
      found[field] = reader.text(try reader.scalar())
    }
    try reader.finish()
    #expect(found == [1: "escaped", 2: "t", 3: "s", 4: "m"])
  }

  /// Foundation's parser decides about random JSON in which single bytes are changed, except that it
  /// accepts a comma after the last element of an array.
  @Test func agreesWithFoundation() throws {
    var random = SplitMix64(seed: 3)
    let json = Array(
      #"{"a":[1,-2.5e3,"x\n\u00fc"],"b":{"c":null,"d":[true,false,{}]},"e":"ü €"}"#.utf8)
    let bytes = Array(#"{}[]:,"\0123456789eE+-. truefalsn\u"#.utf8)
    var others: [String] = []
    for _ in 0..<8_000 {
      var changed = json
      for _ in 0...random.index(below: 3) {
        let place = random.index(below: changed.count)
        switch random.index(below: 3) {
        case 0: changed[place] = bytes[random.index(below: bytes.count)]
        case 1: changed.remove(at: place)
        default: changed.insert(bytes[random.index(below: bytes.count)], at: place)
        }
      }
      let data = Data(changed)
      let text = String(decoding: data, as: UTF8.self)
      guard !text.filter({ !$0.isWhitespace }).contains(",]") else { continue }
      let isJSON =
        (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
      let isRead = (try? skip(data)) != nil
      if isJSON != isRead { others.append(text) }
    }
    #expect(others == [])
  }
}
