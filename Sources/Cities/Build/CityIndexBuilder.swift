import FaketrackSupport
import Foundation

/// Collects cities and writes them as an index.
///
/// The same cities make the same bytes, regardless of the order in which they are added. A builder
/// takes about 100 bytes of memory for each city, and 60 for each of its alternate names.
public struct CityIndexBuilder {
  private struct Region: Hashable, Comparable {
    var code: String
    var name: String

    static func < (a: Region, b: Region) -> Bool { (a.code, a.name) < (b.code, b.name) }
  }

  private var records: [CityRecord] = []
  /// The names that are too long for their records.
  private var longNames: [UInt8] = []
  private var nameList = NameListBuilder()
  private var regions = TextTable<Region>()
  private var zones = TextTable<String>()
  private var ids: Set<UInt32> = []

  /// Creates a builder without cities.
  public init() {}

  /// Creates a builder with the cities of an index in the format before, with the names that it holds: of
  /// names with the key of the main name, which took "Saint" for "St", that format held the main name.
  init(former url: URL) throws(CitiesError) {
    let index = try CityIndex(contentsOf: url, version: IndexHeader.formerVersion)
    var alternates = [[String]](repeating: [], count: index.count)
    index.sections.names.forEachAlternateName { alternates[$0].append($1) }
    for row in 0..<index.count {
      let code = index.sections.regionCodes.string(Int(index.sections.records[row].region))
      do {
        try add(index.city(row), alternateNames: alternates[row], regionCode: code ?? "")
      } catch {
        throw .damaged(path: url.path, reason: "one of its cities cannot be read")
      }
    }
  }

  /// The number of cities that have been added.
  public var count: Int { records.count }

  /// Adds a city; linear in the length of its names.
  ///
  /// The position is rounded to 7 decimals. A negative population counts as unknown, and so does a
  /// country that is not two ASCII letters.
  ///
  /// - Parameters:
  ///   - city: a city with an id of 32 bits and a name of 1 to 65,535 bytes.
  ///   - alternateNames: names in other languages and scripts, former names and abbreviations. Of names
  ///     that are equal for 127 bytes, one is kept.
  ///   - regionCode: the GeoNames code of its region, such as `DE.11`.
  /// - Throws: ``CityIssue/noIdentifier``, ``CityIssue/noName`` or ``CityIssue/repeatedIdentifier``;
  ///   the builder is then unchanged.
  public mutating func add(
    _ city: City, alternateNames: some Sequence<String> = [], regionCode: String = ""
  ) throws(CityIssue) {
    guard let id = UInt32(exactly: city.id) else { throw .noIdentifier }
    guard let nameCount = UInt16(exactly: city.name.utf8.count), nameCount > 0 else {
      throw .noName
    }
    guard ids.insert(id).inserted else { throw .repeatedIdentifier }
    let region = city.region.map { regions.position(of: Region(code: regionCode, name: $0)) }
    let known = city.population.flatMap { $0 < 0 ? nil : $0 }
    var record = CityRecord(
      id: id, latitude: CityRecord.fixed(city.coordinate.latitude),
      longitude: CityRecord.fixed(city.coordinate.longitude),
      population: known.map { UInt32(min($0, Int(UInt32.max) - 1)) }
        ?? CityRecord.unknownPopulation,
      nameCount: nameCount, region: region ?? CityRecord.noEntry,
      zone: city.timezone.map { zones.position(of: $0) } ?? CityRecord.noEntry,
      country: city.country.flatMap(CountryCode.number) ?? 0)
    record.setName(city.name.utf8, offset: longNames.count)
    if !record.isNameInline { longNames.append(contentsOf: city.name.utf8) }
    records.append(record)
    nameList.add(city.name, alternates: alternateNames)
  }

  /// Writes the index to a file, replacing its content in one step or not at all; n log n.
  ///
  /// Several processes can write the same file concurrently; the last one wins.
  ///
  /// - Throws: ``CitiesError``; the former content of the file is then intact.
  public func write(to url: URL) throws(CitiesError) {
    let bytes = try encoded()
    do {
      try AtomicFile.replace(url.path, with: bytes)
    } catch {
      throw .unwritable(path: url.path, reason: error.reason)
    }
  }

  func encoded() throws(CitiesError) -> [UInt8] {
    guard !records.isEmpty else { throw .noUsableRow(rows: 0) }
    guard records.count <= IndexHeader.maximumCities,
      max(longNames.count, nameList.byteCount) <= Int(UInt32.max)
    else { throw .tooLarge }
    let order = nameList.order(records)
    var rows = [UInt32](repeating: 0, count: order.count)
    for (row, city) in order.enumerated() { rows[Int(city)] = UInt32(row) }
    let nameList = nameList.list(records, rows: rows)
    guard max(nameList.text.count, nameList.rows.count) <= Int(UInt32.max) else { throw .tooLarge }
    let (regions, regionPositions) = regions.sorted()
    let (zones, zonePositions) = zones.sorted()
    let regionCodes = EncodedTexts(regions.map(\.code))
    let regionNames = EncodedTexts(regions.map(\.name))
    let zoneNames = EncodedTexts(zones)
    var sortedLongNames: [UInt8] = []
    let sorted = order.map { city in
      var record = records[Int(city)]
      if !record.isNameInline {
        let name = longNames[record.nameOffset..<record.nameOffset + Int(record.nameCount)]
        record.setName(name, offset: sortedLongNames.count)
        sortedLongNames += name
      }
      if record.region != CityRecord.noEntry {
        record.region = regionPositions[Int(record.region)]
      }
      if record.zone != CityRecord.noEntry { record.zone = zonePositions[Int(record.zone)] }
      return record
    }
    let byID = sorted.indices.sorted { sorted[$0].id < sorted[$1].id }.map { UInt32($0) }
    let tree = BoxTreeBuilder(sorted)

    let header = IndexHeader(
      cities: UInt32(records.count), longNameBytes: UInt32(sortedLongNames.count),
      names: UInt32(nameList.rows.count), nameBytes: UInt32(nameList.text.count),
      regions: UInt32(regions.count), regionCodeBytes: UInt32(regionCodes.text.count),
      regionNameBytes: UInt32(regionNames.text.count), zones: UInt32(zones.count),
      zoneBytes: UInt32(zoneNames.text.count))
    var bytes = [UInt8](repeating: 0, count: IndexHeader.count)
    func append<T: BitwiseCopyable>(_ section: [T]) {
      while !bytes.count.isMultiple(of: IndexHeader.alignment) { bytes.append(0) }
      section.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
    append(sorted)
    append(byID)
    append(tree.leaves)
    append(tree.nodes)
    append(tree.rows)
    append(tree.lowestInLeaves)
    append(tree.lowestInNodes)
    append(sortedLongNames)
    append(nameList.rows)
    append(nameList.shortestPrefixes)
    append(nameList.blockEnds)
    append(nameList.text)
    for texts in [regionCodes, regionNames, zoneNames] {
      append(texts.ends)
      append(texts.text)
    }
    bytes.withUnsafeMutableBytes { header.write(to: $0) }
    return bytes
  }
}

extension CityIndex {
  /// Opens an index in a file; an index in the format before is written anew first, elsewhere and for this
  /// process only if the file cannot be written. n log n then, some seconds for all cities of the world.
  ///
  /// - Throws: ``CitiesError`` that names the file.
  package static func upgraded(_ url: URL) throws(CitiesError) -> CityIndex {
    let failure: CitiesError
    do { return try CityIndex(contentsOf: url) } catch { failure = error }
    guard case .unsupportedVersion(_, Int(IndexHeader.formerVersion), _) = failure.kind else {
      throw failure
    }
    let builder = try CityIndexBuilder(former: url)
    do {
      try builder.write(to: url)
      return try CityIndex(contentsOf: url)
    } catch {
      let name = "faketrack-cities-\(UUID().uuidString)"
      let other = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      defer { try? FileManager.default.removeItem(at: other) }
      try builder.write(to: other)
      return try CityIndex(contentsOf: other)
    }
  }
}

/// Numbers texts in the order of their first appearance.
private struct TextTable<Text: Hashable & Comparable> {
  private var positions: [Text: UInt16] = [:]

  /// The position of a text, or ``CityRecord/noEntry`` if it is new and the table is full.
  mutating func position(of text: Text) -> UInt16 {
    if let position = positions[text] { return position }
    guard positions.count < Int(CityRecord.noEntry) else { return CityRecord.noEntry }
    let position = UInt16(positions.count)
    positions[text] = position
    return position
  }

  /// The texts in ascending order, and the new position of the text at each position.
  func sorted() -> (texts: [Text], positions: [UInt16]) {
    let texts = positions.sorted { $0.key < $1.key }
    var newPositions = [UInt16](repeating: 0, count: texts.count)
    for (new, old) in texts.enumerated() { newPositions[Int(old.value)] = UInt16(new) }
    return (texts.map(\.key), newPositions)
  }
}

/// The sections of a ``TextList``.
private struct EncodedTexts {
  private(set) var ends: [UInt32] = []
  private(set) var text: [UInt8] = []

  init(_ texts: [String]) {
    for entry in texts {
      text.append(contentsOf: entry.utf8)
      ends.append(UInt32(text.count))
    }
  }
}
