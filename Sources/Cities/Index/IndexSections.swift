#if _endian(big)
  #error("the city index is used as it lies in memory, which has to be little-endian")
#endif

/// The sections of an index as the memory that they are.
///
/// The memory belongs to someone else, who has to outlive this.
struct IndexSections {
  let records: UnsafeBufferPointer<CityRecord>
  let keys: TextList
  let byID: UnsafeBufferPointer<UInt32>
  let tree: BoxTree
  let names: UnsafeBufferPointer<UInt8>
  let regionCodes: TextList
  let regionNames: TextList
  let zones: TextList

  /// Lays the sections over bytes that start at a multiple of 64 and are as long as `layout` says.
  init(_ bytes: UnsafeRawBufferPointer, _ layout: IndexLayout) {
    func section<T>(_ range: Range<Int>, as type: T.Type) -> UnsafeBufferPointer<T> {
      UnsafeRawBufferPointer(rebasing: bytes[range]).bindMemory(to: type)
    }
    func texts(_ list: TextListLayout) -> TextList {
      TextList(
        ends: section(list.ends, as: UInt32.self), text: section(list.text, as: UInt8.self))
    }
    records = section(layout.records, as: CityRecord.self)
    keys = texts(TextListLayout(ends: layout.keyEnds, text: layout.keys))
    byID = section(layout.byID, as: UInt32.self)
    tree = BoxTree(
      leaves: section(layout.leaves, as: BoxTree.Leaf.self),
      nodes: section(layout.nodes, as: BoxTree.Node.self), points: records.count)
    names = section(layout.names, as: UInt8.self)
    regionCodes = texts(layout.regionCodes)
    regionNames = texts(layout.regionNames)
    zones = texts(layout.zones)
  }

  /// What in the sections points outside of them, or `nil` if nothing does; linear, about 1 ms.
  ///
  /// After this no way of reading them can leave them.
  func firstFault() -> String? {
    for record in records {
      guard Int(record.nameOffset) + Int(record.nameCount) <= names.count,
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
    guard [keys, regionCodes, regionNames, zones].allSatisfy(\.isWellFormed) else {
      return "its texts overlap"
    }
    return nil
  }
}
