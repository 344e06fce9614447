import Synchronization

/// The areas of the cities of an index, each made when the first of its cities is asked for.
///
/// Nearly all cities of a region are in the same time zone. So there is one area for a region, that
/// of the city asked for first; the few cities that differ from it get one of their own. Cities
/// without a region share those of their country.
final class AreaTable: Sendable {
  private typealias Slot = Atomic<Unmanaged<CityArea>?>

  // Proof for `nonisolated(unsafe)`: the pointer never changes, and what it points to is atomic.
  /// A slot for each region, one for each country, and one for cities without either.
  nonisolated(unsafe) private let slots: UnsafeMutablePointer<Slot>
  private let regions: Int
  private let count: Int

  /// Makes an empty table for the regions 0 ..< `regions`.
  init(regions: Int) {
    self.regions = regions
    count = regions + CountryCode.all.count + 1
    slots = .allocate(capacity: count)
    for slot in 0..<count { (slots + slot).initialize(to: Slot(nil)) }
  }

  deinit {
    for slot in 0..<count { slots[slot].load(ordering: .acquiring)?.release() }
    slots.deinitialize(count: count)
    slots.deallocate()
  }

  /// The area of a city; constant time.
  @inline(__always)
  func area(of record: CityRecord, in sections: IndexSections) -> CityArea {
    let slot = slot(of: record)
    guard let shared = slots[slot].load(ordering: .acquiring) else {
      return add(record, to: slot, in: sections)
    }
    return shared._withUnsafeGuaranteedRef { shared in
      shared.numbers == (record.country, record.zone)
        ? shared : Self.makeArea(of: record, in: sections)
    }
  }

  @inline(__always)
  private func slot(of record: CityRecord) -> Int {
    if record.region != CityRecord.noEntry { return Int(record.region) }
    return record.country == 0 ? count - 1 : regions + CountryCode.position(record.country)
  }

  /// Makes the area of a slot, unless another thread is first.
  private func add(_ record: CityRecord, to slot: Int, in sections: IndexSections) -> CityArea {
    let area = Self.makeArea(of: record, in: sections)
    let made = Unmanaged.passRetained(area)
    let (isStored, _) = slots[slot].compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    if !isStored { made.release() }
    return area
  }

  private static func makeArea(of record: CityRecord, in sections: IndexSections) -> CityArea {
    CityArea(
      country: record.country == 0
        ? nil : CountryCode.all[CountryCode.position(record.country)],
      region: record.region == CityRecord.noEntry
        ? nil : sections.regionNames.string(Int(record.region)),
      timezone: record.zone == CityRecord.noEntry ? nil : sections.zones.string(Int(record.zone)),
      numbers: (record.country, record.zone))
  }
}
