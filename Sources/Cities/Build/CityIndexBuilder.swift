import FaketrackSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Collects cities and writes them as an index.
///
/// The same cities make the same bytes, in whatever order they are added. A builder takes about 100
/// bytes of memory for each city, and 60 for each of its other names.
public struct CityIndexBuilder {
  /// Why a city cannot be added.
  public enum Rejection: Error, Hashable, Sendable {
    /// The id is negative or needs more than 32 bits.
    case unusableIdentifier
    /// The name is empty or longer than 65,535 bytes.
    case unusableName
    /// A city with this id has already been added.
    case repeatedIdentifier
  }

  /// The name of a region and its GeoNames code.
  private struct Region: Hashable {
    var code: String
    var name: String
  }

  private var records: [CityRecord] = []
  /// The names in the order of the records, without separators.
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

  /// Adds a city; linear in its names.
  ///
  /// The position is rounded to 7 decimals. A negative population counts as unknown, and so does a
  /// country that is not two ASCII letters.
  ///
  /// - Parameters:
  ///   - otherNames: what people call the city too, in any script: names in other languages, former
  ///     ones, abbreviations. Of those that are alike for 255 bytes, one is kept.
  ///   - regionCode: the GeoNames code of its region, such as `DE.11`.
  public mutating func add(
    _ city: City, otherNames: some Sequence<String> = [], regionCode: String = ""
  ) throws(Rejection) {
    guard let id = UInt32(exactly: city.id) else { throw .unusableIdentifier }
    guard let nameCount = UInt16(exactly: city.name.utf8.count), nameCount > 0 else {
      throw .unusableName
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
    nameList.add(city.name, others: otherNames)
  }

  /// Writes the index to a file, replacing its content in one step or not at all; n log n.
  ///
  /// Several processes can write the same file at once; the last one wins.
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
    guard records.count <= IndexLayout.maximumCities, names.count <= Int(UInt32.max) else {
      throw .tooLarge
    }
    guard nameList.byteCount <= Int(UInt32.max) else { throw .tooLarge }
    let order = nameList.order(records)
    var rows = [UInt32](repeating: 0, count: order.count)
    for (row, city) in order.enumerated() { rows[Int(city)] = UInt32(row) }
    let nameList = nameList.list(records, rows: rows)
    guard max(nameList.text.count, nameList.rows.count) <= Int(UInt32.max) else { throw .tooLarge }
    let regions = SortedTexts(regions.texts) { ($0.code, $0.name) < ($1.code, $1.name) }
    let zones = SortedTexts(zones.texts, by: <)
    let (sorted, longNames) = recordsAndLongNames(
      in: order, regions: regions.newPositions, zones: zones.newPositions)
    var sizes = IndexLayout.Sizes()
    sizes.cities = UInt32(records.count)
    sizes.longNameBytes = UInt32(longNames.count)
    sizes.names = UInt32(nameList.rows.count)
    sizes.nameBytes = UInt32(nameList.text.count)
    sizes.regions = UInt32(regions.texts.count)
    sizes.regionCodeBytes = UInt32(regions.texts.reduce(0) { $0 + $1.code.utf8.count })
    sizes.regionNameBytes = UInt32(regions.texts.reduce(0) { $0 + $1.name.utf8.count })
    sizes.zones = UInt32(zones.texts.count)
    sizes.zoneBytes = UInt32(zones.texts.reduce(0) { $0 + $1.utf8.count })
    let layout = IndexLayout(sizes)

    let byID = sorted.indices.sorted { sorted[$0].id < sorted[$1].id }.map { UInt32($0) }
    let tree = BoxTreeBuilder(sorted)
    return [UInt8](unsafeUninitializedCapacity: layout.count) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      func put<T: BitwiseCopyable>(_ elements: [T], _ section: Range<Int>) {
        elements.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: bytes[section]).copyMemory(from: $0)
        }
      }
      func put(_ texts: [String], _ list: IndexLayout.Texts) {
        var ends: [UInt32] = []
        var text: [UInt8] = []
        for entry in texts {
          text.append(contentsOf: entry.utf8)
          ends.append(UInt32(text.count))
        }
        put(ends, list.ends)
        put(text, list.text)
      }
      put(sorted, layout.records)
      put(byID, layout.byID)
      put(tree.leaves, layout.leaves)
      put(tree.nodes, layout.nodes)
      put(tree.rows, layout.treeRows)
      put(tree.lowestInLeaves, layout.lowestInLeaves)
      put(tree.lowestInNodes, layout.lowestInNodes)
      put(longNames, layout.longNames)
      put(nameList.rows, layout.nameRows)
      put(nameList.shortestPrefixes, layout.shortestPrefixes)
      put(nameList.blockEnds, layout.names.ends)
      put(nameList.text, layout.names.text)
      put(regions.texts.map(\.code), layout.regionCodes)
      put(regions.texts.map(\.name), layout.regionNames)
      put(zones.texts, layout.zones)
      layout.writeHeader(to: bytes)
      count = layout.count
    }
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

extension CityIndexBuilder.Rejection: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unusableIdentifier: "the id of the city is negative or needs more than 32 bits"
    case .unusableName: "the name of the city is empty or longer than 65,535 bytes"
    case .repeatedIdentifier: "a city with this id has already been added"
    }
  }
}

/// Numbers texts in the order of their first appearance.
private struct TextTable<Text: Hashable> {
  private var positions: [Text: UInt16] = [:]
  private(set) var texts: [Text] = []

  /// The position of a text, or ``CityRecord/noEntry`` if it is new and the table is full.
  mutating func position(of text: Text) -> UInt16 {
    if let position = positions[text] { return position }
    guard texts.count < Int(CityRecord.noEntry) else { return CityRecord.noEntry }
    let position = UInt16(texts.count)
    positions[text] = position
    texts.append(text)
    return position
  }
}

/// Texts in an order that does not depend on the order of their appearance.
private struct SortedTexts<Text> {
  let texts: [Text]
  /// The new position of the text at each old position.
  let newPositions: [UInt16]

  init(_ texts: [Text], by areInIncreasingOrder: (Text, Text) -> Bool) {
    let order = texts.indices.sorted { areInIncreasingOrder(texts[$0], texts[$1]) }
    var positions = [UInt16](repeating: 0, count: texts.count)
    for (position, old) in order.enumerated() { positions[old] = UInt16(position) }
    newPositions = positions
    self.texts = order.map { texts[$0] }
  }
}
