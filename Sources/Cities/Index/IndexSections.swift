#if _endian(big)
  #error("the city index is used without conversion, which needs a little-endian machine")
#endif

/// Typed views of the sections of an index.
///
/// The owner of the memory has to outlive this value. A city is identified by its row: its position
/// among the records.
struct IndexSections {
  /// The cities in descending order of population; those of equal population by the key of the name,
  /// then by country code, then by id.
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

  /// - Parameter bytes: memory that starts at a multiple of 64 and has the length of `layout`.
  init(_ bytes: UnsafeRawBufferPointer, _ layout: IndexLayout) {
    func section<T>(_ section: IndexLayout.Section) -> UnsafeBufferPointer<T> {
      UnsafeRawBufferPointer(rebasing: bytes[layout[section]]).bindMemory(to: T.self)
    }
    records = section(.records)
    byID = section(.byID)
    tree = BoxTree(
      leaves: section(.leaves), nodes: section(.nodes), rows: section(.treeRows),
      lowestInLeaves: section(.lowestInLeaves), lowestInNodes: section(.lowestInNodes),
      records: records)
    longNames = section(.longNames)
    names = NameList(
      rows: section(.nameRows), shortestPrefixes: section(.shortestPrefixes),
      blocks: TextList(ends: section(.nameBlockEnds), text: section(.nameBlocks)))
    regionCodes = TextList(ends: section(.regionCodeEnds), text: section(.regionCodes))
    regionNames = TextList(ends: section(.regionNameEnds), text: section(.regionNames))
    zones = TextList(ends: section(.zoneEnds), text: section(.zones))
  }

  /// The bytes of the name of a city.
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

  /// Returns the first reference that leads out of its section, or `nil` if all are valid; linear,
  /// about 3 ms for all cities of the world.
  ///
  /// After this check no lookup can leave the sections, whatever else the bytes contain.
  func firstDamage() -> CitiesError.Damage? {
    guard max(regionNames.count, zones.count) <= Int(CityRecord.noEntry) else {
      return .tooManyRegions
    }
    for record in records {
      guard record.isNameInline || record.nameOffset + Int(record.nameCount) <= longNames.count,
        record.region == CityRecord.noEntry || Int(record.region) < regionNames.count,
        record.zone == CityRecord.noEntry || Int(record.zone) < zones.count
      else { return .missingText }
      guard record.isOnTheGlobe else { return .invalidCoordinate }
      guard CountryCode.isValid(record.country) else { return .invalidCountry }
    }
    var last = -1
    for row in byID {
      guard Int(row) < records.count, Int(records[Int(row)].id) > last else { return .invalidIDs }
      last = Int(records[Int(row)].id)
    }
    guard tree.isWellFormed(points: records.count) else { return .invalidTree }
    guard names.isWellFormed(cities: records.count) else { return .invalidNames }
    guard [regionCodes, regionNames, zones].allSatisfy(\.isWellFormed) else { return .invalidTexts }
    return nil
  }
}

/// Texts stored one after another, with the end of each.
struct TextList {
  let ends: UnsafeBufferPointer<UInt32>
  let text: UnsafeBufferPointer<UInt8>

  /// The number of texts.
  @inline(__always)
  var count: Int { ends.count }

  /// The bytes of the text at a position of the list.
  @inline(__always)
  subscript(position: Int) -> UnsafeBufferPointer<UInt8> {
    let start = position == 0 ? 0 : Int(ends[position - 1])
    return UnsafeBufferPointer(rebasing: text[start..<Int(ends[position])])
  }

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
