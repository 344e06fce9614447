import FaketrackFeatures
import Foundation
import Testing

@Suite struct JSONValueTests {
  @Test(arguments: [
    (JSONValue.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
    (.integer(-7), "-7"), (.number(0.1), "0.1"), (.number(3), "3.0"), (.string("a"), "\"a\""),
    (.array([]), "[]"), (.array([.integer(1), .null]), "[1,null]"), (.object([]), "{}"),
    (.number(.nan), "null"), (.number(.infinity), "null"), (.text(nil), "null"),
    (.rounded(1.23456, places: 3), "1.235"), (.rounded(nil, places: 3), "null"),
    (.rounded(-.infinity, places: 1), "null"), (.rounded(1e300, places: 3), "1e+300"),
  ])
  func writesEachKind(value: JSONValue, text: String) {
    #expect(value.serialized == text)
  }

  @Test func keepsTheOrderOfKeys() {
    let value: JSONValue = ["b": .integer(1), "a": ["z": .null, "y": "text"]]
    #expect(value.serialized == #"{"b":1,"a":{"z":null,"y":"text"}}"#)
  }

  @Test func escapesWhatJSONDemands() {
    #expect(
      JSONValue.string("\"\\\n\r\t\0\u{1B}").serialized == #""\"\\\n\r\t\u0000\u001b""#)
  }

  @Test(arguments: [
    "\u{1B}[31m", "\u{9B}31m", "\u{7F}", "\u{202E}gnp.exe", "\u{2066}", "\u{2028}", "\u{200F}",
  ])
  func leavesNothingThatSteersATerminal(text: String) {
    let line = JSONValue.string(text).serialized
    #expect(line.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) })
  }

  @Test(arguments: [
    "plain", "Straße 東京 🏞️", "\u{0}\u{1F}\u{7F}\u{85}\u{9F}", "\"\\/", "\u{2028}\u{2029}\u{202E}",
    "e\u{301}", "\u{FEFF}\u{FFFD}", "line\r\nbreak\ttab",
  ])
  func isReadBackUnchanged(text: String) throws {
    let value: JSONValue = ["text": .string(text), "list": .array([.string(text)])]
    let data = Data(value.serialized.utf8)
    let read = try #require(
      JSONSerialization.jsonObject(with: data) as? [String: Any])
    let copy = try #require(read["text"] as? String)
    #expect(Array(copy.unicodeScalars) == Array(text.unicodeScalars))
    #expect(read["list"] as? [String] == [text])
  }
}
