import FaketrackSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads cities from a GeoNames dump or a JSON array and makes an index of them.
///
/// The bytes may come from anywhere, in pieces of any size;
/// ``replaceIndex(at:reading:regions:progress:)`` reads them from a file. The first bytes tell the
/// formats apart: the tab-separated dumps of GeoNames, and a JSON array of objects with `_id` (or
/// `id`), `name`, `country` and `coord`, which holds `lat` and `lon`. Both may be gzipped. Unusable
/// rows are counted, never repaired. JSON is held in memory as a whole, a dump is not.
public struct CityImport {
  private enum State {
    /// The first bytes, too few to tell the format.
    case undecided([UInt8])
    case geoNames(LineSplitter)
    case json([UInt8])
  }

  /// Far more than any row has; what is not city data at all may have no line ends.
  private static let longestLine = 1 << 20
  /// How many bytes of white space the data may begin with.
  private static let mostWhiteSpace = 1 << 16

  private var state = State.undecided([])
  private var decoder: GzipDecoder?
  private var hasBegun = false
  private var rows: CityRows

  /// How far the import has come.
  public internal(set) var progress = CityImportProgress()

  /// Creates an import that has read nothing.
  ///
  /// - Parameter regions: the names of regions by their GeoNames code, such as `DE.11`.
  public init(regions: [String: String] = [:]) {
    rows = CityRows(regions: regions)
  }

  /// Reads the next bytes.
  ///
  /// - Throws: ``CitiesError`` if they cannot be part of city data.
  public mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(CitiesError) {
    guard !bytes.isEmpty else { return }
    if !hasBegun {
      hasBegun = true
      if bytes[0] == 0x1F { decoder = try Self.startedDecoder() }
    }
    if let decoder {
      try decode(bytes, decoder)
    } else {
      try append(bytes)
    }
    progress.bytes += bytes.count
    progress.rows = rows.report.rows
  }

  /// Ends the input and returns the cities and the outcome for each row.
  ///
  /// - Throws: ``CitiesError`` if the input is cut off or holds no city.
  public consuming func finish() throws(CitiesError) -> (CityIndexBuilder, CityImportReport) {
    if let decoder, !decoder.isAtMemberEnd { throw .truncatedInput(rows: rows.report.rows) }
    try decideFormat(isEnd: true)
    switch state {
    case .undecided: break
    case .geoNames(let lines) where !lines.rest.isEmpty:
      guard GeoNamesRow.isComplete(lines.rest) else {
        throw .truncatedInput(rows: rows.report.rows)
      }
      lines.rest.withUnsafeBytes { rows.add(geoNamesLine: $0) }
    case .geoNames: break
    case .json(let bytes):
      for row in try JSONCityRow.array(bytes) { rows.add(row) }
    }
    guard rows.report.cities > 0 else { throw .noUsableRow(rows: rows.report.rows) }
    return (rows.builder, rows.report)
  }

  private static func startedDecoder() throws(CitiesError) -> GzipDecoder {
    do {
      return try GzipDecoder()
    } catch {
      throw .malformedInput(reason: "there is not enough memory to decompress it")
    }
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
        let count: Int
        do {
          count = try decoder.decode(into: output)
        } catch {
          throw .malformedInput(reason: "the gzip data is damaged")
        }
        guard count > 0 else { break }
        try append(UnsafeRawBufferPointer(rebasing: output[..<count]))
      }
    }
  }

  /// Appends decompressed bytes.
  private mutating func append(_ bytes: UnsafeRawBufferPointer) throws(CitiesError) {
    switch state {
    case .undecided(var start):
      start.append(contentsOf: bytes)
      state = .undecided(start)
      try decideFormat(isEnd: false)
    case .geoNames(var lines):
      // Frees the only other reference, so that the rest of a line is not copied.
      state = .undecided([])
      lines.append(bytes) { rows.add(geoNamesLine: $0) }
      guard lines.rest.count <= Self.longestLine else {
        throw .malformedInput(reason: "a row is longer than \(Self.longestLine) bytes")
      }
      state = .geoNames(lines)
    case .json(var text):
      state = .undecided([])
      text.append(contentsOf: bytes)
      state = .json(text)
    }
  }

  /// Decides the format once there are enough bytes.
  private mutating func decideFormat(isEnd: Bool) throws(CitiesError) {
    guard case .undecided(let start) = state, isEnd || start.count >= 8 else { return }
    switch try CityFormat(start: start) {
    case .none:
      guard start.count <= Self.mostWhiteSpace else {
        throw .unsupportedInput(found: "nothing but white space")
      }
    case .json: state = .json(start)
    case .geoNames:
      var lines = LineSplitter()
      start.withUnsafeBytes { bytes in
        let mark = start.starts(with: CityFormat.byteOrderMark) ? 3 : 0
        lines.append(UnsafeRawBufferPointer(rebasing: bytes[mark...])) {
          rows.add(geoNamesLine: $0)
        }
      }
      state = .geoNames(lines)
    }
  }
}

// Files
extension CityImport {
  /// Makes an index of the cities in a file and puts it in place of the one at `destination`, in one
  /// step or not at all.
  ///
  /// Blocks the calling thread until the file has been read.
  ///
  /// - Parameters:
  ///   - regions: the names of regions by their GeoNames code, such as `DE.11`.
  ///   - progress: called after every piece that was read; an error it throws ends the import.
  /// - Throws: ``CitiesError``, `CancellationError` when the task is canceled, or what `progress`
  ///   throws; the index at `destination` is then intact.
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

  /// The names of regions by code, from a file such as `admin1CodesASCII.txt` of GeoNames: the code
  /// and the name in the first two columns, separated by tabs.
  ///
  /// - Throws: ``CitiesError`` if the file cannot be read.
  public static func regions(contentsOf url: URL) throws(CitiesError) -> [String: String] {
    let text: String
    do {
      text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    } catch {
      throw .unreadable(path: url.path, reason: error.localizedDescription)
    }
    var names: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let columns = line.split(separator: "\t", maxSplits: 2)
      if columns.count > 1 { names[String(columns[0])] = String(columns[1]) }
    }
    return names
  }

  /// Reads the bytes of a file or a pipe.
  private mutating func consume(
    contentsOf source: URL, progress report: (CityImportProgress) throws -> Void
  ) throws {
    let path = source.path
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw CitiesError.lastFailure(reading: path) }
    defer { close(file) }
    var status = stat()
    if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
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
