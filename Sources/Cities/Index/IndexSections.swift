#if _endian(big)
  #error("the city index is used without conversion, which needs a little-endian machine")
#endif

/// Typed views of the sections of an index.
///
/// The owner of the memory has to outlive this value.
struct IndexSections {
  /// The cities, the most populous first; those of equal population by the key of the name, then by
  /// country code, then by id.
  let records: UnsafeBufferPointer<CityRecord>
  /// The rows of the records, sorted by id.
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
    func section<T>(_ range: Range<Int>, as type: T.Type) -> UnsafeBufferPointer<T> {
      UnsafeRawBufferPointer(rebasing: bytes[range]).bindMemory(to: type)
    }
    func texts(_ list: IndexLayout.Texts) -> TextList {
      TextList(
        ends: section(list.ends, as: UInt32.self), text: section(list.text, as: UInt8.self))
    }
    records = section(layout.records, as: CityRecord.self)
    byID = section(layout.byID, as: UInt32.self)
    tree = BoxTree(
      leaves: section(layout.leaves, as: BoxTree.Leaf.self),
      nodes: section(layout.nodes, as: BoxTree.Node.self),
      rows: section(layout.treeRows, as: UInt32.self),
      lowestRows: BoxTree.LowestRows(
        inLeaves: section(layout.lowestInLeaves, as: UInt32.self),
        inNodes: section(layout.lowestInNodes, as: UInt32.self)),
      records: records)
    longNames = section(layout.longNames, as: UInt8.self)
    names = NameList(
      rows: section(layout.nameRows, as: UInt32.self),
      shortestPrefixes: section(layout.shortestPrefixes, as: UInt8.self),
      blockEnds: section(layout.names.ends, as: UInt32.self),
      text: section(layout.names.text, as: UInt8.self))
    regionCodes = texts(layout.regionCodes)
    regionNames = texts(layout.regionNames)
    zones = texts(layout.zones)
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

  /// Describes the first reference that leads out of its section, or returns `nil` if all are sound;
  /// linear, about 3 ms for all cities of the world.
  ///
  /// Without a fault, no lookup can leave the sections, whatever else the bytes say.
  func firstFault() -> String? {
    guard regionNames.ends.count <= Int(CityRecord.noEntry),
      zones.ends.count <= Int(CityRecord.noEntry)
    else { return "it has too many regions or time zones" }
    for record in records {
      guard record.isNameInline || record.nameOffset + Int(record.nameCount) <= longNames.count,
        record.region == CityRecord.noEntry || Int(record.region) < regionNames.ends.count,
        record.zone == CityRecord.noEntry || Int(record.zone) < zones.ends.count
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

  /// The bytes of the text at a position of the list.
  @inline(__always)
  subscript(position: Int) -> UnsafeBufferPointer<UInt8> {
    let start = position == 0 ? 0 : Int(ends[position - 1])
    return UnsafeBufferPointer(rebasing: text[start..<Int(ends[position])])
  }

  /// The text at a position, or `nil` if it is empty or past the end of the list.
  func string(_ position: Int) -> String? {
    guard position < ends.count else { return nil }
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
