import FaketrackSupport
import Testing

@Suite struct DecimalTextTests {
  @Test(arguments: [
    (1.5, 1, "1.5"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (12, 0, "12"), (0.005, 3, "0.005"),
    (1_234.5678, 2, "1234.57"), (1e30, 1, "1e+30"), (-7.25, 0, "-7"), (.nan, 1, "nan"),
  ])
  func writesAFixedNumberOfDecimals(number: Double, places: Int, text: String) {
    #expect(DecimalText.fixed(number, places: places) == text)
  }

  @Test(arguments: [(7, 2, "07"), (123, 2, "123"), (0, 3, "000")])
  func fillsUpWithZeros(number: Int, digits: Int, text: String) {
    #expect(DecimalText.padded(number, digits: digits) == text)
  }

  @Test(arguments: [
    (1.0, "1"), (-1.0, "-1"), (0.1, "0.1"), (1e21, "1000000000000000000000"),
    (1.25e-7, "0.000000125"),
    (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"),
    (-12_345.678, "-12345.678"),
  ])
  func writesTheShortestDecimalWithoutAnExponent(number: Double, text: String) {
    var buffer = TextBuffer()
    buffer.appendShortest(number)
    #expect(buffer.string == text)
  }

  @Test func itsTextParsesToTheNumber() {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      var buffer = TextBuffer()
      buffer.appendShortest(number)
      #expect(Double(buffer.string) == number)
      #expect(!buffer.string.contains("e"))
    }
  }

  @Test(arguments: [(1.25, 1, 1.3), (-1.25, 1, -1.3), (1e308, 3, 1e308), (0.123456, 3, 0.123)])
  func roundsToANumberOfDecimals(number: Double, places: Int, rounded: Double) {
    #expect(number.rounded(places: places) == rounded)
  }
}
