/// A text in natural order: runs of digits compare by value, everything else by code point.
struct NaturalOrder: Comparable {
  private typealias Scalars = Substring.UnicodeScalarView

  private let text: String

  init(_ text: String) {
    self.text = text
  }

  static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
    var a = Substring(left.text).unicodeScalars
    var b = Substring(right.text).unicodeScalars
    while let first = a.first, let second = b.first {
      if first.isDigit, second.isDigit {
        let (m, n) = (takeNumber(&a), takeNumber(&b))
        if m.count != n.count { return m.count < n.count }
        if !m.elementsEqual(n) { return m.lexicographicallyPrecedes(n) }
      } else {
        if first != second { return first < second }
        a.removeFirst()
        b.removeFirst()
      }
    }
    if a.isEmpty != b.isEmpty { return a.isEmpty }
    return left.text < right.text
  }

  /// Takes the digits at the start, and returns them without leading zeros.
  private static func takeNumber(_ text: inout Scalars) -> Scalars {
    let digits = text.prefix { $0.isDigit }
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == "0" }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
