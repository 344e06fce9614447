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
/// - ``nearest(to:count:within:)``
/// - ``search(_:)``
/// - ``subscript(id:)``
/// - ``cities(named:)``
/// - ``cities(similarTo:limit:)``
public final class CityIndex: @unchecked Sendable {
  // Proof for `@unchecked`: `sections` never changes and points to memory that nobody writes to and
  // that lives as long as `file` or the process; everything else is constant or made once, atomically.
  let sections: IndexSections
  private let file: IndexFile?
  private let texts = AtomicLazyReference<SharedTexts>()

  /// Maps an index from a file that ``CityIndexBuilder`` or ``CityImport`` wrote.
  ///
  /// Verifies the checksum and every reference between the sections, so that a damaged file is an
  /// error here and never a wrong city later. Linear, a few milliseconds for all cities of the world.
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

// A row is the position of a city in the order of names: by the key of the name, then by country
// code, then by id.
extension CityIndex {
  func city(_ row: Int) -> City { city(row, sharedTexts) }

  /// The cities of these rows, in the same order.
  func cities(_ rows: some Collection<Int>) -> [City] {
    let texts = sharedTexts
    return rows.map { city($0, texts) }
  }

  /// The row of the city with this id; logarithmic.
  func row(id: Int) -> Int? {
    let byID = sections.byID
    var low = 0
    var high = byID.count
    while low < high {
      let middle = (low + high) / 2
      if Int(sections.records[Int(byID[middle])].id) < id {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < byID.count, Int(sections.records[Int(byID[low])].id) == id else { return nil }
    return Int(byID[low])
  }

  /// The population to sort by, with unknown as 0.
  func population(of row: Int) -> UInt32 {
    let population = sections.records[row].population
    return population == CityRecord.unknownPopulation ? 0 : population
  }

  private func city(_ row: Int, _ texts: SharedTexts) -> City {
    let record = sections.records[row]
    let start = Int(record.nameOffset)
    let name = sections.names[start..<start + Int(record.nameCount)]
    return City(
      id: Int(record.id),
      name: String(decoding: UnsafeBufferPointer(rebasing: name), as: UTF8.self),
      country: texts.country(record.country), region: texts.region(record.region),
      coordinate: record.coordinate,
      population: record.population == CityRecord.unknownPopulation
        ? nil : Int(record.population),
      timezone: texts.zone(record.zone))
  }

  private var sharedTexts: SharedTexts {
    texts.load() ?? texts.storeIfNil(SharedTexts(sections))
  }
}

/// The texts that many cities share, decoded once, when the first city is asked for.
private final class SharedTexts: Sendable {
  private let regions: [String?]
  private let zones: [String?]

  init(_ sections: IndexSections) {
    regions = sections.regionNames.ends.indices.map { sections.regionNames.string($0) }
    zones = sections.zones.ends.indices.map { sections.zones.string($0) }
  }

  func region(_ position: UInt16) -> String? {
    position == CityRecord.noEntry ? nil : regions[Int(position)]
  }

  func zone(_ position: UInt16) -> String? {
    position == CityRecord.noEntry ? nil : zones[Int(position)]
  }

  /// The country code that a number stands for, `nil` for 0.
  func country(_ number: UInt16) -> String? {
    number == 0 ? nil : CountryCode.all[CountryCode.position(number)]
  }
}
