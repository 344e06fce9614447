import FaketrackSupport
import Testing

@Suite struct TextBufferTests {
  private func text(_ append: (inout TextBuffer) -> Void) -> String {
    var buffer = TextBuffer()
    append(&buffer)
    return buffer.string
  }

  @Test func putsTextTogether() {
    var buffer = TextBuffer()
    buffer.append("a")
    buffer.append(UInt8(ascii: "b"))
    buffer.append(contentsOf: "ç東🏞️")
    #expect(buffer.string == "abç東🏞️")
    #expect(buffer.count == "abç東🏞️".utf8.count)
    #expect(buffer.bytes == Array("abç東🏞️".utf8))
    buffer.truncate(to: 2)
    buffer.append(contentsOf: buffer)
    #expect(buffer.string == "abab")
    #expect(buffer.withBytes(from: 3) { Array($0) } == [UInt8(ascii: "b")])
    buffer.removeAll()
    #expect(buffer.isEmpty && buffer.string.isEmpty)
  }

  @Test func growsAsFarAsItMust() {
    var buffer = TextBuffer()
    for number in 0..<10_000 { buffer.append(number) }
    #expect(buffer.string == (0..<10_000).map(String.init).joined())
  }

  @Test(arguments: [-1, 0, 5, 99])
  func isCutToNoMoreThanItHas(count: Int) {
    var buffer = TextBuffer()
    buffer.append("abcdef")
    buffer.truncate(to: count)
    #expect(buffer.count == min(6, max(0, count)))
  }

  @Test(arguments: [0, 7, -7, 10, 99, 100, 101, 1_000_000, .max, .min])
  func writesWholeNumbers(number: Int) {
    #expect(text { $0.append(number) } == "\(number)")
  }

  @Test(
    arguments: [
      (0, 1, "0"), (0, 3, "000"), (7, 2, "07"), (42, 2, "42"), (142, 2, "142"),
      (1_000, 6, "001000"),
      (.max, 20, "18446744073709551615"), (10, 1, "10"),
    ] as [(UInt64, Int, String)])
  func fillsUpWithZeros(number: UInt64, digits: Int, expected: String) {
    #expect(text { $0.append(number, digits: digits) } == expected)
  }

  /// Numbers of every size, and those that are decimals of a few places.
  private static let numbers: [Double] = {
    var generator = SplitMix64(seed: 11)
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1e-4, 9.999e-5, 1e-5, 123_456.789, 999_999.999_999_999, 1e6, 1e15, 1e16,
      1e21, 0.3, 0.1 + 0.2, 52.4009, -180, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      0.000_123_456_789_01,
    ]
    for places in 0...12 {
      let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
      for _ in 0..<300 {
        numbers.append(Double(Int64(bitPattern: generator.next()) % 100_000_000_000) / scale)
      }
    }
    for _ in 0..<3_000 {
      let number = Double(bitPattern: generator.next())
      if number.isFinite { numbers.append(number) }
    }
    return numbers
  }()

  @Test func writesNumbersAsSwiftDescribesThem() {
    for number in Self.numbers { #expect(text { $0.append(number) } == number.description) }
  }

  @Test(arguments: [1, 2, 3, 6])
  func writesRoundedNumbersAsSwiftDescribesThem(places: Int) {
    for number in Self.numbers {
      #expect(
        text { $0.append(number, roundedTo: places) } == number.rounded(places: places).description,
        "\(number)")
    }
  }

  @Test func theShortestFormIsTheDescriptionWithoutItsExponent() {
    for number in Self.numbers where !number.description.contains("e") {
      let description = number.description
      #expect(
        text { $0.appendShortest(number) }
          == (description.hasSuffix(".0") ? String(description.dropLast(2)) : description))
    }
  }
}
