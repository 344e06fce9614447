import FaketrackSupport
import Foundation

/// The names that match a text, and the places to which it narrows the search.
struct NameSearch: Sendable {
  /// The key of the text before the comma.
  let key: [UInt8]
  /// The names that start with the key, and those that are the key.
  let names: Range<Int>
  let exact: Range<Int>
  /// The names that find a city, in the order of the groups of matches.
  let parts: [NameList.Part]
  let places: [String]
  private let text: Substring
  private let index: CityIndex

  /// - Parameters:
  ///   - text: the start of a name, not trimmed; the empty text matches all.
  ///   - isWhole: whether the text has to be a whole name.
  init(_ text: String, isWhole: Bool = false, in index: CityIndex) {
    self.index = index
    let list = index.sections.names
    var (name, places) = (text[...], [String]())
    var found = Self.names(text, isWhole: isWhole, in: list)
    // Names that contain the comma come first.
    if found.names.isEmpty, let comma = text.firstIndex(of: ",") {
      name = text[..<comma]
      while name.last?.isWhitespace == true { name.removeLast() }
      found = Self.names(String(name), isWhole: isWhole, in: list)
      places = text[comma...].split(separator: ",").map { String($0).trimmed }
        .filter { !$0.isEmpty }
    }
    (key, names, exact) = found
    parts = list.parts(of: names, exact: exact, prefixCount: key.count)
    (self.text, self.places) = (name, places)
  }

  private typealias Names = (key: [UInt8], names: Range<Int>, exact: Range<Int>)

  /// The names that start with a text, or if there are none, with another spelling of it, preferably
  /// one that is a whole name. In Chinese, a whole name in the other script comes before a longer one.
  private static func names(_ text: String, isWhole: Bool, in list: NameList) -> Names {
    func names(_ key: [UInt8]) -> Names {
      let names = list.names(withPrefix: key)
      return (key, names, list.exact(names, key))
    }
    let found = names(NameKey.key(of: text))
    // One character is rarely a whole name.
    let isChinese = text.unicodeScalars.dropFirst().contains(where: \.properties.isIdeographic)
    guard !text.isEmpty, (isWhole || isChinese ? found.exact : found.names).isEmpty else {
      return found
    }
    let variants = variants(of: text, key: found.key).map(names)
    return variants.first { !$0.exact.isEmpty }
      ?? ([found] + variants).first { !$0.names.isEmpty } ?? found
  }

  /// The keys of other spellings: "sainte" and "st." for "saint", apostrophes for spaces and the other
  /// way around, Simplified Chinese for Traditional and the other way around.
  private static func variants(of text: String, key: [UInt8]) -> [[UInt8]] {
    let saints = ["st ", "st. ", "sainte "].map { Array($0.utf8) }
    var variants = saints.filter { key.starts(with: $0) }.flatMap { start in
      saints.map { $0 + key[start.count...] }
    }
    let gaps = key.indices.filter { key[$0] == 0x20 || key[$0] == 0x27 }.prefix(4)
    for choice in 0..<1 << gaps.count {
      var variant = key
      for (bit, gap) in gaps.enumerated() { variant[gap] = choice >> bit & 1 == 0 ? 0x20 : 0x27 }
      variants.append(variant)
    }
    guard text.unicodeScalars.contains(where: \.properties.isIdeographic) else { return variants }
    return variants
      + ["Hant-Hans", "Hans-Hant"].compactMap {
        text.applyingTransform(StringTransform($0), reverse: false).map(NameKey.key)
      }
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
