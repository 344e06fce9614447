import FaketrackSupport

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

  /// - Parameter text: the start of a name, not trimmed; the empty text matches all.
  init(_ text: String, in index: CityIndex) {
    self.index = index
    let list = index.sections.names
    var (name, key, places) = (text[...], NameKey.key(of: text), [String]())
    var names = list.names(withPrefix: key)
    // Names that contain the comma come first.
    if names.isEmpty, let comma = text.firstIndex(of: ",") {
      name = text[..<comma]
      while name.last?.isWhitespace == true { name.removeLast() }
      key = NameKey.key(of: String(name))
      names = list.names(withPrefix: key)
      places = text[comma...].split(separator: ",").map { String($0).trimmed }
        .filter { !$0.isEmpty }
    }
    exact = list.exact(names, key)
    parts = list.parts(of: names, exact: exact, prefixCount: key.count)
    (self.text, self.key, self.names, self.places) = (name, key, names, places)
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
  /// Returns the cities with this main or alternate name, in descending order of population, with
  /// the alternate names that matched.
  ///
  /// Case and accents do not matter: "zurich" finds "Zürich". A region or country after a comma narrows
  /// the search, as in ``CityQuery/prefix``: "Sydney, AU". Logarithmic, and linear in the number of
  /// matches.
  public func matches(named name: String) -> [CityMatch] {
    let search = NameSearch(name, in: self)
    guard let filter = CityFilter(CityQuery(), places: search.places, in: self) else { return [] }
    let names = Dictionary(
      search.exact.map { (Int(sections.names.row($0)), $0) },
      uniquingKeysWith: { first, _ in first })
    return names.filter { filter.accepts($0.key) }.sorted { $0.key < $1.key }.map { row, name in
      CityMatch(city: city(row), matched: search.matched(name))
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
