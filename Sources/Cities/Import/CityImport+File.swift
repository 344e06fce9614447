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

extension CityImport {
  /// Makes an index of the cities in a file and puts it in place of the one at `destination`, in one
  /// step or not at all.
  ///
  /// - Parameters:
  ///   - regions: the names of regions by their GeoNames code, such as `DE.11`.
  ///   - progress: called for every piece that was read; what it throws ends the import.
  /// - Throws: ``CitiesError``, `CancellationError` when the task is cancelled, or what `progress`
  ///   throws; then what was at `destination` still is.
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

  /// The names of regions by code from a file like `admin1CodesASCII.txt` of GeoNames: the code and
  /// the name in the first two columns between tabs.
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

  /// Takes the bytes of a file, a pipe will do.
  public mutating func consume(
    contentsOf source: URL, progress report: (CityImportProgress) throws -> Void = { _ in }
  ) throws {
    let path = source.path
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw CitiesError.unreadable(path: path, reason: SystemReason.last) }
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
        throw CitiesError.unreadable(path: path, reason: SystemReason.last)
      }
      guard count > 0 else { return }
      try consume(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      try report(progress)
    }
  }
}
