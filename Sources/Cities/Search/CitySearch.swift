import Geodesy

/// The criteria, the order and the page of a search.
public struct CityQuery: Hashable, Sendable {
  /// The order of the matches within each of three groups: names that are the prefix itself, then
  /// longer own names of cities, then longer other names.
  public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// By the key of the name that matches in code point order, then by country code, then by id.
    case name
    /// By population, the greatest first, then by the key of the city's own name, by country code, and
    /// by id. A city that is found by its own, longer name is in the first group too if another of its
    /// names is the prefix.
    case population
  }

  /// The start of a name, whatever its case and accents; the empty prefix matches all.
  ///
  /// What follows a comma narrows the search to a region or a country, by English name or code, unless
  /// a name has the comma in it: `Portland, Oregon`, `Paris, TX, USA`.
  public var prefix: String
  /// The code of the only country to search, in either case.
  public var country: String?
  /// The ids of the only cities to search, such as the favorites.
  public var ids: Set<Int>?
  /// The fewest people that a city has; where it is not known, none.
  public var minPopulation: Int
  /// The order of the matches.
  public var order: Order
  /// The number of matches to skip; negative counts as 0.
  public var offset: Int
  /// The greatest number of matches to return; negative counts as 0.
  public var limit: Int

  /// Creates a query; by default for the first 20 of all cities by name.
  public init(
    prefix: String = "", country: String? = nil, ids: Set<Int>? = nil, minPopulation: Int = 0,
    order: Order = .name, offset: Int = 0, limit: Int = 20
  ) {
    self.prefix = prefix
    self.country = country
    self.ids = ids
    self.minPopulation = minPopulation
    self.order = order
    self.offset = offset
    self.limit = limit
  }
}

/// A city that a search found.
public struct CityMatch: Hashable, Sendable {
  /// The city.
  public var city: City
  /// The other name that starts with the prefix; `nil` where the city's own name does.
  public var matched: String?

  /// Creates a match.
  public init(city: City, matched: String? = nil) {
    self.city = city
    self.matched = matched
  }
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

  /// The cities of this page with the names that matched; linear, about 0.3 µs for each.
  public var matches: [CityMatch] {
    zip(cities, found).map { city, found in
      CityMatch(city: city, matched: found.name.flatMap(search.matched))
    }
  }
}

/// A city and the name by which a search found it; no name stands for its own.
private struct Found {
  let row: Int
  let name: Int?
}

extension CityIndex {
  /// One page of the cities that match a query, and the number of all matches.
  ///
  /// A city matches by its own name or by any other, once.
  ///
  /// - Complexity: linear in the names with the prefix, by name without filters far less than 1 ns for
  ///   each.
  public func search(_ query: CityQuery) -> CityPage {
    let search = NameSearch(query.prefix, in: self)
    guard let filter = CityFilter(query, places: search.places, in: self) else {
      return CityPage([], total: 0, search, in: self)
    }
    let page = Page(query)
    return query.order == .name
      ? byName(search, filter, page) : byPopulation(search, filter, page)
  }

  /// The most populous cities within a box, the greatest first, those of equal population by name.
  ///
  /// Chooses the labels of a map. Linear in the number of cities at worst.
  package func mostPopulous(_ count: Int, in box: BoundingBox) -> [City] {
    // In this order of arguments, what is not a number becomes -180.
    func edge(_ degrees: Double) -> Int32 { CityRecord.fixed(min(max(-180, degrees), 180)) }
    let (south, north) = (edge(box.minLatitude), edge(box.maxLatitude))
    let (west, east) = (edge(box.minLongitude), edge(box.maxLongitude))
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

/// Which of the matches are wanted.
private struct Page {
  let offset: Int
  let limit: Int
  /// The number of matches up to the end of the page.
  let end: Int

  init(_ query: CityQuery) {
    offset = max(query.offset, 0)
    limit = max(query.limit, 0)
    let (end, isTooLarge) = offset.addingReportingOverflow(limit)
    self.end = isTooLarge ? .max : end
  }
}

extension CityIndex {
  private func byName(_ search: NameSearch, _ filter: CityFilter, _ page: Page) -> CityPage {
    let names = sections.names
    let isSelective = filter.isSelective
    var found: [Found] = []
    found.reserveCapacity(min(page.limit, search.names.count))
    // The matches before the next one.
    var position = 0
    for part in search.parts where isSelective || position < page.end {
      names.forEachCity(part) { name in
        let row = Int(names.row(name))
        if isSelective, !filter.accepts(row) { return true }
        if position >= page.offset, position < page.end {
          found.append(Found(row: row, name: name))
        }
        position += 1
        return isSelective || position < page.end
      }
    }
    return CityPage(found, total: isSelective ? position : total(search), search, in: self)
  }

  private func byPopulation(_ search: NameSearch, _ filter: CityFilter, _ page: Page) -> CityPage {
    let names = sections.names
    let isSelective = filter.isSelective
    if search.key.isEmpty, !isSelective {
      let start = min(page.offset, count)
      let rows = start..<min(page.end, count)
      let found = rows.map { Found(row: $0, name: nil) }
      return CityPage(found, total: count, search, in: self)
    }
    let exact = exactRows(search, filter)
    var total = isSelective ? 0 : total(search)
    var found = exact.values.sorted { $0.row < $1.row }
    for part in search.parts where isSelective || found.count < page.end {
      let wanted = max(1, min(min(page.end, count) + exact.count, part.names.count))
      let ranked = [UInt64](unsafeUninitializedCapacity: wanted) { storage, initialized in
        var heap = BoundedHeap(UnsafeMutableBufferPointer(rebasing: storage[..<wanted]))
        names.forEachCity(part) { name in
          let row = names.row(name)
          if isSelective {
            guard filter.accepts(Int(row)) else { return true }
            total += 1
          }
          heap.insert(UInt64(row) << 32 | UInt64(truncatingIfNeeded: name))
          return true
        }
        initialized = heap.sort()
      }
      found += ranked.lazy
        .map { Found(row: Int($0 >> 32), name: Int(UInt32(truncatingIfNeeded: $0))) }
        .filter { exact[$0.row] == nil }
    }
    let shown = Array(found.dropFirst(page.offset).prefix(page.limit))
    return CityPage(shown, total: total, search, in: self)
  }

  /// The number of cities with a prefix.
  private func total(_ search: NameSearch) -> Int {
    search.key.isEmpty
      ? count : sections.names.cityCount(search.names, prefixCount: search.key.count)
  }

  /// The cities one of whose names is the prefix itself, by their rows. A city's own, longer name
  /// may have the prefix too, and is then the one by which it is found.
  private func exactRows(_ search: NameSearch, _ filter: CityFilter) -> [Int: Found] {
    var exact: [Int: Found] = [:]
    for name in search.exact {
      let row = Int(sections.names.row(name))
      guard exact[row] == nil, filter.accepts(row) else { continue }
      let own = NameKey.key(of: String(decoding: sections.name(row), as: UTF8.self))
      exact[row] = Found(row: row, name: own.starts(with: search.key) ? nil : name)
    }
    return exact
  }
}
