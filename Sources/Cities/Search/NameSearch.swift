import FaketrackSupport
import Foundation

/// The names that match a text, and the places to which it narrows the search.
struct NameSearch: Sendable {
  /// The names that find a city, in the order of the groups of matches.
  let parts: [NameList.Part]
  let places: [String]
  private let found: Names
  private let text: Substring
  private let index: CityIndex

  /// The key of the text before the comma; without its space, if white space is at its end.
  var key: [UInt8] { found.key }
  /// The key with that space.
  var prefix: [UInt8] { found.prefix }
  /// The names that are the key.
  var exact: Range<Int> { found.exact }

  /// - Parameters:
  ///   - text: the start of a name; the empty text matches all.
  ///   - isWhole: whether the text has to be a whole name.
  init(_ text: String, isWhole: Bool = false, in index: CityIndex) {
    let list = index.sections.names
    var text = text.drop(while: \.isWhitespace)
    if isWhole { text = text.withoutSpaceAfter }
    var places: [String] = []
    var found = Self.names(text, isWhole: isWhole, in: list)
    // Names that contain the comma come first.
    if found.isEmpty, let comma = text.firstIndex(of: ",") {
      places = text[comma...].split(separator: ",").map { String($0).trimmed }
        .filter { !$0.isEmpty }
      text = text[..<comma].withoutSpaceAfter
      found = Self.names(text, isWhole: isWhole, in: list)
    }
    let count = found.prefix.count
    parts =
      found.isWord
      ? list.parts(ofWord: found.names, prefixCount: count, exact: found.exact)
      : list.parts(of: found.names, prefixCount: count, exact: found.exact)
    (self.text, self.places) = (text.withoutSpaceAfter, places)
    (self.found, self.index) = (found, index)
  }

  /// The number of cities that match.
  var total: Int {
    if key.isEmpty { return index.count }
    let names = index.sections.names
    return found.isWord
      ? parts.reduce(0) { $0 + names.cityCount($1) }
      : names.cityCount(found.names, prefixCount: prefix.count)
  }

  private struct Names {
    let prefix: [UInt8]
    /// The prefix without the space at its end, if that may be the end of the name.
    let key: [UInt8]
    /// The names with the prefix, and the names that are the key.
    let names: Range<Int>
    let exact: Range<Int>

    var isWord: Bool { key.count < prefix.count }
    var isEmpty: Bool { names.isEmpty && exact.isEmpty }

    /// - Parameter isWord: whether the space at the end of the prefix may be the end of the name.
    init(_ prefix: [UInt8], isWord: Bool, in list: NameList) {
      self.prefix = prefix
      names = list.names(withPrefix: prefix)
      let isWord = isWord && prefix.count > 1 && prefix.last == UInt8(ascii: " ")
      key = isWord ? prefix.dropLast() : prefix
      exact = list.exact(isWord ? list.names(withPrefix: key) : names, key)
    }
  }

  /// The names that start with a text, or if there are none, with another spelling of it, preferably
  /// one that is a whole name. In Chinese, a whole name in the other script comes before a longer one.
  private static func names(_ text: Substring, isWhole: Bool, in list: NameList) -> Names {
    let isWord = text.last?.isWhitespace == true
    let text = isWord ? text.withoutSpaceAfter + " " : text
    func names(_ prefix: [UInt8]) -> Names { Names(prefix, isWord: isWord, in: list) }
    let found = names(NameKey.key(ofPrefix: String(text)))
    // One character is rarely a whole name.
    let isChinese = text.unicodeScalars.dropFirst().contains(where: \.properties.isIdeographic)
    guard !text.isEmpty, isWhole || isChinese ? found.exact.isEmpty : found.isEmpty else {
      return found
    }
    let variants = variants(of: String(text)).map(names)
    return variants.first { !$0.exact.isEmpty } ?? ([found] + variants).first { !$0.isEmpty }
      ?? found
  }

  /// The keys of other spellings: apostrophes for spaces and the other way around, without
  /// apostrophes, Simplified Chinese for Traditional and the other way around.
  private static func variants(of text: String) -> [[UInt8]] {
    let key = NameKey.key(of: text)
    let gaps = key.indices.filter { key[$0] == 0x20 || key[$0] == 0x27 }.prefix(4)
    var variants = (0..<1 << gaps.count).map { choice in
      var variant = key
      for (bit, gap) in gaps.enumerated() { variant[gap] = choice >> bit & 1 == 0 ? 0x20 : 0x27 }
      return variant
    }
    variants.append(key.filter { $0 != 0x27 })
    if text.unicodeScalars.contains(where: \.properties.isIdeographic) {
      variants += ["Hant-Hans", "Hans-Hant"].compactMap {
        text.applyingTransform(StringTransform($0), reverse: false).map(NameKey.key(of:))
      }
    }
    return variants.map(NameKey.abbreviated(prefix:))
  }

  /// The spelling of a name, preferably one that starts with the text; `nil` for a main name.
  func matched(_ name: Int) -> String? {
    guard !index.sections.names.isMain(name) else { return nil }
    let spellings = index.sections.names.spellings(of: name)
    guard spellings.count > 1 else { return spellings.first }
    let start = text.lowercased()
    return spellings.first { $0.lowercased().hasPrefix(start) } ?? spellings.first
  }
}

extension CityIndex {
  /// Returns the cities with this main or alternate name, with the alternate names that matched, in
  /// descending order of population; a main name comes before another city's alternate name unless
  /// that city has fifty times the population.
  ///
  /// Case, accents and hyphens do not matter: "zurich" finds "Zürich". A region or country after a
  /// comma narrows the search, as in ``CityQuery/prefix``: "Sydney, AU". Logarithmic, and linear in the
  /// number of matches.
  public func matches(named name: String) -> [CityMatch] {
    let search = NameSearch(name, isWhole: true, in: self)
    guard let filter = CityFilter(CityQuery(), places: search.places, in: self) else { return [] }
    return exactMatches(search, filter).map {
      CityMatch(city: city($0.row), matched: search.matched($0.name))
    }
  }

  /// Returns at most `limit` cities with a name similar to a mistyped one, those with the fewest edits
  /// first, then in descending order of population.
  ///
  /// An edit adds, removes or changes a byte of the key, or swaps two: keys of three to five bytes may
  /// differ by one edit, longer ones by two; shorter ones are similar to none. Text after a comma is
  /// ignored. Linear in the number of names, tens of milliseconds.
  public func cities(similarTo name: String, limit: Int) -> [City] {
    let wanted = NameSearch(name, in: self).key
    guard wanted.count >= 3, limit > 0 else { return [] }
    let tolerance = wanted.count < 6 ? 1 : 2
    var edits: [Int: Int] = [:]
    sections.names.forEachKey { name, key in
      guard let distance = editDistance(key, wanted, limit: tolerance) else { return }
      let row = Int(sections.names.row(name))
      edits[row] = min(distance, edits[row] ?? distance)
    }
    let rows = edits.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    return cities(Array(rows.prefix(limit)))
  }
}

extension Substring {
  fileprivate var withoutSpaceAfter: Substring {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
