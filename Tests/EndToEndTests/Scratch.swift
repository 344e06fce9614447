import CZlib
import Foundation

/// A folder for the files of one test, which goes with it.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faketrack-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The path of a name in the folder.
  func path(_ name: String) -> String {
    folder.appendingPathComponent(name).path
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ contents: Data) throws -> String {
    try contents.write(to: folder.appendingPathComponent(name))
    return path(name)
  }

  /// Writes a file and returns its path.
  func file(_ name: String, _ contents: String) throws -> String {
    try file(name, Data(contents.utf8))
  }
}

extension Data {
  /// The bytes as gzip, in stored blocks (RFC 1951, RFC 1952).
  var gzipped: Data {
    var packed = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    var rest = self[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      packed.append(rest.isEmpty ? 1 : 0)
      packed.appendLittleEndian(length)
      packed.appendLittleEndian(~length)
      packed.append(block)
    } while !rest.isEmpty
    let checksum = withUnsafeBytes { bytes in
      crc32(0, bytes.bindMemory(to: UInt8.self).baseAddress, uInt(bytes.count))
    }
    packed.appendLittleEndian(UInt32(truncatingIfNeeded: checksum))
    packed.appendLittleEndian(UInt32(truncatingIfNeeded: count))
    return packed
  }

  private mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

/// Small tracks.
enum Track {
  /// A track north along a meridian: so many points, each 150 m and a trifle from the one before,
  /// a minute apart.
  static func north(_ count: Int) -> String {
    opening + (0..<count).map(point).joined() + closing
  }

  static let opening = "<gpx version=\"1.1\" creator=\"test\">\n<trk>\n<trkseg>\n"
  static let closing = "</trkseg>\n</trk>\n</gpx>\n"

  static func point(_ number: Int) -> String {
    let latitude = 52 + Double(number) * 0.00135
    let minute = number < 10 ? "0\(number)" : "\(number)"
    return
      "<trkpt lat=\"\(latitude)\" lon=\"13\"><time>2026-05-01T08:\(minute):00Z</time></trkpt>\n"
  }
}
