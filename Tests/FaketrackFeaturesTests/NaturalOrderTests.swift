import Testing

@testable import FaketrackFeatures

@Suite struct NaturalOrderTests {
  /// Texts in the expected order.
  static let ordered = [
    "", " ", "007a", "8", "10", "10a", "10b", "99999999999999999999", "100000000000000000000",
    "Item", "Item 0", "Item 2", "Item 28", "Item 028x", "Item 276", "Item 276 b", "Item a",
    "a1b2", "a1b10", "a2", "é", "٣",
  ]

  @Test func ordersEveryPair() {
    for (a, left) in Self.ordered.enumerated() {
      for (b, right) in Self.ordered.enumerated() {
        #expect((NaturalOrder(left) < NaturalOrder(right)) == (a < b), "\(left) and \(right)")
      }
    }
  }

  @Test(arguments: [("1", "01"), ("a1b", "a001b")])
  func numbersOfTheSameValueStillHaveAnOrder(left: String, right: String) {
    let isLess = NaturalOrder(left) < NaturalOrder(right)
    let isGreater = NaturalOrder(right) < NaturalOrder(left)
    #expect(isLess != isGreater)
  }

  @Test func aDigitWithAnAccentMakesNoCircle() {
    let texts = ["5\u{301}", "7", "10", "5", "6"].map(NaturalOrder.init)
    for a in texts {
      for b in texts {
        for c in texts where a < b && b < c { #expect(a < c) }
      }
    }
  }
}
