/// The criteria of a search other than the name.
struct CityFilter {
  /// Whether the filter can reject a city.
  let isSelective: Bool

  private let records: UnsafeBufferPointer<CityRecord>
  /// The first row of a city with a smaller population.
  private let end: Int
  private let country: UInt16?
  private let rows: Set<Int>?
  private let areas: [Area]

  /// - Parameter places: names or codes of regions and countries; a city has to be in all of them.
  /// - Returns: `nil` if a country or place does not exist.
  init?(_ query: CityQuery, places: [String], in index: CityIndex) {
    records = index.sections.records
    end = index.end(ofPopulation: query.minimumPopulation)
    country = query.country.flatMap(CountryCode.number)
    guard country != nil || query.country == nil else { return nil }
    rows = query.ids.map { Set($0.compactMap { index.row(id: $0) }) }
    areas = places.map { Area($0, in: index.sections) }
    guard areas.allSatisfy({ !$0.isEmpty }) else { return nil }
    isSelective = end < index.count || country != nil || rows != nil || !areas.isEmpty
  }

  @inline(__always)
  func accepts(_ row: Int) -> Bool {
    guard row < end else { return false }
    if let rows, !rows.contains(row) { return false }
    let record = records[row]
    if let country, record.country != country { return false }
    return areas.allSatisfy { $0.contains(record) }
  }
}

/// The countries and regions with a name or a code.
private struct Area {
  /// The GeoNames codes of states, provinces and territories by their postal abbreviation, for
  /// Australia and Canada. In the United States and Great Britain both are the same.
  private static let postalRegions = [
    "ACT": ["AU.01"], "NSW": ["AU.02"], "NT": ["AU.03", "CA.13"], "QLD": ["AU.04"], "SA": ["AU.05"],
    "TAS": ["AU.06"], "VIC": ["AU.07"], "WA": ["AU.08"], "AB": ["CA.01"], "BC": ["CA.02"],
    "MB": ["CA.03"], "NB": ["CA.04"], "NL": ["CA.05"], "NS": ["CA.07"], "ON": ["CA.08"],
    "PE": ["CA.09"], "QC": ["CA.10"], "SK": ["CA.11"], "YT": ["CA.12"], "NU": ["CA.14"],
  ]

  private var countries: Set<UInt16> = []
  private var regions: Set<UInt16> = []

  var isEmpty: Bool { countries.isEmpty && regions.isEmpty }

  /// Selects the countries and regions with a name or code, regardless of periods; if there are none, the
  /// countries and regions whose names start with it. Linear in the number of regions: under a millisecond
  /// for all regions of the world.
  init(_ place: String, in sections: IndexSections) {
    let place = place.filter { $0 != "." }
    let key = NameKey.key(ofPrefix: place)
    var folding = NameKey()
    let regionKeys = (0..<sections.regionNames.count).map { region in
      var key: [UInt8] = []
      let name = sections.regionNames[region].lazy.filter { $0 != UInt8(ascii: ".") }
      folding.append(name, to: &key)
      return [key, NameKey.abbreviated(prefix: key)]
    }
    add(regionKeys) { $0 == key }
    addRegions(withCode: place.uppercased(), in: sections.regionCodes)
    if isEmpty { add(regionKeys) { $0.starts(with: key) } }
  }

  private mutating func add(_ regionKeys: [[[UInt8]]], isMeant: ([UInt8]) -> Bool) {
    for (code, keys) in CountryNames.keys where keys.contains(where: isMeant) {
      if let number = CountryCode.number(code) { countries.insert(number) }
    }
    for (region, keys) in regionKeys.enumerated() where keys.contains(where: isMeant) {
      regions.insert(UInt16(region))
    }
  }

  /// Adds the regions with an admin1 code of GeoNames or a postal code.
  private mutating func addRegions(withCode code: String, in codes: TextList) {
    let postal = Self.postalRegions[code] ?? []
    for region in 0..<codes.count {
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
