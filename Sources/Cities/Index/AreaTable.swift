import Synchronization

/// The areas of the regions of an index, each made for the first of its cities that is read.
///
/// A city in another time zone than that one, or without a region, gets a new area each time. The
/// owner has to call ``deallocate()``.
struct AreaTable {
  private typealias Slot = Atomic<Unmanaged<CityArea>?>

  private let slots: UnsafeMutablePointer<Slot>
  private let count: Int

  init(count: Int) {
    self.count = count
    slots = .allocate(capacity: count)
    for region in 0..<count { (slots + region).initialize(to: Slot(nil)) }
  }

  func deallocate() {
    for region in 0..<count { slots[region].load(ordering: .acquiring)?.release() }
    slots.deinitialize(count: count)
    slots.deallocate()
  }

  /// The area of a city; constant time, from any thread.
  @inline(__always)
  func area(of record: CityRecord, in sections: IndexSections) -> CityArea {
    guard record.region != CityRecord.noEntry else {
      return Self.makeArea(of: record, in: sections)
    }
    guard let shared = slots[Int(record.region)].load(ordering: .acquiring) else {
      return add(record, in: sections)
    }
    return shared._withUnsafeGuaranteedRef { shared in
      shared.numbers == (record.country, record.zone)
        ? shared : Self.makeArea(of: record, in: sections)
    }
  }

  /// Makes the area of a region, unless another thread is first.
  private func add(_ record: CityRecord, in sections: IndexSections) -> CityArea {
    let area = Self.makeArea(of: record, in: sections)
    let made = Unmanaged.passRetained(area)
    let (isStored, _) = slots[Int(record.region)].compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    if !isStored { made.release() }
    return area
  }

  private static func makeArea(of record: CityRecord, in sections: IndexSections) -> CityArea {
    // `noEntry` is past the end of every list, which gives nil.
    CityArea(
      country: record.country == 0 ? nil : CountryCode.text(record.country),
      region: sections.regionNames.string(Int(record.region)),
      timezone: sections.zones.string(Int(record.zone)),
      numbers: (record.country, record.zone))
  }
}
