/// Which of the cities with a name a search wants.
struct CityFilter {
  /// Whether it leaves out any city.
  let isSelective: Bool

  private let records: UnsafeBufferPointer<CityRecord>
  /// The row from which on cities have too few people.
  private let end: Int
  private let country: UInt16?
  private let rows: Set<Int>?
  private let areas: [Area]

  /// - Parameters:
  ///   - places: names or codes of regions and countries, in all of which a city lies.
  /// - Returns: `nil` if there is no such country or place.
  init?(_ query: CityQuery, places: [String], in index: CityIndex) {
    records = index.sections.records
    end = index.end(ofPopulation: query.minPopulation)
    if let code = query.country {
      guard let number = CountryCode.number(code) else { return nil }
      country = number
    } else {
      country = nil
    }
    rows = query.ids.map { Set($0.compactMap { index.row(id: $0) }) }
    areas = places.map { Area($0, in: index.sections) }
    guard areas.allSatisfy({ !$0.isEmpty }) else { return nil }
    isSelective = end < index.count || country != nil || rows != nil || !areas.isEmpty
  }

  /// Whether a search wants the city of a row.
  @inline(__always)
  func accepts(_ row: Int) -> Bool {
    guard row < end else { return false }
    if let rows, !rows.contains(row) { return false }
    let record = records[row]
    if let country, record.country != country { return false }
    return areas.allSatisfy { $0.contains(record) }
  }
}

/// The countries and regions that somebody means by a name or a code.
private struct Area {
  private var countries: Set<UInt16> = []
  private var regions: Set<UInt16> = []

  var isEmpty: Bool { countries.isEmpty && regions.isEmpty }

  /// All with this name or code, with periods or without; if there are none, all whose names start so.
  ///
  /// Linear in the regions of the index, under a millisecond for those of the world.
  init(_ place: String, in sections: IndexSections) {
    let place = place.filter { $0 != "." }
    let key = NameKey.key(of: place)
    var folding = NameKey()
    let regionKeys = sections.regionNames.ends.indices.map { region in
      var key: [UInt8] = []
      let name = sections.regionNames[region].lazy.filter { $0 != UInt8(ascii: ".") }
      folding.append(name, to: &key)
      return key
    }
    add(regionKeys) { $0 == key }
    addRegions(withCode: place.uppercased(), in: sections.regionCodes)
    if isEmpty { add(regionKeys) { $0.starts(with: key) } }
  }

  private mutating func add(_ regionKeys: [[UInt8]], isMeant: ([UInt8]) -> Bool) {
    for (code, keys) in CountryNames.keys where keys.contains(where: isMeant) {
      if let number = CountryCode.number(code) { countries.insert(number) }
    }
    for (region, key) in regionKeys.enumerated() where isMeant(key) {
      regions.insert(UInt16(region))
    }
  }

  /// Adds the regions with a code that GeoNames or the post office of their country has for them.
  private mutating func addRegions(withCode code: String, in codes: TextList) {
    let postal = PostalRegions.geoNamesCodes[code] ?? []
    for region in codes.ends.indices {
      guard let whole = codes.string(region), let dot = whole.firstIndex(of: ".") else { continue }
      if whole[dot...].dropFirst() == code || postal.contains(whole) {
        regions.insert(UInt16(region))
      }
    }
  }

  func contains(_ record: CityRecord) -> Bool {
    countries.contains(record.country) || regions.contains(record.region)
  }
}

/// What the post offices of Australia and Canada call their states, provinces and territories, which
/// GeoNames numbers. In the United States and Great Britain both use the same codes.
private enum PostalRegions {
  static let geoNamesCodes = [
    "ACT": ["AU.01"], "NSW": ["AU.02"], "NT": ["AU.03", "CA.13"], "QLD": ["AU.04"], "SA": ["AU.05"],
    "TAS": ["AU.06"], "VIC": ["AU.07"], "WA": ["AU.08"], "AB": ["CA.01"], "BC": ["CA.02"],
    "MB": ["CA.03"], "NB": ["CA.04"], "NL": ["CA.05"], "NS": ["CA.07"], "ON": ["CA.08"],
    "PE": ["CA.09"], "QC": ["CA.10"], "SK": ["CA.11"], "YT": ["CA.12"], "NU": ["CA.14"],
  ]
}
