import FaketrackSupport
import Geodesy
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Cities that can be found by position, by the start of their name, and by id.
///
/// An index is one run of bytes that is used in place, whether part of the executable or mapped from
/// a file. Opening it copies nothing.
///
/// ## Topics
/// ### Opening
/// - ``init(contentsOf:)``
/// ### Finding
/// - ``nearest(to:count:within:minPopulation:)``
/// - ``search(_:)``
/// - ``subscript(id:)``
/// - ``cities(named:)``
/// - ``cities(similarTo:limit:)``
public final class CityIndex: @unchecked Sendable {
  // Proof for `@unchecked`: `sections` never changes and points to memory that nobody writes to and
  // that lives as long as `file` or the process; everything else is constant or made once, atomically.
  let sections: IndexSections
  private let file: IndexFile?
  /// Made when the first city is asked for; not an `AtomicLazyReference`, whose `load` takes as long
  /// as all else that makes a city.
  private let areas = Atomic<Unmanaged<AreaTable>?>(nil)

  /// Maps an index from a file that ``CityIndexBuilder`` or ``CityImport`` wrote.
  ///
  /// Verifies the checksum and every reference between the sections, so that a damaged file is an
  /// error here and never a wrong city later. Linear, some 10 ms for all cities of the world.
  ///
  /// - Throws: ``CitiesError`` that names the file.
  public convenience init(contentsOf url: URL) throws(CitiesError) {
    let file = try IndexFile(path: url.path)
    self.init(try file.sections(), file: file)
  }

  /// Opens an index that is part of the executable; constant time.
  ///
  /// Checks only the header: the other bytes are as sound as the code around them.
  ///
  /// - Parameters:
  ///   - bytes: memory that starts at a multiple of 64 and lives as long as the process.
  ///   - name: what errors call the index.
  /// - Throws: ``CitiesError`` if the header does not fit the bytes.
  package convenience init(
    staticBytes bytes: UnsafeRawBufferPointer, name: String
  ) throws(CitiesError) {
    let layout = try IndexLayout(header: bytes, path: name)
    self.init(IndexSections(bytes, layout), file: nil)
  }

  private init(_ sections: IndexSections, file: IndexFile?) {
    self.sections = sections
    self.file = file
  }

  deinit {
    areas.load(ordering: .acquiring)?.release()
  }

  /// The number of cities, at least one.
  public var count: Int { sections.records.count }

  /// The city with this id; logarithmic.
  public subscript(id id: Int) -> City? {
    row(id: id).map { city($0) }
  }

  /// The names of regions by their GeoNames code, such as `DE.11`; linear in their number.
  ///
  /// A GeoNames dump holds only the codes; an import can take the names from another index.
  public var regionNames: [String: String] {
    var names: [String: String] = [:]
    for position in sections.regionNames.ends.indices {
      guard let code = sections.regionCodes.string(position) else { continue }
      names[code] = sections.regionNames.string(position)
    }
    return names
  }
}

// A row is the position of a city among the records, the most populous first.
extension CityIndex {
  func city(_ row: Int) -> City {
    let record = sections.records[row]
    return City(
      id: Int(record.id), name: Self.string(sections.name(row)), coordinate: record.coordinate,
      population: record.population == CityRecord.unknownPopulation
        ? nil : Int(record.population),
      area: areaTable._withUnsafeGuaranteedRef { $0.area(of: record, in: sections) })
  }

  /// The cities of these rows, in the same order.
  func cities(_ rows: some Collection<Int>) -> [City] {
    // The records are in no cache, most likely: loading all of them at once takes little longer than
    // loading one.
    for row in rows { sections.tree.prefetch(row) }
    return rows.map { city($0) }
  }

  /// The row of the city with this id; logarithmic.
  func row(id: Int) -> Int? {
    let byID = sections.byID
    func number(_ position: Int) -> Int { Int(sections.records[Int(byID[position])].id) }
    let position = byID.indices.partitionPoint { number($0) < id }
    guard position < byID.count, number(position) == id else { return nil }
    return Int(byID[position])
  }

  /// The row from which on cities have fewer people than this; logarithmic.
  func end(ofPopulation least: Int) -> Int {
    guard least > 0 else { return count }
    return sections.records.indices.partitionPoint {
      Int(sections.records[$0].knownPopulation) >= least
    }
  }

  @inline(__always)
  private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // Strings of this size need no memory of their own, and this makes them twice as fast.
    guard bytes.count <= 15 else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { room in
      room.initialize(fromContentsOf: bytes)
    }
  }

  private var areaTable: Unmanaged<AreaTable> {
    areas.load(ordering: .acquiring) ?? addAreaTable()
  }

  /// Makes the table, unless another thread is first.
  private func addAreaTable() -> Unmanaged<AreaTable> {
    let made = Unmanaged.passRetained(AreaTable(regions: sections.regionNames.ends.count))
    let (isStored, stored) = areas.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !isStored, let stored else { return made }
    made.release()
    return stored
  }
}
