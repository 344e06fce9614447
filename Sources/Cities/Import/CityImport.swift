/// Reads cities from a GeoNames dump or a JSON array, and makes an index of them.
///
/// The bytes come in pieces of any size, from wherever they are;
/// ``replaceIndex(at:reading:regions:progress:)`` takes them from a file. Two forms, plain or gzipped,
/// are told apart by how they start: the tab-separated dumps of GeoNames, and a JSON array of objects
/// with `_id` (or `id`), `name`, `country` and `coord` of `lat` and `lon`. A row that is not a city is
/// counted, never mended. JSON is held in memory as a whole, a dump is not.
public struct CityImport {
  private enum Form {
    case undecided([UInt8])
    case table(LineSplitter)
    case json([UInt8])
  }

  private var form = Form.undecided([])
  private var inflater: Inflater?
  private var hasBegun = false
  private var rows: CityRows

  /// How far the import is.
  public internal(set) var progress = CityImportProgress()

  /// - Parameter regions: the names of regions by their GeoNames code, such as `DE.11`.
  public init(regions: [String: String] = [:]) {
    rows = CityRows(regions: regions)
  }

  /// Takes the next bytes.
  ///
  /// - Throws: ``CitiesError`` if they can be no part of city data.
  public mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(CitiesError) {
    guard !bytes.isEmpty else { return }
    if !hasBegun {
      hasBegun = true
      if bytes[0] == 0x1F { inflater = try Inflater() }
    }
    if let inflater {
      try inflater.inflate(bytes) { (plain) throws(CitiesError) in try take(plain) }
    } else {
      try take(bytes)
    }
    progress.bytes += bytes.count
    progress.rows = rows.report.rows
  }

  /// Ends the input; returns the cities, and what became of the rows.
  ///
  /// - Throws: ``CitiesError`` if the input is cut off or holds no city.
  public consuming func finish() throws(CitiesError) -> (CityIndexBuilder, CityImportReport) {
    if let inflater, !inflater.isComplete { throw .truncatedInput(rows: rows.report.rows) }
    try decide(isEnd: true)
    switch form {
    case .undecided: break
    case .table(let lines) where !lines.rest.isEmpty:
      guard GeoNamesRow.isComplete(lines.rest) else {
        throw .truncatedInput(rows: rows.report.rows)
      }
      lines.rest.withUnsafeBytes { rows.add(geoNamesLine: $0) }
    case .table: break
    case .json(let bytes):
      for row in try JSONCityRow.array(bytes) { rows.add(row) }
    }
    guard rows.report.cities > 0 else { throw .noUsableRow(rows: rows.report.rows) }
    return (rows.builder, rows.report)
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer) throws(CitiesError) {
    switch form {
    case .undecided(var start):
      start.append(contentsOf: bytes)
      form = .undecided(start)
      try decide(isEnd: false)
    case .table(var lines):
      form = .undecided([])
      lines.append(bytes) { rows.add(geoNamesLine: $0) }
      form = .table(lines)
    case .json(var text):
      form = .undecided([])
      text.append(contentsOf: bytes)
      form = .json(text)
    }
  }

  /// Settles the form once enough bytes are there.
  private mutating func decide(isEnd: Bool) throws(CitiesError) {
    guard case .undecided(let start) = form, isEnd || start.count >= 8 else { return }
    switch try InputForm(start: start) {
    case .none: break
    case .json: form = .json(start)
    case .table:
      var lines = LineSplitter()
      start.withUnsafeBytes { bytes in
        let mark = start.starts(with: InputForm.byteOrderMark) ? 3 : 0
        lines.append(UnsafeRawBufferPointer(rebasing: bytes[mark...])) {
          rows.add(geoNamesLine: $0)
        }
      }
      form = .table(lines)
    }
  }
}
