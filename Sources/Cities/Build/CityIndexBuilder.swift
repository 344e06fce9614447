#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Collects cities and writes them as an index.
///
/// The same cities make the same bytes, whatever order they come in. Holds about 100 bytes for each
/// city.
public struct CityIndexBuilder {
  /// Why a city cannot be part of an index.
  public enum Rejection: Error, Hashable, Sendable {
    /// The id is negative or more than 32 bits long.
    case unusableIdentifier
    /// The name is empty or longer than 65,535 bytes.
    case unusableName
    /// A city of that id is in the index.
    case repeatedIdentifier
  }

  private(set) var records: [CityRecord] = []
  /// The names in the order of the records, end to end.
  private(set) var names: [UInt8] = []
  private(set) var regions = TextTable<Region>()
  private(set) var zones = TextTable<String>()
  private var ids: Set<UInt32> = []

  /// A region name, and the code that GeoNames has for it.
  struct Region: Hashable {
    var code: String
    var name: String
  }

  public init() {}

  /// How many cities were added.
  public var count: Int { records.count }

  /// Adds a city; constant time.
  ///
  /// The position is rounded to 7 decimals, a negative population counts as unknown, and so does a
  /// country that is not two ASCII letters.
  public mutating func add(_ city: City) throws(Rejection) {
    try add(city, regionCode: "")
  }

  /// Adds a city with the GeoNames code of its region, such as `DE.11`.
  package mutating func add(_ city: City, regionCode: String) throws(Rejection) {
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
        nameOffset: UInt32(truncatingIfNeeded: names.count), nameCount: nameCount,
        region: region ?? CityRecord.noEntry,
        zone: city.timezone.map { zones.position(of: $0) } ?? CityRecord.noEntry,
        country: city.country.flatMap(CountryCode.number) ?? 0))
    names.append(contentsOf: city.name.utf8)
  }

  /// Writes the index, in place of what is at `url`, in one step or not at all.
  ///
  /// - Throws: ``CitiesError``; then what was at `url` still is.
  public func write(to url: URL) throws(CitiesError) {
    let bytes = try encoded()
    try AtomicFile.replace(url.path, with: bytes)
  }
}

/// Texts, each held once.
struct TextTable<Text: Hashable> {
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
