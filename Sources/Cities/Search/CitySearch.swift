import Geodesy

/// The criteria, the order and the page of a search.
public struct CityQuery: Hashable, Sendable {
  /// The order of the matches.
  public enum Order: String, Hashable, Sendable, Codable, CaseIterable {
    /// By the key of the name in code point order, then by country code, then by id.
    case name
    /// By population, the greatest first, then as ``name``.
    case population
  }

  /// The start of the names, whatever their case and accents; the empty prefix matches all.
  public var prefix: String
  /// The code of the only country to search, in either case.
  public var country: String?
  /// The ids of the only cities to search, such as the favorites.
  public var ids: Set<Int>?
  /// The order of the matches.
  public var order: Order
  /// The number of matches to skip; negative counts as 0.
  public var offset: Int
  /// The greatest number of matches to return; negative counts as 0.
  public var limit: Int

  /// Creates a query; by default for the first 20 of all cities by name.
  public init(
    prefix: String = "", country: String? = nil, ids: Set<Int>? = nil, order: Order = .name,
    offset: Int = 0, limit: Int = 20
  ) {
    self.prefix = prefix
    self.country = country
    self.ids = ids
    self.order = order
    self.offset = offset
    self.limit = limit
  }
}

/// One page of the cities that match a query.
public struct CityPage: Hashable, Sendable {
  /// The cities of this page.
  public var cities: [City]
  /// The number of matches on all pages.
  public var total: Int

  /// Creates a page.
  public init(cities: [City], total: Int) {
    self.cities = cities
    self.total = total
  }
}

extension CityIndex {
  /// One page of the cities that match a query, and the number of all matches.
  ///
  /// - Complexity: by name without filters, logarithmic plus the size of the page. By population or
  ///   in a country, linear in the cities with the prefix, or in the ids if there are any.
  public func search(_ query: CityQuery) -> CityPage {
    let offset = max(query.offset, 0)
    let limit = max(query.limit, 0)
    let matches = rows(withPrefix: query.prefix)
    if query.country == nil, query.ids == nil, query.order == .name {
      let page = matches.dropFirst(offset).prefix(limit)
      return CityPage(cities: cities(page), total: matches.count)
    }
    let rows = filtered(matches, query)
    let start = min(offset, rows.count)
    let page = start..<start + min(limit, rows.count - start)
    let wanted = query.order == .name ? Array(rows[page]) : byPopulation(page, of: rows)
    return CityPage(cities: cities(wanted), total: rows.count)
  }

  /// The most populous cities within a box, the greatest first, those of equal population by name.
  ///
  /// Chooses the labels of a map. Linear in the number of cities.
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
    return cities(mostPopulous(min(count, self.count), of: rows))
  }

  /// The first rows by population, those of equal population in ascending order.
  private func mostPopulous(_ count: Int, of rows: some Sequence<Int>) -> [Int] {
    guard count > 0 else { return [] }
    return [UInt64](unsafeUninitializedCapacity: count) { storage, initialized in
      var heap = BoundedHeap(UnsafeMutableBufferPointer(rebasing: storage[..<count]))
      for row in rows { heap.insert(populationKey(of: row)) }
      initialized = heap.sort()
    }.map { Int(UInt32(truncatingIfNeeded: $0)) }
  }

  /// The rows at some positions by population, those of equal population in ascending order.
  private func byPopulation(_ positions: Range<Int>, of rows: [Int]) -> [Int] {
    guard !positions.isEmpty else { return [] }
    var keys = rows.map(populationKey)
    keys.withUnsafeMutableBufferPointer { $0.sort(only: positions) }
    return keys[positions].map { Int(UInt32(truncatingIfNeeded: $0)) }
  }

  /// Orders rows by population, the greatest first, then in ascending order.
  private func populationKey(of row: Int) -> UInt64 {
    UInt64(~population(of: row)) << 32 | UInt64(row)
  }

  private func filtered(_ matches: Range<Int>, _ query: CityQuery) -> [Int] {
    var rows: [Int]
    if let ids = query.ids {
      rows = ids.compactMap { row(id: $0) }.filter { matches.contains($0) }.sorted()
    } else {
      rows = Array(matches)
    }
    if let country = query.country {
      guard let number = CountryCode.number(country) else { return [] }
      rows.removeAll { sections.records[$0].country != number }
    }
    return rows
  }
}
