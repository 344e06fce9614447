import FaketrackSupport
import Foundation

/// Collects cities and writes them as an index.
///
/// The same cities make the same bytes, regardless of the order in which they are added. A builder
/// takes about 100 bytes of memory for each city, and 60 for each of its alternate names.
public struct CityIndexBuilder {
  /// The name of a region and its GeoNames code.
  private struct Region: Hashable, Comparable {
    var code: String
    var name: String

    static func < (a: Region, b: Region) -> Bool { (a.code, a.name) < (b.code, b.name) }
  }

  private var records: [CityRecord] = []
  /// The main names in the order of the records, without separators.
  private var names: [UInt8] = []
  /// The end of each name within `names`.
  private var nameEnds: [Int] = []
  /// All names by their keys.
  private var nameList = NameListBuilder()
  private var regions = TextTable<Region>()
  private var zones = TextTable<String>()
  private var ids: Set<UInt32> = []

  /// Creates a builder without cities.
  public init() {}

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
  ///     that are equal for 255 bytes, one is kept.
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
    records.append(
      CityRecord(
        id: id, latitude: CityRecord.fixed(city.coordinate.latitude),
        longitude: CityRecord.fixed(city.coordinate.longitude),
        population: known.map { UInt32(min($0, Int(UInt32.max) - 1)) }
          ?? CityRecord.unknownPopulation,
        nameCount: nameCount, region: region ?? CityRecord.noEntry,
        zone: city.timezone.map { zones.position(of: $0) } ?? CityRecord.noEntry,
        country: city.country.flatMap(CountryCode.number) ?? 0))
    names.append(contentsOf: city.name.utf8)
    nameEnds.append(names.count)
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

  /// The bytes of the index; n log n.
  func encoded() throws(CitiesError) -> [UInt8] {
    guard !records.isEmpty else { throw .noUsableRow(rows: 0) }
    guard records.count <= IndexLayout.maximumCities,
      max(names.count, nameList.byteCount) <= Int(UInt32.max)
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
    let (sorted, longNames) = recordsAndLongNames(
      in: order, regions: regionPositions, zones: zonePositions)
    let byID = sorted.indices.sorted { sorted[$0].id < sorted[$1].id }.map { UInt32($0) }
    let tree = BoxTreeBuilder(sorted)

    let layout = IndexLayout(
      IndexLayout.Sizes(
        cities: UInt32(records.count), longNameBytes: UInt32(longNames.count),
        names: UInt32(nameList.rows.count), nameBytes: UInt32(nameList.text.count),
        regions: UInt32(regions.count), regionCodeBytes: UInt32(regionCodes.text.count),
        regionNameBytes: UInt32(regionNames.text.count), zones: UInt32(zones.count),
        zoneBytes: UInt32(zoneNames.text.count)))
    var bytes = [UInt8](repeating: 0, count: layout.count)
    bytes.withUnsafeMutableBytes { bytes in
      func put<T: BitwiseCopyable>(_ elements: [T], _ section: IndexLayout.Section) {
        elements.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: bytes[layout[section]]).copyMemory(from: $0)
        }
      }
      put(sorted, .records)
      put(byID, .byID)
      put(tree.leaves, .leaves)
      put(tree.nodes, .nodes)
      put(tree.rows, .treeRows)
      put(tree.lowestInLeaves, .lowestInLeaves)
      put(tree.lowestInNodes, .lowestInNodes)
      put(longNames, .longNames)
      put(nameList.rows, .nameRows)
      put(nameList.shortestPrefixes, .shortestPrefixes)
      put(nameList.blockEnds, .nameBlockEnds)
      put(nameList.text, .nameBlocks)
      put(regionCodes.ends, .regionCodeEnds)
      put(regionCodes.text, .regionCodes)
      put(regionNames.ends, .regionNameEnds)
      put(regionNames.text, .regionNames)
      put(zoneNames.ends, .zoneEnds)
      put(zoneNames.text, .zones)
      layout.writeHeader(to: bytes)
    }
    return bytes
  }

  /// The records in their final order, with the final positions of all texts, and the names that
  /// are too long for them.
  private func recordsAndLongNames(
    in order: [UInt32], regions: [UInt16], zones: [UInt16]
  ) -> (records: [CityRecord], longNames: [UInt8]) {
    var longNames: [UInt8] = []
    let sorted = order.map { position in
      var record = records[Int(position)]
      let end = nameEnds[Int(position)]
      let name = names[end - Int(record.nameCount)..<end]
      record.setName(name, offset: longNames.count)
      if !record.isNameInline { longNames.append(contentsOf: name) }
      if record.region != CityRecord.noEntry { record.region = regions[Int(record.region)] }
      if record.zone != CityRecord.noEntry { record.zone = zones[Int(record.zone)] }
      return record
    }
    return (sorted, longNames)
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
