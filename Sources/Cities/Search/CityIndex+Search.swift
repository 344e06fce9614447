extension CityIndex {
  /// One page of the cities that match a query, and how many match in all.
  ///
  /// By name without filters: logarithmic, plus the page. By population or with a country: linear in
  /// the cities of the prefix, or in the ids if there are some.
  public func search(_ query: CityQuery) -> CityPage {
    let offset = max(query.offset, 0)
    let limit = max(query.limit, 0)
    let matches = rows(withPrefix: query.prefix)
    if query.country == nil, query.ids == nil, query.order == .name {
      let page = matches.dropFirst(offset).prefix(limit)
      return CityPage(cities: cities(page), total: matches.count)
    }
    let rows = filtered(matches, query)
    let wanted = offset < rows.count ? offset + min(limit, rows.count - offset) : 0
    let start = query.order == .name ? rows[..<wanted] : mostPopulous(wanted, of: rows)[...]
    return CityPage(cities: cities(start.dropFirst(offset)), total: rows.count)
  }

  /// The first of some rows by population; those of equal population in the order of the rows.
  private func mostPopulous(_ count: Int, of rows: [Row]) -> [Row] {
    guard count > 0 else { return [] }
    return [UInt64](unsafeUninitializedCapacity: count) { storage, initialized in
      var heap = BoundedHeap(UnsafeMutableBufferPointer(rebasing: storage[..<count]))
      for row in rows { heap.insert(UInt64(~population(of: row)) << 32 | UInt64(row.number)) }
      initialized = heap.sort()
    }.map { Row(number: UInt32(truncatingIfNeeded: $0)) }
  }

  private func filtered(_ matches: Rows, _ query: CityQuery) -> [Row] {
    var rows: [Row]
    if let ids = query.ids {
      rows = ids.compactMap { row(id: $0) }.filter { matches.numbers.contains($0.number) }.sorted()
    } else {
      rows = Array(matches)
    }
    if let country = query.country {
      guard let number = CountryCode.number(country) else { return [] }
      rows.removeAll { record($0).country != number }
    }
    return rows
  }
}
