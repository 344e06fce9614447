import FaketrackSupport
import Testing

@testable import GPX

@Suite struct DecimalParserTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalParser.parse($0) }
  }

  @Test(arguments: [
    ("0", 0), ("46.2", 46.2), ("-13.0591", -13.0591), ("+7", 7), (".5", 0.5), ("5.", 5),
    (" 46.2\n", 46.2), ("1e-5", 0.000_01), ("-1.5E2", -150), ("007", 7), ("-0", -0.0),
    ("0.1000000000000000055511151231257827", 0.1), ("9999999999999999999", 1e19),
    ("12345678901234567890.5", 12_345_678_901_234_567_890.5),
    ("0.0000000000000000000000001", 1e-25),
  ])
  func readsANumber(text: String, value: Double) {
    #expect(parse(text) == value)
    #expect(parse(text)?.sign == value.sign)
  }

  @Test(arguments: [
    "", " ", "46,2", "NaN", "nan", "inf", "INF", "0x10", "undefined", "null", "1.2.3", "1e", "e5",
    "--1", "+-1", "-", ".", "+.", "1 2", "46.2°", "1_000", "1e999", "1e5.5", "４６", "N46",
    "46.2\u{A0}", "1.23456789012345678901x",
  ])
  func refusesWhatIsNoNumber(text: String) {
    #expect(parse(text) == nil)
  }

  @Test func readsEveryNumberOfDigitsAsTheNearestDouble() {
    var generator = SplitMix64(seed: 1)
    for round in 0..<40_000 {
      let digits = 1 + round % 22
      let point = Int.random(in: 0...digits, using: &generator)
      var text = Bool.random(using: &generator) ? "-" : ""
      for index in 0..<digits {
        if index == point { text += "." }
        text += String(Int.random(in: 0...9, using: &generator))
      }
      #expect(parse(text) == Double(text), "\(text)")
    }
  }

  @Test func readsTheHardestHalvesToEven() {
    // Halfway between two doubles, and one unit in the last place to both sides.
    for text in [
      "9007199254740993", "9007199254740992.9", "9007199254740993.1", "4503599627370497.5",
      "4503599627370496.499", "4503599627370497.501", "1152921504606847104.0",
    ] {
      #expect(parse(text) == Double(text), "\(text)")
    }
  }

  @Test func readsEveryDescriptionOfADouble() {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<20_000 {
      let value = Double.random(in: -180...180, using: &generator)
      #expect(parse("\(value)") == value)
      let small = value * 1e-9
      #expect(parse("\(small)") == small)
    }
  }
}
