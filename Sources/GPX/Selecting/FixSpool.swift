import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Puts fixes aside in constant memory: the latest in memory, the others in a temporary file that
/// has no name and vanishes with the spool.
///
/// If no such file can be written, all fixes stay in memory.
final class FixSpool {
  /// The number of fixes that have been put aside.
  var count: Int { blocksInFile * blockSize + fixes.count }
  /// The number of fixes that are written or read at once.
  private let blockSize: Int
  /// The fixes that are not in the file; they come after those that are.
  private var fixes: [Fix] = []
  private var file: Int32 = -1
  private var blocksInFile = 0
  private var canWrite = true

  /// Creates a spool that holds up to `blockSize` fixes in memory.
  init(blockSize: Int = 4_096) {
    self.blockSize = blockSize
  }

  deinit {
    if file >= 0 { close(file) }
  }

  func append(_ more: [Fix]) {
    for fix in more {
      if fixes.count == blockSize, canWrite { writeBlock() }
      fixes.append(fix)
    }
  }

  func removeAll() {
    fixes = []
    blocksInFile = 0
    if file >= 0 { close(file) }
    file = -1
  }

  /// Passes the fixes to `body` in their order, in blocks.
  func forEachBatch(_ body: ([Fix]) throws -> Void) throws {
    for block in 0..<blocksInFile { try body(readBlock(block)) }
    var rest = fixes[...]
    while !rest.isEmpty {
      try body(Array(rest.prefix(blockSize)))
      rest = rest.dropFirst(blockSize)
    }
  }

  private var blockLength: Int { blockSize * MemoryLayout<SpooledFix>.stride }

  private func writeBlock() {
    if file < 0 { file = Self.makeFile() }
    let records = fixes.map(SpooledFix.init)
    canWrite =
      file >= 0
      && records.withUnsafeBytes { bytes in
        pwrite(file, bytes.baseAddress, blockLength, off_t(blocksInFile * blockLength))
          == blockLength
      }
    guard canWrite else { return }
    blocksInFile += 1
    fixes.removeAll(keepingCapacity: true)
  }

  private func readBlock(_ block: Int) throws(GPXError) -> [Fix] {
    var records = [SpooledFix](repeating: SpooledFix(), count: blockSize)
    let count = records.withUnsafeMutableBytes { bytes in
      pread(file, bytes.baseAddress, blockLength, off_t(block * blockLength))
    }
    guard count == blockLength else { throw GPXError(.unreadable(errno: count < 0 ? errno : EIO)) }
    return records.compactMap(\.fix)
  }

  private static func makeFile() -> Int32 {
    let directory = FileManager.default.temporaryDirectory.path
    var template = Array("\(directory)/faketrack-XXXXXX".utf8CString)
    return template.withUnsafeMutableBufferPointer { name in
      guard let name = name.baseAddress else { return -1 }
      let file = mkstemp(name)
      if file >= 0 { unlink(name) }
      return file
    }
  }
}

/// A fix as eight numbers of eight bytes; unknown values are NaN.
private struct SpooledFix: BitwiseCopyable {
  private var latitude = 0.0
  private var longitude = 0.0
  private var time = Double.nan
  private var elevation = Double.nan
  private var speed = Double.nan
  private var course = Double.nan
  private var horizontalAccuracy = Double.nan
  private var segment: Int64 = 0

  init() {}

  init(_ fix: Fix) {
    latitude = fix.coordinate.latitude
    longitude = fix.coordinate.longitude
    time = fix.time?.timeIntervalSinceReferenceDate ?? .nan
    elevation = fix.elevation ?? .nan
    speed = fix.speed ?? .nan
    course = fix.course ?? .nan
    horizontalAccuracy = fix.horizontalAccuracy ?? .nan
    segment = Int64(fix.segment)
  }

  var fix: Fix? {
    guard let coordinate = try? Coordinate(latitude: latitude, longitude: longitude) else {
      return nil
    }
    func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
    return Fix(
      coordinate, time: known(time).map { Date(timeIntervalSinceReferenceDate: $0) },
      elevation: known(elevation), speed: known(speed), course: known(course),
      horizontalAccuracy: known(horizontalAccuracy), segment: Int(segment))
  }
}
