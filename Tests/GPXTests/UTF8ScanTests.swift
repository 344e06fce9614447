import FaketrackSupport
import Testing

@testable import GPX

@Suite struct UTF8ScanTests {
  private func firstFault(_ bytes: [UInt8]) -> UTF8Scan.Fault? {
    bytes.withUnsafeBytes { UTF8Scan.firstFault(in: $0, from: 0) }
  }

  @Test(
    arguments: [
      ([0x80], 0..<1), ([0x41, 0xA0], 1..<2), ([0xC0, 0x80], 0..<2), ([0xC1, 0xBF], 0..<2),
      ([0xE0, 0x80, 0x80], 0..<3), ([0xED, 0xA0, 0x80], 0..<3), ([0xF4, 0x90, 0x80, 0x80], 0..<4),
      ([0xF5, 0x41], 0..<1), ([0xC3, 0x41], 0..<1), ([0xE2, 0x82, 0x41], 0..<2),
      ([0x41, 0xFF, 0xFE, 0xC3, 0xA4], 1..<3),
      (Array(repeating: 0x41, count: 70) + [0xFF], 70..<71),
    ] as [([UInt8], Range<Int>)])
  func findsTheFirstRunOfOtherBytes(bytes: [UInt8], range: Range<Int>) {
    let fault = firstFault(bytes)
    #expect(fault?.range == range)
    #expect(fault?.isPartial == false)
  }

  @Test(arguments: ["é", "€", "🚶"])
  func tellsAPartialCharacterFromAWrongOne(character: String) {
    let bytes = Array(("ab" + character).utf8)
    #expect(firstFault(bytes) == nil)
    for length in 3..<bytes.count {
      let fault = firstFault(Array(bytes[..<length]))
      #expect(fault?.isPartial == true)
      #expect(fault?.range == 2..<length)
    }
  }

  @Test func agreesWithTheStandardLibrary() {
    var generator = SplitMix64(seed: 4)
    let interesting: [UInt8] = [
      0x41, 0x7F, 0x80, 0xA0, 0xBF, 0xC2, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xFF,
    ]
    for _ in 0..<50_000 {
      let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        interesting.randomElement(using: &generator) ?? 0
      }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect((firstFault(bytes) == nil) == isValid, "\(bytes)")
    }
  }
}
