import Foundation

/// Folds names into the keys by which they are matched and sorted.
///
/// A key is the name case folded, compatibility decomposed (NFKD) and without characters of a
/// non-zero combining class other than Japanese voicing marks. Hyphens and spaces are one space, a few
/// letters and apostrophes are replaced, and characters that only control hyphenation and joining are
/// removed. Each scalar can be folded separately, because the removed characters are the only ones
/// that decomposition could reorder. Keys compare by their UTF-8 bytes, which is the order of code
/// points.
struct NameKey {
  /// The results for scalars beyond ASCII.
  private var known: [Unicode.Scalar: [UInt8]] = [:]

  /// Appends the key of UTF-8 text to `key`; malformed bytes count as U+FFFD.
  mutating func append(_ name: some Sequence<UInt8>, to key: inout [UInt8]) {
    let start = key.count
    var decoder = UTF8()
    var bytes = name.makeIterator()
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar) where scalar.isASCII:
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        let letter = byte == 0x2D ? 0x20 : byte &- 0x41 < 26 ? byte | 0x20 : byte
        if letter != 0x20 || key.count == start || key.last != 0x20 { key.append(letter) }
      case .scalarValue(let scalar):
        let part = folded(scalar)
        let repeatsSpace = part.first == 0x20 && key.count > start && key.last == 0x20
        key.append(contentsOf: repeatsSpace ? part[1...] : part[...])
      case .error:
        key.append(contentsOf: folded("\u{FFFD}"))
      case .emptyInput:
        return
      }
    }
  }

  static func key(of name: String) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.utf8.count)
    var folding = NameKey()
    folding.append(name.utf8, to: &key)
    return key
  }

  private mutating func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
    if let key = known[scalar] { return key }
    var key: [UInt8] = []
    let decomposed = Self.caseFolded(scalar).decomposedStringWithCompatibilityMapping
    for part in decomposed.unicodeScalars
    where part.properties.canonicalCombiningClass == .notReordered
      || part.properties.canonicalCombiningClass == .kanaVoicing
    {
      let isDash = part.properties.generalCategory == .dashPunctuation
      key.append(contentsOf: (isDash ? " " : Self.replacements[part] ?? String(part)).utf8)
    }
    known[scalar] = key
    return key
  }

  /// The full case folding of Unicode (`CaseFolding.txt`, C and F).
  ///
  /// It is the lowercase of the uppercase for all scalars except ẞ; ı, which is replaced later; and
  /// the Cherokee letters, which fold to their older capitals.
  private static func caseFolded(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x1E9E: "ss"
    case 0x13A0...0x13F5: String(scalar)
    case 0x13F8...0x13FD, 0xAB70...0xABBF: scalar.properties.uppercaseMapping
    default:
      scalar.properties.uppercaseMapping.unicodeScalars.reduce(into: "") {
        $0 += $1.properties.lowercaseMapping
      }
    }
  }

  private static let replacements: [Unicode.Scalar: String] = [
    "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th",
    "’": "'", "‘": "'", "ʻ": "'",
    // The soft hyphen, the zero-width non-joiner and joiner.
    "\u{AD}": "", "\u{200C}": "", "\u{200D}": "",
    // Arabic letters by their Persian forms: yeh, alef maksura, kaf; and teh marbuta as heh.
    "\u{64A}": "\u{6CC}", "\u{649}": "\u{6CC}", "\u{643}": "\u{6A9}", "\u{629}": "\u{647}",
  ]
}
