import FaketrackSupport

/// The names that a text asks for, and the places to which it narrows the search.
struct NameSearch: Sendable {
  /// The key of the start of the names.
  let key: [UInt8]
  /// The names that start with it.
  let names: Range<Int>
  /// The names that are it.
  let exact: Range<Int>
  /// Those by which it finds cities, in the order of the groups of matches.
  let parts: [NameList.Part]
  /// What follows the commas; empty unless the text narrows the search.
  let places: [String]
  private let text: Substring
  private let index: CityIndex

  /// - Parameter text: folded as names are, not trimmed; the empty one matches all.
  init(_ text: String, in index: CityIndex) {
    self.index = index
    let list = index.sections.names
    var (name, key, places) = (text[...], NameKey.key(of: text), [String]())
    var names = list.names(withPrefix: key)
    // A name that has the comma in it comes first.
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

  /// The text of a name that was found, `nil` for a city's own name.
  ///
  /// Of the ways to write it, the one that starts as the text does, or else the first.
  func matched(_ name: Int) -> String? {
    guard !index.sections.names.isOwn(name) else { return nil }
    let spellings = index.sections.names.spellings(of: name)
    guard spellings.count > 1 else { return spellings.first }
    let start = text.lowercased()
    return spellings.first { $0.lowercased().hasPrefix(start) } ?? spellings.first
  }
}

extension CityIndex {
  /// The cities one of whose names has the same key as this one, the most populous first.
  ///
  /// Case and accents do not matter: "zurich" finds "Zürich". What follows a comma narrows the search
  /// as that of ``CityQuery/prefix`` does: "Sydney, AU".
  public func cities(named name: String) -> [City] { matches(named: name).map(\.city) }

  /// As ``cities(named:)``, each with the other name that matched, if its own did not.
  public func matches(named name: String) -> [CityMatch] {
    let search = NameSearch(name, in: self)
    guard let filter = CityFilter(CityQuery(), places: search.places, in: self) else { return [] }
    var names: [Int: Int] = [:]
    for name in search.exact {
      let row = Int(sections.names.row(name))
      guard filter.accepts(row), names[row] == nil else { continue }
      names[row] = name
    }
    return names.sorted { $0.key < $1.key }.map { row, name in
      CityMatch(city: city(row), matched: search.matched(name))
    }
  }

  /// Cities with a name that resembles a mistyped one, those with the fewest edits first, then the
  /// most populous.
  ///
  /// An edit adds, removes or changes a byte of the key, or swaps two: keys of up to five bytes may
  /// differ by one edit, longer ones by two. What follows a comma is left out. Linear in the number of
  /// names, tens of milliseconds: made for suggestions, not for search.
  public func cities(similarTo name: String, limit: Int) -> [City] {
    let wanted = NameSearch(name, in: self).key
    guard wanted.count >= 3, limit > 0 else { return [] }
    let tolerance = wanted.count < 6 ? 1 : 2
    var edits: [Int: Int] = [:]
    var distances = EditDistance(to: wanted, limit: tolerance)
    sections.names.forEachKey { name, key in
      guard let distance = distances.edits(from: key) else { return }
      let row = Int(sections.names.row(name))
      edits[row] = min(distance, edits[row] ?? distance)
    }
    let rows = edits.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    return cities(Array(rows.prefix(limit)))
  }
}
