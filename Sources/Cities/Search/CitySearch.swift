import Geodesy

/// The criteria, the order and the page of a search.
public struct CityQuery: Hashable, Sendable {
  /// The order of the matches within each of three groups: names that are the prefix itself, then
  /// longer main names of cities, then longer alternate names.
  public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// By the key of the matching name in code point order, then by country code, then by id.
    case name
    /// By descending population, then by the key of the main name, by country code, and by id. A city
    /// with a longer main name is in the first group too if one of its alternate names is the prefix;
    /// there, it comes after cities of that name unless it has fifty times their population.
    case population
  }

  /// The start of a name, regardless of case, accents, apostrophes that a name has, and white space
  /// before; the empty prefix matches all. Words with a space or hyphen after them match their
  /// abbreviations: `Saint-`, `Sainte-`, `Sankt `, `St. `; `Mount `, `Fort `, `Santa `, `Santo `. With
  /// white space after it, the names that are the prefix come first, then those that go on after a
  /// space.
  ///
  /// A region or a country after a comma narrows the search, by English name or code, unless the name
  /// of a city contains the comma: `Portland, Oregon`, `Paris, TX, USA`.
  public var prefix: String
  /// The two-letter code of the only country to search, in either case.
  public var country: String?
  /// The ids of the only cities to search.
  public var ids: Set<Int>?
  /// The minimum population; an unknown one counts as 0.
  public var minimumPopulation: Int
  /// The order of the matches.
  public var order: Order
  /// The number of matches to skip; negative counts as 0.
  public var offset: Int
  /// The maximum number of matches to return; negative counts as 0.
  public var limit: Int
  /// Whether cities with the same main name that match by the same longer transliteration by machine,
  /// such as "potsumasu" of all cities named Portsmouth, are one match, the most populous; by population
  /// only.
  package var mergesNamesakes = false

  /// Creates a query, by default for the first 20 of all cities by name.
  public init(
    prefix: String = "", country: String? = nil, ids: Set<Int>? = nil, minimumPopulation: Int = 0,
    order: Order = .name, offset: Int = 0, limit: Int = 20
  ) {
    self.prefix = prefix
    self.country = country
    self.ids = ids
    self.minimumPopulation = minimumPopulation
    self.order = order
    self.offset = offset
    self.limit = limit
  }
}

/// A city that a search found.
public struct CityMatch: Hashable, Sendable {
  /// The city.
  public var city: City
  /// The alternate name that matched; `nil` if the city's main name does.
  public var matched: String?
}

/// One page of the cities that match a query.
public struct CityPage: Sendable {
  /// The cities of this page.
  public let cities: [City]
  /// The number of matches on all pages.
  public let total: Int
  private let found: [Found]
  private let search: NameSearch

  fileprivate init(_ found: [Found], total: Int, _ search: NameSearch, in index: CityIndex) {
    cities = index.cities(found.lazy.map(\.row))
    self.total = total
    self.found = found
    self.search = search
  }

  /// The cities of this page with the names that matched; linear, about 0.3 µs a city.
  public var matches: [CityMatch] {
    zip(cities, found).map { city, found in
      CityMatch(city: city, matched: found.name.flatMap(search.matched))
    }
  }
}

/// The row of a city and the name by which a search found it, `nil` for its main name.
private struct Found {
  let row: Int
  let name: Int?
}

extension CityIndex {
  /// Returns one page of the cities that match a query, and the number of all matches.
  ///
  /// A city matches by its main name or by an alternate name, and is returned once.
  ///
  /// - Complexity: linear in the number of names with the prefix; by name without filters, far less
  ///   than 1 ns a name.
  public func search(_ query: CityQuery) -> CityPage {
    let search = NameSearch(query.prefix, in: self)
    guard let filter = CityFilter(query, places: search.places, in: self) else {
      return CityPage([], total: 0, search, in: self)
    }
    let offset = max(query.offset, 0)
    let (end, isTooLarge) = offset.addingReportingOverflow(max(query.limit, 0))
    let page = offset..<(isTooLarge ? .max : end)
    return query.order == .name
      ? byName(search, filter, page)
      : byPopulation(search, filter, page, mergesNamesakes: query.mergesNamesakes)
  }

  /// Returns the most populous cities within a box, in descending order of population, then by name;
  /// linear in the number of cities at worst.
  package func mostPopulous(_ count: Int, in box: BoundingBox) -> [City] {
    // In this order of arguments, NaN becomes -180.
    func edge(_ degrees: Double) -> Int32 { CityRecord.fixed(min(max(-180, degrees), 180)) }
    let (south, north) = (edge(box.minimumLatitude), edge(box.maximumLatitude))
    let (west, east) = (edge(box.minimumLongitude), edge(box.maximumLongitude))
    let records = sections.records
    let rows = records.indices.lazy.filter { row in
      let record = records[row]
      guard south <= record.latitude, record.latitude <= north else { return false }
      // A box across the date line has its western edge east of its eastern one.
      return west <= east
        ? west <= record.longitude && record.longitude <= east
        : west <= record.longitude || record.longitude <= east
    }
    return cities(Array(rows.prefix(max(0, count))))
  }
}

extension CityIndex {
  private func byName(_ search: NameSearch, _ filter: CityFilter, _ page: Range<Int>) -> CityPage {
    let names = sections.names
    let isSelective = filter.isSelective
    var found: [Found] = []
    found.reserveCapacity(min(page.count, count))
    // The number of matches so far.
    var position = 0
    for part in search.parts where isSelective || position < page.upperBound {
      names.forEachCity(part) { name in
        let row = Int(names.row(name))
        if isSelective, !filter.accepts(row) { return true }
        if page.contains(position) { found.append(Found(row: row, name: name)) }
        position += 1
        return isSelective || position < page.upperBound
      }
    }
    return CityPage(found, total: isSelective ? position : search.total, search, in: self)
  }

  private func byPopulation(
    _ search: NameSearch, _ filter: CityFilter, _ page: Range<Int>, mergesNamesakes: Bool
  ) -> CityPage {
    let names = sections.names
    let isSelective = filter.isSelective
    if search.key.isEmpty, !isSelective {
      let found = page.clamped(to: 0..<count).map { Found(row: $0, name: nil) }
      return CityPage(found, total: count, search, in: self)
    }
    let exact = exactMatches(search, filter)
    let exactRows = Set(exact.map(\.row))
    let merged = mergesNamesakes ? smallerNamesakes(search, filter, except: exactRows) : []
    var total = isSelective ? 0 : search.total - merged.count
    var found = exact.map { Found(row: $0.row, name: $0.startsMain ? nil : $0.name) }
    for part in search.parts where isSelective || found.count < page.upperBound {
      // A row with its name, which sort in descending order of population.
      var ranked = SmallestNumbers(max(1, min(page.upperBound, count) + exact.count))
      names.forEachCity(part) { name in
        let row = names.row(name)
        if !merged.isEmpty, merged.contains(Int(row)) { return true }
        if isSelective {
          guard filter.accepts(Int(row)) else { return true }
          total += 1
        }
        ranked.insert(UInt64(row) << 32 | UInt64(truncatingIfNeeded: name))
        return true
      }
      found += ranked.sorted().lazy
        .map { Found(row: Int($0 >> 32), name: Int(UInt32(truncatingIfNeeded: $0))) }
        .filter { !exactRows.contains($0.row) }
    }
    let shown = Array(found.dropFirst(page.lowerBound).prefix(page.count))
    return CityPage(shown, total: total, search, in: self)
  }

  /// The rows of cities that match by a transliteration of which a more populous namesake has the same.
  private func smallerNamesakes(
    _ search: NameSearch, _ filter: CityFilter, except exactRows: Set<Int>
  ) -> Set<Int> {
    guard !search.key.isEmpty, search.key.allSatisfy({ $0 < 0x80 }) else { return [] }
    var largest: [[String]: Int] = [:]
    var smaller: Set<Int> = []
    for part in search.parts {
      sections.names.forEachCity(part) { name in
        let row = Int(sections.names.row(name))
        guard sections.names.form(name).isAsKey, filter.accepts(row), !exactRows.contains(row),
          let spelling = search.matched(name), spelling.utf8.allSatisfy({ $0 < 0x80 })
        else { return true }
        let names = [spelling, String(decoding: sections.name(row), as: UTF8.self)]
        // Rows are in descending order of population.
        let other = largest.updateValue(min(row, largest[names] ?? row), forKey: names)
        if let other { smaller.insert(max(row, other)) }
        return true
      }
    }
    return smaller
  }

  /// The cities with the prefix itself as a name, the ones most likely meant first.
  ///
  /// An own name counts for fifty times the population of the city. A transliteration by machine, which
  /// GeoNames has in lower-case ASCII, counts for a tenth of it.
  func exactMatches(
    _ search: NameSearch, _ filter: CityFilter
  ) -> [(row: Int, name: Int, startsMain: Bool, weight: Int)] {
    let names = sections.names
    let isASCII = search.key.allSatisfy { $0 < 0x80 }
    var matches: [(row: Int, name: Int, startsMain: Bool, weight: Int)] = []
    for name in search.exact {
      let row = Int(names.row(name))
      // The names of a city that are the same key are consecutive.
      guard matches.last?.row != row, filter.accepts(row) else { continue }
      let main =
        names.isMain(name)
        ? search.key : NameKey.key(ofPrefix: String(decoding: sections.name(row), as: UTF8.self))
      // Periods do not matter: "St. Petersburg" is an own name of Saint Petersburg.
      let isOwn = main.filter { $0 != 0x2E } == search.key.filter { $0 != 0x2E }
      let isTransliteration = isASCII && names.form(name).isAsKey
      let people = 10 * Int(sections.records[row].knownPopulation)
      let weight = isOwn ? max(1, 50 * people - 1) : isTransliteration ? people / 10 : people
      matches.append((row, name, names.isMain(name) || main.starts(with: search.prefix), weight))
    }
    return matches.sorted { ($1.weight, $0.row) < ($0.weight, $1.row) }
  }
}

/// The smallest of many numbers, in a binary heap with the greatest on top; n log k.
struct SmallestNumbers {
  private let wanted: Int
  private var heap: [UInt64] = []
  /// The least number that is too great.
  private var limit = UInt64.max

  /// - Parameter wanted: the number of numbers to keep, at least 1.
  init(_ wanted: Int) {
    self.wanted = wanted
  }

  @inline(__always)
  mutating func insert(_ number: UInt64) {
    if number < limit { add(number) }
  }

  func sorted() -> [UInt64] { heap.sorted() }

  private mutating func add(_ number: UInt64) {
    if heap.count < wanted {
      heap.append(number)
      guard heap.count == wanted else { return }
      // An array in descending order is a heap.
      heap.sort(by: >)
    } else {
      heap.withUnsafeMutableBufferPointer { heap in
        var hole = 0
        while true {
          var child = 2 * hole + 1
          guard child < heap.count else { break }
          if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
          guard number < heap[child] else { break }
          heap[hole] = heap[child]
          hole = child
        }
        heap[hole] = number
      }
    }
    limit = heap[0]
  }
}
