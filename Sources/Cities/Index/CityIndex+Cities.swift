import Geodesy

extension CityIndex {
  /// The place of a city within one index, the cheapest way to refer to it.
  ///
  /// Rows ascend with the key of the name, then the country code, then the id. A row means nothing to
  /// another index.
  public struct Row: Hashable, Sendable, Comparable, BitwiseCopyable {
    let number: UInt32

    public static func < (a: Row, b: Row) -> Bool { a.number < b.number }
  }

  /// The city of a row that this index gave out.
  public subscript(row: Row) -> City { city(row, sharedTexts) }

  /// The id of the city of a row that this index gave out.
  public func id(of row: Row) -> Int { Int(record(row).id) }

  /// The cities of some rows, in their order.
  func cities(_ rows: some Collection<Row>) -> [City] {
    let texts = sharedTexts
    return rows.map { city($0, texts) }
  }

  private func city(_ row: Row, _ texts: SharedTexts) -> City {
    let record = self.record(row)
    return City(
      id: Int(record.id), name: name(of: record), country: texts.country(record.country),
      region: texts.region(record.region), coordinate: record.coordinate,
      population: record.population == CityRecord.unknownPopulation
        ? nil : Int(record.population),
      timezone: texts.zone(record.zone))
  }

  /// The city with that id; logarithmic.
  public subscript(id id: Int) -> City? {
    row(id: id).map { self[$0] }
  }

  /// The row of the city with that id; logarithmic.
  public func row(id: Int) -> Row? {
    let byID = sections.byID
    var low = 0
    var high = byID.count
    while low < high {
      let middle = (low + high) / 2
      if Int(sections.records[Int(byID[middle])].id) < id {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < byID.count, Int(sections.records[Int(byID[low])].id) == id else { return nil }
    return Row(number: byID[low])
  }

  /// The cities whose whole name has the same key, the most populous first, then by country and id.
  ///
  /// Case and accents do not count: "zurich" finds "Zürich".
  public func cities(named name: String) -> [City] {
    let key = NameKey.key(of: name)
    return rows(withKeyPrefix: key)
      .prefix { sections.keys[Int($0.number)].count == key.count }
      .sorted { (population(of: $0), $1) > (population(of: $1), $0) }
      .map { self[$0] }
  }

  /// The names of regions by their GeoNames code, such as `DE.11`, as far as the index knows them;
  /// linear in their number.
  ///
  /// An import that is given those of the built-in index can name the regions of a GeoNames dump,
  /// which has only their codes.
  public var regionNames: [String: String] {
    var names: [String: String] = [:]
    for position in sections.regionNames.ends.indices {
      guard let code = sections.regionCodes.string(position) else { continue }
      names[code] = sections.regionNames.string(position)
    }
    return names
  }

  func record(_ row: Row) -> CityRecord { sections.records[Int(row.number)] }

  /// The population to order by: unknown counts as none.
  func population(of row: Row) -> UInt32 {
    let population = record(row).population
    return population == CityRecord.unknownPopulation ? 0 : population
  }

  private func name(of record: CityRecord) -> String {
    let start = Int(record.nameOffset)
    let bytes = sections.names[start..<start + Int(record.nameCount)]
    return String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
  }
}
