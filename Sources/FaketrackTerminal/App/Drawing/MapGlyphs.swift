import Foundation

/// The characters in which maps are drawn.
package enum MapGlyphs: String, CaseIterable, Sendable {
  /// Braille patterns, each of eight dots.
  case braille
  /// Half and full blocks, which also the console of Linux has.
  case blocks
  case ascii

  /// The characters that a terminal has, by its type and the codeset of the locale. A locale that is not set
  /// says nothing about the terminal.
  package init(environment: [String: String]) {
    if !Self.hasUnicode(environment) {
      self = .ascii
    } else {
      self = environment["TERM"] == "linux" ? .blocks : .braille
    }
  }

  /// Whether a terminal shows more than ASCII.
  package static func hasUnicode(_ environment: [String: String]) -> Bool {
    if environment["TERM", default: ""].hasPrefix("vt") { return false }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    return locale.map { $0.lowercased().replacing("-", with: "").contains("utf8") } ?? true
  }

  /// - Parameter dots: the dots in the order of Unicode's Braille patterns: down the left side, down the right
  ///   side, then the last row.
  func character(for dots: UInt8) -> Character {
    if self == .braille { return Character(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ") }
    let quarters = [0b0000_0011, 0b0001_1000, 0b0100_0100, 0b1010_0000] as [UInt8]
    let filled = quarters.enumerated().reduce(0) {
      $0 | (dots & $1.element == 0 ? 0 : 1 << $1.offset)
    }
    return (self == .blocks ? Self.blockCharacters : Self.asciiCharacters)[filled]
  }

  // By the filled quarters: 1 is the upper left one, then 2, 4 and 8 are the upper right and the lower ones.
  private static let blockCharacters = Array(" ▀▀▀▄▌██▄█▐█▄███")
  private static let asciiCharacters = Array(" ''\".|/#.\\|#_###")
}

extension Character {
  /// Similar characters of ASCII in the same columns.
  var inASCII: String {
    if isASCII { return String(self) }
    if let similar = Self.similar[self] { return String(similar) }
    let letter = String(self).decomposedStringWithCanonicalMapping.unicodeScalars.first
    return letter.flatMap { $0.isASCII ? String($0) : nil }
      ?? String(repeating: "?", count: columns)
  }

  private static let similar: [Character: Character] = Dictionary(
    uniqueKeysWithValues: zip(
      "…·×‖–—’‘“”─├┤▶★●◆◇•←↑→↓↖↗↘↙°ß", ".-x|--''\"\"-||>*@*+o<^>v\\/\\/os"))
}
