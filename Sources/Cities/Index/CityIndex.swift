import FaketrackSupport
import Foundation
import Geodesy

/// An index of cities by position, by the start of any of their names, and by id.
///
/// An index is one run of bytes that is used in place, whether part of the executable or mapped from
/// a file. Opening it copies nothing. It can be used from several threads.
public final class CityIndex: @unchecked Sendable {
  // Proof for `@unchecked`: all properties are constant. `sections` points to memory that is never
  // written and lives as long as `file` or the process; the slots of `areas` are atomic.
  let sections: IndexSections
  private let areas: AreaTable
  private let file: MappedFile?

  /// Maps an index from a file that ``CityIndexBuilder`` or ``CityImport`` wrote.
  ///
  /// Verifies the checksum and every reference between the sections, so that a damaged file is an
  /// error here and never a wrong city later. Linear, some 10 ms for all cities of the world.
  ///
  /// - Throws: ``CitiesError`` that names the file.
  public convenience init(contentsOf url: URL) throws(CitiesError) {
    try self.init(contentsOf: url, version: IndexHeader.version)
  }

  convenience init(contentsOf url: URL, version: UInt32) throws(CitiesError) {
    let file = try MappedFile(path: url.path)
    try self.init(file.bytes, path: url.path, version: version, file: file)
    let checked = UnsafeRawBufferPointer(rebasing: file.bytes[IndexHeader.checkedOffset...])
    guard Checksum.of(checked) == IndexHeader.checksum(in: file.bytes) else {
      throw .damaged(path: url.path, reason: "its checksum does not match")
    }
    if let damage = sections.firstDamage() { throw .damaged(path: url.path, reason: damage) }
  }

  /// Opens an index that is part of the executable; constant time.
  ///
  /// Checks only the header: the other bytes are as trustworthy as the code around them.
  ///
  /// - Parameters:
  ///   - bytes: memory that starts at a multiple of 64 and lives as long as the process.
  ///   - name: the name of the index in errors.
  /// - Throws: ``CitiesError`` if the header does not fit the bytes.
  package convenience init(
    staticBytes bytes: UnsafeRawBufferPointer, name: String
  ) throws(CitiesError) {
    try self.init(bytes, path: name, file: nil)
  }

  private init(
    _ bytes: UnsafeRawBufferPointer, path: String, version: UInt32 = IndexHeader.version,
    file: MappedFile?
  ) throws(CitiesError) {
    let header = try IndexHeader(bytes, path: path, version: version)
    guard let sections = IndexSections(bytes, header) else {
      throw .damaged(path: path, reason: IndexHeader.contradiction)
    }
    self.sections = sections
    areas = AreaTable(count: sections.regionNames.count)
    self.file = file
  }

  deinit {
    areas.deallocate()
  }

  /// The number of cities, at least one.
  public var count: Int { sections.records.count }

  /// The city with a GeoNames id, or `nil` if there is none; logarithmic.
  public subscript(id id: Int) -> City? {
    row(id: id).map { city($0) }
  }

  /// The names of first-level divisions (admin1) by their GeoNames code, such as `DE.11`, for an
  /// import of a GeoNames dump, which has only the codes; linear in their number.
  public var regionNames: [String: String] {
    var names: [String: String] = [:]
    for position in 0..<sections.regionNames.count {
      guard let code = sections.regionCodes.string(position) else { continue }
      names[code] = sections.regionNames.string(position)
    }
    return names
  }
}

extension CityIndex {
  func city(_ row: Int) -> City {
    let record = sections.records[row]
    return City(
      id: Int(record.id), name: Self.string(sections.name(row)), coordinate: record.coordinate,
      population: record.population == CityRecord.unknownPopulation
        ? nil : Int(record.population),
      area: areas.area(of: record, in: sections))
  }

  func cities(_ rows: some Collection<Int>) -> [City] {
    // The records are probably not cached: loading all of them concurrently takes little longer than
    // loading one.
    for row in rows { sections.tree.prefetch(row) }
    return rows.map { city($0) }
  }

  func row(id: Int) -> Int? {
    let byID = sections.byID
    func number(_ position: Int) -> Int { Int(sections.records[Int(byID[position])].id) }
    let position = byID.indices.partitionPoint { number($0) < id }
    guard position < byID.count, number(position) == id else { return nil }
    return Int(byID[position])
  }

  /// The first row of a city with a smaller population; logarithmic.
  func end(ofPopulation least: Int) -> Int {
    guard least > 0 else { return count }
    return sections.records.indices.partitionPoint {
      Int(sections.records[$0].knownPopulation) >= least
    }
  }

  @inline(__always)
  private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    // Strings of this size need no allocation, and this makes them twice as fast.
    guard bytes.count <= 15 else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { room in
      room.initialize(fromContentsOf: bytes)
    }
  }
}

/// A file that is mapped into memory. Renaming another file over it leaves the mapping intact;
/// truncating it would not, and this package never does that.
private final class MappedFile {
  let bytes: UnsafeRawBufferPointer

  /// - Throws: ``CitiesError/notAnIndex(path:)`` unless it is a regular file with content.
  init(path: String) throws(CitiesError) {
    // Opening a pipe would wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw CitiesError.lastFailure(reading: path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw CitiesError.lastFailure(reading: path) }
    guard status.kind == .regular, status.st_size > 0 else {
      throw .notAnIndex(path: path)
    }
    let count = Int(status.st_size)
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
    else { throw CitiesError.lastFailure(reading: path) }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}
