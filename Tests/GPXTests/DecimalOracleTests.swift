import FaketrackSupport
import Testing

@testable import GPX

/// The decimal parser against exact arithmetic with numbers of any length, and against a grammar.
@Suite struct DecimalOracleTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalParser.parse($0) }
  }

  @Test func roundsToTheNearestDoubleWithAndWithoutAnExponent() throws {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<6_000 {
      let count = 1 + generator.index(below: 26)
      let point = generator.index(below: count + 1)
      var digits = (0..<count).map { _ in String(generator.index(below: 10)) }
      digits.insert(".", at: point)
      var text = digits.joined()
      if generator.index(below: 3) == 0 { text += "e\(generator.index(below: 61) - 30)" }
      let value = try #require(parse(text), "\(text)")
      #expect(try Spelling(text).isNearest(value), "\(text) is not \(value)")
    }
  }

  @Test func roundsTiesToEvenAndTheirNeighborsToTheirSide() throws {
    var generator = SplitMix64(seed: 12)
    for _ in 0..<2_000 {
      // An odd number of 54 bits lies halfway between two doubles, and so does its half.
      let odd = (1 << 53) | UInt64(generator.next() >> 11) | 1
      for text in ["\(odd)", "\(odd / 2).5", "\(odd - 1)", "\(odd + 1)", "\(odd).1", "\(odd).0"] {
        let value = try #require(parse(text))
        #expect(try Spelling(text).isNearest(value), "\(text) is not \(value)")
      }
      // The digits decide only behind the nineteenth character, in the slow path.
      for tail in [".00000", ".00001"] {
        let text = "\(odd)\(tail)"
        let value = try #require(parse(text))
        #expect(try Spelling(text).isNearest(value), "\(text) is not \(value)")
      }
    }
  }

  @Test func acceptsWhatTheGrammarAllowsAndNothingElse() {
    var generator = SplitMix64(seed: 13)
    let alphabet = Array("0123456789012345..+-eE, \t")
    var accepted = 0
    for _ in 0..<25_000 {
      let text = String(
        (0..<generator.index(below: 9)).map { _ in alphabet[generator.index(below: alphabet.count)]
        }
      )
      let isNumber = Self.isNumber(text)
      accepted += isNumber ? 1 : 0
      guard (parse(text) != nil) == isNumber else {
        Issue.record("\"\(text)\" is \(isNumber ? "" : "not ")a number")
        return
      }
    }
    // Both answers must occur often, or the comparison says little.
    #expect(accepted > 2_000 && accepted < 20_000, "\(accepted)")
  }

  @Test func givesTheSameWithSpacesAndSignsAroundIt() throws {
    var generator = SplitMix64(seed: 14)
    for _ in 0..<2_000 {
      let text = "\(generator.unit() * 180)"
      let value = try #require(parse(text))
      for (head, tail) in [(" ", ""), ("", "\n"), ("\t\r\n ", " \u{0B}"), ("\u{0}", "\u{1F}")] {
        #expect(parse(head + text + tail) == value)
        #expect(parse(head + "+" + text + tail) == value)
        #expect(parse(head + "-" + text + tail) == -value)
        #expect(parse(head + "- " + text + tail) == nil)
      }
    }
  }

  @Test func givesTheSameWithZerosInFrontAndBehind() throws {
    var generator = SplitMix64(seed: 15)
    for _ in 0..<500 {
      let text = "\(1 + generator.index(below: 179)).\(1 + generator.index(below: 999_999))"
      let value = try #require(parse(text))
      for zeros in 0...24 {
        let more = String(repeating: "0", count: zeros)
        #expect(parse(more + text) == value)
        #expect(parse(text + more) == value)
      }
    }
  }

  @Test func findsAWrongByteAtEveryPlace() {
    // The digits behind the point are read eight at a time.
    for text in ["1.2345678", "12.34567890123456", "123456789012.345", "0.1234567890123456789012"] {
      for index in text.indices {
        for wrong in ["/", ":", ",", "x", "\u{0}", "é"] {
          var broken = text
          broken.replaceSubrange(index...index, with: wrong)
          let isSpace = wrong == "\u{0}" && index == text.startIndex
          let isTrailing = wrong == "\u{0}" && text.index(after: index) == text.endIndex
          #expect((parse(broken) == nil) == !(isSpace || isTrailing), "\(broken)")
        }
      }
    }
  }

  /// Whether the text is an optional sign, digits with an optional point among, before or behind
  /// them, and an optional exponent, with white space around.
  private static func isNumber(_ text: String) -> Bool {
    func withoutSign(_ text: Substring) -> Substring {
      text.first == "+" || text.first == "-" ? text.dropFirst() : text
    }
    func isDigits(_ text: Substring) -> Bool { text.allSatisfy { $0.isASCII && $0.isNumber } }
    let trimmed = text[...].trimmingSpaces()
    let halves = trimmed.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard halves.count <= 2 else { return false }
    if halves.count == 2 {
      let exponent = withoutSign(halves[1])
      guard !exponent.isEmpty, isDigits(exponent) else { return false }
      // More would be infinite or zero, which is another question.
      guard Double(trimmed).map(\.isFinite) ?? true else { return false }
    }
    let parts = withoutSign(halves[0]).split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy(isDigits) && parts.contains { !$0.isEmpty }
  }
}

extension Substring {
  /// The text without the characters up to the space at both of its ends.
  fileprivate func trimmingSpaces() -> Substring {
    var text = drop { $0.asciiValue.map { $0 <= 0x20 } ?? false }
    while let last = text.last, last.asciiValue.map({ $0 <= 0x20 }) ?? false { text.removeLast() }
    return text
  }
}

/// A number as its text has it: an integer of any length and a power of ten.
private struct Spelling {
  var integer = Natural(0)
  var exponent = 0

  struct Broken: Error {}

  init(_ text: String) throws {
    let halves = text.split(separator: "e")
    exponent = halves.count > 1 ? Int(halves[1]) ?? 0 : 0
    let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1 { exponent -= parts[1].count }
    for digit in parts.joined() {
      guard let value = digit.wholeNumberValue else { throw Broken() }
      integer.multiply(by: 10)
      integer.add(UInt64(value))
    }
  }

  /// Whether no other double is nearer, and of two equally near ones this is the even one.
  func isNearest(_ value: Double) -> Bool {
    guard value.isNormal else { return value == 0 && integer.isZero }
    let significand = value.significandBitPattern | 1 << 52
    let exponent = Int(value.exponent) - 52
    // The middle between the double and the next one to each side, as an integer and a power of 2.
    let isPower = value.significandBitPattern == 0
    let below =
      isPower ? (4 * significand - 1, exponent - 2) : (2 * significand - 1, exponent - 1)
    let above = (2 * significand + 1, exponent - 1)
    let isEven = significand % 2 == 0
    let (fromBelow, toAbove) = (compared(with: below), compared(with: above))
    return isEven ? fromBelow >= 0 && toAbove <= 0 : fromBelow > 0 && toAbove < 0
  }

  /// −1, 0 or 1: whether this is less than, equal to or greater than `number`.
  private func compared(with number: (UInt64, Int)) -> Int {
    var left = integer
    var right = Natural(number.0)
    left.multiply(by: 10, times: max(0, exponent))
    left.multiply(by: 2, times: max(0, -number.1))
    right.multiply(by: 2, times: max(0, number.1))
    right.multiply(by: 10, times: max(0, -exponent))
    return left.compared(with: right)
  }
}

/// An integer from 0, of any length.
private struct Natural {
  /// Nine decimal digits each, the lowest first; no zeros at the end.
  private var limbs: [UInt64] = []

  init(_ value: UInt64) {
    add(value)
  }

  var isZero: Bool { limbs.isEmpty }

  mutating func add(_ value: UInt64) {
    var carry = value
    var index = 0
    while carry > 0 {
      if index == limbs.count { limbs.append(0) }
      let sum = limbs[index] + carry % 1_000_000_000
      limbs[index] = sum % 1_000_000_000
      carry = carry / 1_000_000_000 + sum / 1_000_000_000
      index += 1
    }
  }

  /// Multiplies by a factor below 2^32.
  mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let product = limbs[index] * factor + carry
      limbs[index] = product % 1_000_000_000
      carry = product / 1_000_000_000
    }
    while carry > 0 {
      limbs.append(carry % 1_000_000_000)
      carry /= 1_000_000_000
    }
  }

  mutating func multiply(by factor: UInt64, times: Int) {
    // Eight at once: 10^8 is below 2^32.
    for _ in 0..<times / 8 { multiply(by: (0..<8).reduce(1) { power, _ in power * factor }) }
    for _ in 0..<times % 8 { multiply(by: factor) }
  }

  func compared(with other: Natural) -> Int {
    if limbs.count != other.limbs.count { return limbs.count < other.limbs.count ? -1 : 1 }
    for (a, b) in zip(limbs, other.limbs).reversed() where a != b { return a < b ? -1 : 1 }
    return 0
  }
}
