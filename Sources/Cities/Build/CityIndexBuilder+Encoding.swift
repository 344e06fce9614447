extension CityIndexBuilder {
  /// The bytes of the index; n log n.
  func encoded() throws(CitiesError) -> [UInt8] {
    guard !records.isEmpty else { throw .noUsableRow(rows: 0) }
    guard records.count <= IndexLayout.maximumCities, names.count <= Int(UInt32.max) else {
      throw .tooLarge
    }
    let order = KeyOrder(records, names: names)
    guard order.keys.count <= Int(UInt32.max) else { throw .tooLarge }
    let regions = SortedTexts(regions.texts) { ($0.code, $0.name) < ($1.code, $1.name) }
    let zones = SortedTexts(zones.texts, by: <)
    var sizes = IndexLayout.Sizes()
    sizes.cities = UInt32(records.count)
    sizes.nameBytes = UInt32(names.count)
    sizes.keyBytes = UInt32(order.keys.count)
    sizes.regions = UInt32(regions.texts.count)
    sizes.regionCodeBytes = UInt32(regions.texts.reduce(0) { $0 + $1.code.utf8.count })
    sizes.regionNameBytes = UInt32(regions.texts.reduce(0) { $0 + $1.name.utf8.count })
    sizes.zones = UInt32(zones.texts.count)
    sizes.zoneBytes = UInt32(zones.texts.reduce(0) { $0 + $1.utf8.count })
    let layout = IndexLayout(sizes)

    let (sorted, sortedNames) = inOrder(order, regions.positions, zones.positions)
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
      func put(_ texts: [String], _ list: TextListLayout) {
        let utf8 = texts.map { Array($0.utf8) }
        put(Array(utf8.joined()), list.text)
        var end: UInt32 = 0
        put(
          utf8.map {
            end += UInt32($0.count); return end
          }, list.ends)
      }
      put(sorted, layout.records)
      put(order.keyEnds, layout.keyEnds)
      put(byID, layout.byID)
      put(tree.leaves, layout.leaves)
      put(tree.nodes, layout.nodes)
      put(sortedNames, layout.names)
      put(order.keys, layout.keys)
      put(regions.texts.map(\.code), layout.regionCodes)
      put(regions.texts.map(\.name), layout.regionNames)
      put(zones.texts, layout.zones)
      layout.writeHeader(to: bytes)
      count = layout.count
    }
  }

  /// The records in the order of their keys, with names, regions and zones where they come to lie.
  private func inOrder(
    _ order: KeyOrder, _ regions: [UInt16], _ zones: [UInt16]
  ) -> (records: [CityRecord], names: [UInt8]) {
    var sortedNames: [UInt8] = []
    sortedNames.reserveCapacity(names.count)
    let sorted = order.positions.map { position in
      var record = records[Int(position)]
      let start = Int(record.nameOffset)
      record.nameOffset = UInt32(sortedNames.count)
      sortedNames.append(contentsOf: names[start..<start + Int(record.nameCount)])
      if record.region != CityRecord.noEntry { record.region = regions[Int(record.region)] }
      if record.zone != CityRecord.noEntry { record.zone = zones[Int(record.zone)] }
      return record
    }
    return (sorted, sortedNames)
  }
}

/// Texts in an order that does not depend on when they came.
private struct SortedTexts<Text> {
  let texts: [Text]
  /// Where the text that came at a position went to.
  let positions: [UInt16]

  init(_ texts: [Text], by areInIncreasingOrder: (Text, Text) -> Bool) {
    let order = texts.indices.sorted { areInIncreasingOrder(texts[$0], texts[$1]) }
    var positions = [UInt16](repeating: 0, count: texts.count)
    for (position, old) in order.enumerated() { positions[old] = UInt16(position) }
    self.positions = positions
    self.texts = order.map { texts[$0] }
  }
}
