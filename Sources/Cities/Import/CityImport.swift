import FaketrackCompression
import FaketrackSupport
import Foundation
import Geodesy

/// Reads cities from a GeoNames dump or a JSON array and makes an index of them.
///
/// The formats are recognized by their first bytes: the tab-separated dumps of GeoNames, and a JSON
/// array of objects with `_id` (or `id`), `name`, `country` and `coord`, which holds `lat` and `lon`.
/// Both may be gzipped. Unusable rows are counted and skipped. JSON is held in memory as a whole.
public struct CityImport {
  /// Far more than the longest row of city data.
  private static let longestLine = 1 << 20
  private static let mostWhiteSpace = 1 << 16

  private let regions: [String: String]
  private var builder = CityIndexBuilder()
  private var report = CityImportReport()
  private var decoder: GzipDecoder?
  private var format: CityFormat?
  /// The bytes that have not been read as rows: the start, an incomplete line, or all JSON.
  private var text: [UInt8] = []
  /// The number of lines or elements so far, empty ones included.
  private var position = 0

  /// The progress so far.
  package private(set) var progress = CityImportProgress()

  /// Creates an import that has read no bytes.
  ///
  /// - Parameter regions: the names of regions by their GeoNames code, such as `DE.11`.
  package init(regions: [String: String] = [:]) {
    self.regions = regions
  }

  /// Reads the next piece of the data, of any size.
  ///
  /// - Throws: ``CitiesError`` if it cannot be part of city data.
  package mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(CitiesError) {
    guard !bytes.isEmpty else { return }
    if progress.bytes == 0, bytes[0] == 0x1F {
      decoder = try? GzipDecoder()
      guard decoder != nil else {
        throw .malformedInput(reason: "there is not enough memory to decompress it")
      }
    }
    if let decoder {
      try decode(bytes, decoder)
    } else {
      try append(bytes)
    }
    progress.bytes += bytes.count
    progress.rows = report.rows
  }

  /// Ends the input and returns the cities and the outcome for each row.
  ///
  /// - Throws: ``CitiesError`` if the input is cut off or contains no city.
  package consuming func finish() throws(CitiesError) -> (CityIndexBuilder, CityImportReport) {
    if let decoder, !decoder.isAtMemberEnd { throw .truncatedInput(rows: report.rows) }
    if format == nil { try recognizeFormat() }
    if format == .json {
      for row in try ImportRow.array(text) { add(row) }
    } else if format == .geoNames, !text.isEmpty {
      guard ImportRow.isComplete(text) else { throw .truncatedInput(rows: report.rows) }
      text.append(0x0A)
      try addLines()
    }
    guard report.cities > 0 else { throw .noUsableRow(rows: report.rows) }
    return (builder, report)
  }

  private mutating func decode(
    _ bytes: UnsafeRawBufferPointer, _ decoder: GzipDecoder
  ) throws(CitiesError) {
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { output.deallocate() }
    var rest = bytes[...]
    while !rest.isEmpty {
      // zlib counts input with 32 bits.
      decoder.setInput(UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30)))
      rest = rest.dropFirst(1 << 30)
      while true {
        guard let count = try? decoder.decode(into: output) else {
          throw .malformedInput(reason: "the gzip data is damaged")
        }
        guard count > 0 else { break }
        try append(UnsafeRawBufferPointer(rebasing: output[..<count]))
      }
    }
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(CitiesError) {
    text.append(contentsOf: bytes)
    if format == nil, text.count >= 8 { try recognizeFormat() }
    if format == .geoNames { try addLines() }
  }

  private mutating func recognizeFormat() throws(CitiesError) {
    format = try CityFormat(start: text)
    if format == nil, text.count > Self.mostWhiteSpace {
      throw .unsupportedInput(format: "only white space")
    }
    if format == .geoNames { text.removeFirst(CityFormat.markCount(text)) }
  }
}

// Rows
extension CityImport {
  private mutating func addLines() throws(CitiesError) {
    var lines = text
    text = []
    let end = lines.withUnsafeBytes { text in
      var start = 0
      while let base = text.baseAddress,
        let found = memchr(base + start, 0x0A, text.count - start)
      {
        let end = UnsafeRawPointer(found) - base
        add(geoNamesLine: UnsafeRawBufferPointer(rebasing: text[start..<end]))
        start = end + 1
      }
      return start
    }
    lines.removeFirst(end)
    text = lines
    guard text.count <= Self.longestLine else {
      throw .malformedInput(reason: "a row is longer than \(Self.longestLine) bytes")
    }
  }

  private mutating func add(geoNamesLine line: UnsafeRawBufferPointer) {
    if line.isEmpty || line.elementsEqual([0x0D]) {
      position += 1
    } else {
      add(ImportRow(geoNamesLine: line))
    }
  }

  /// Adds the next row, `nil` for a malformed one.
  private mutating func add(_ row: ImportRow?) {
    position += 1
    report.rows += 1
    do throws(CityIssue) {
      guard let row else { throw .malformed }
      guard row.isPopulatedPlace else {
        report.otherFeatures += 1
        return
      }
      try builder.add(
        city(row), alternateNames: row.alternateNames, regionCode: row.regionCode)
      report.cities += 1
    } catch {
      report.add(error, at: position)
    }
  }

  private func city(_ row: ImportRow) throws(CityIssue) -> City {
    guard let id = row.id else { throw .noIdentifier }
    guard let name = row.name?.trimmed, !name.isEmpty else { throw .noName }
    guard let latitude = row.latitude, let longitude = row.longitude else { throw .noPosition }
    guard let coordinate = try? Coordinate(latitude: latitude, longitude: longitude) else {
      throw .offTheGlobe
    }
    return City(
      id: id, name: name, country: row.country, region: regions[row.regionCode],
      coordinate: coordinate, population: row.population, timezone: row.timezone)
  }
}

// Files
extension CityImport {
  /// Makes an index of the cities in a file and puts it in place of the one at `destination`, in one
  /// step or not at all.
  ///
  /// Blocks the calling thread until the file has been read; n log n in the number of cities.
  ///
  /// - Parameters:
  ///   - destination: the file of the index.
  ///   - source: a file or a pipe.
  ///   - regions: the names of regions by their GeoNames code, such as `DE.11`.
  ///   - progress: called after every piece that was read; an error it throws ends the import.
  /// - Returns: the outcome for each row.
  /// - Throws: ``CitiesError``, `CancellationError` when the task is canceled, or the error of
  ///   `progress`; the index at `destination` is then intact.
  public static func replaceIndex(
    at destination: URL, reading source: URL, regions: [String: String] = [:],
    progress: (CityImportProgress) throws -> Void = { _ in }
  ) throws -> CityImportReport {
    var cities = CityImport(regions: regions)
    try cities.consume(contentsOf: source, progress: progress)
    try Task.checkCancellation()
    let (builder, report) = try cities.finish()
    try Task.checkCancellation()
    try builder.write(to: destination)
    return report
  }

  /// Returns the names of regions by code, from a file such as `admin1CodesASCII.txt` of GeoNames: the
  /// code and the name in the first two columns, separated by tabs.
  ///
  /// - Throws: ``CitiesError`` if the file cannot be read.
  public static func regions(contentsOf url: URL) throws(CitiesError) -> [String: String] {
    let text: String
    do {
      let bytes = try WholeFile.bytes(of: url.path, limit: 16 << 20)
      text = String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
    } catch {
      throw .unreadable(path: url.path, reason: error.reason)
    }
    var names: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let columns = line.split(separator: "\t", maxSplits: 2)
      if columns.count > 1 { names[String(columns[0])] = String(columns[1]) }
    }
    return names
  }

  private mutating func consume(
    contentsOf source: URL, progress report: (CityImportProgress) throws -> Void
  ) throws {
    let path = source.path
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw CitiesError.lastFailure(reading: path) }
    defer { close(file) }
    var status = stat()
    if fstat(file, &status) == 0, status.kind == .regular {
      progress.totalBytes = Int(status.st_size)
    }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    while true {
      try Task.checkCancellation()
      let count = read(file, piece.baseAddress, piece.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw CitiesError.lastFailure(reading: path)
      }
      guard count > 0 else { return }
      try consume(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      try report(progress)
    }
  }
}
