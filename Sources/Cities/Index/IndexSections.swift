#if _endian(big)
  #error("the city index is used without conversion, which needs a little-endian machine")
#endif

/// Typed views of the sections of an index, in their order in the file.
///
/// The owner of the memory has to outlive this value. A city is identified by its row: its position
/// among the records.
struct IndexSections {
  /// The cities in descending order of population; cities of equal population are sorted by the key of
  /// the name, then by country code, then by id.
  let records: UnsafeBufferPointer<CityRecord>
  /// The rows, sorted by id.
  let byID: UnsafeBufferPointer<UInt32>
  let tree: BoxTree
  /// The names that are too long for their records.
  let longNames: UnsafeBufferPointer<UInt8>
  let names: NameList
  let regionCodes: TextList
  let regionNames: TextList
  let zones: TextList

  /// - Parameter bytes: memory that starts at a multiple of 64.
  /// - Returns: `nil` if the sections have another length than the bytes.
  init?(_ bytes: UnsafeRawBufferPointer, _ header: IndexHeader) {
    var end = IndexHeader.count
    func section<T>(_ count: some BinaryInteger) -> UnsafeBufferPointer<T> {
      let start = (end + IndexHeader.alignment - 1) / IndexHeader.alignment * IndexHeader.alignment
      end = start + Int(count) * MemoryLayout<T>.stride
      guard end <= bytes.count else { return UnsafeBufferPointer(start: nil, count: 0) }
      return UnsafeRawBufferPointer(rebasing: bytes[start..<end]).bindMemory(to: T.self)
    }
    let shape = BoxTree.Shape(points: Int(header.cities))
    let blocks = (Int(header.names) + NameList.blockSize - 1) / NameList.blockSize
    records = section(header.cities)
    byID = section(header.cities)
    tree = BoxTree(
      leaves: section(shape.leaves), nodes: section(shape.nodes), rows: section(header.cities),
      lowestInLeaves: section(shape.leaves), lowestInNodes: section(shape.nodes),
      records: records)
    longNames = section(header.longNameBytes)
    names = NameList(
      rows: section(header.names), shortestPrefixes: section(header.names),
      blocks: TextList(ends: section(blocks), text: section(header.nameBytes)))
    regionCodes = TextList(ends: section(header.regions), text: section(header.regionCodeBytes))
    regionNames = TextList(ends: section(header.regions), text: section(header.regionNameBytes))
    zones = TextList(ends: section(header.zones), text: section(header.zoneBytes))
    guard end == bytes.count else { return nil }
  }

  /// The UTF-8 bytes of the name of a city.
  @inline(__always)
  func name(_ row: Int) -> UnsafeBufferPointer<UInt8> {
    let count = Int(records[row].nameCount)
    guard records[row].isNameInline else {
      let start = records[row].nameOffset
      return UnsafeBufferPointer(rebasing: longNames[start..<start + count])
    }
    let record = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: records[row...row]))
    return UnsafeRawBufferPointer(
      rebasing: record[CityRecord.inlineNameOffset..<CityRecord.inlineNameOffset + count]
    ).assumingMemoryBound(to: UInt8.self)
  }

  /// A clause about the first reference that leads out of its section, or `nil` if no lookup can
  /// leave the sections, whatever else they contain; linear, about 3 ms for all cities of the world.
  func firstDamage() -> String? {
    guard max(regionNames.count, zones.count) <= Int(CityRecord.noEntry) else {
      return "it has too many regions or time zones"
    }
    for record in records {
      guard record.isNameInline || record.nameOffset + Int(record.nameCount) <= longNames.count,
        record.region == CityRecord.noEntry || Int(record.region) < regionNames.count,
        record.zone == CityRecord.noEntry || Int(record.zone) < zones.count
      else { return "a city refers to text that is not there" }
      guard record.isOnTheGlobe else { return "a city is off the globe" }
      guard CountryCode.isValid(record.country) else { return "a country is not two letters" }
    }
    var last = -1
    for row in byID {
      guard Int(row) < records.count, Int(records[Int(row)].id) > last else {
        return "its list of numbers is out of order"
      }
      last = Int(records[Int(row)].id)
    }
    guard tree.isWellFormed(points: records.count) else { return "its tree is broken" }
    guard names.isWellFormed(cities: records.count) else { return "its list of names is broken" }
    guard [regionCodes, regionNames, zones].allSatisfy(\.isWellFormed) else {
      return "its texts overlap"
    }
    return nil
  }
}

/// Texts stored one after another, with the end of each.
struct TextList {
  let ends: UnsafeBufferPointer<UInt32>
  let text: UnsafeBufferPointer<UInt8>

  @inline(__always)
  var count: Int { ends.count }

  @inline(__always)
  subscript(position: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[start(of: position)..<Int(ends[position])])
  }

  @inline(__always)
  func start(of position: Int) -> Int { position == 0 ? 0 : Int(ends[position - 1]) }

  /// The text at a position, or `nil` if it is empty or past the end of the list.
  func string(_ position: Int) -> String? {
    guard position < count else { return nil }
    let bytes = self[position]
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the ends ascend to the length of the text; linear.
  var isWellFormed: Bool {
    var last: UInt32 = 0
    for end in ends {
      guard end >= last else { return false }
      last = end
    }
    return Int(last) == text.count
  }
}
