import FaketrackSupport
import Foundation

/// The tracks that a previous output holds whole, for a run that goes on where it broke off.
package struct FinishedTracks: Sendable {
  /// How many times each name has an end record.
  private var counts: [String: Int] = [:]
  /// The bytes up to the end of the last track that ended or failed; what follows is of a track that
  /// broke off.
  package private(set) var length = 0
  /// How many tracks have been left out.
  package private(set) var leftOut = 0

  package init() {}

  /// Reads the records of a previous output.
  ///
  /// - Throws: ``Failure`` when they cannot be read, or are not records of tracks.
  package init(contentsOf path: String) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(FileError(path: path)) }
    defer { close(descriptor) }
    var reader = LineReader(descriptor)
    var number = 0
    do {
      while let line = try reader.next() {
        number += 1
        switch Self.kind(of: line) {
        case .location: break
        case .end(let track):
          counts[track, default: 0] += 1
          length = reader.position
        case .failure: length = reader.position
        case nil:
          throw Failure(
            message: "\(path):\(number): this is not a record of one of many tracks",
            hint: "Give --resume the ndjson output of a run with several tracks.",
            kind: .unusableInput)
        }
      }
    } catch let error as FileError {
      throw Self.unreadable(FileError(path: path, code: error.code))
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(error)
    }
  }

  /// Whether a track is left out, because it is there whole; each end record counts once.
  package mutating func leavesOut(_ track: String) -> Bool {
    guard let count = counts[track], count > 0 else { return false }
    counts[track] = count - 1
    leftOut += 1
    return true
  }

  private enum Kind {
    case location, failure
    case end(String)
  }

  private static let opening = Array(#"{"track":"#.utf8)

  /// The kind of a line; `nil` for one that is no record.
  private static func kind(of line: LineReader.Line) -> Kind? {
    switch line {
    case .text(let bytes): kind(ofRecord: bytes)
    // The last record may have been cut off, anywhere.
    case .unfinished(let bytes):
      bytes.starts(with: opening) || opening.starts(with: bytes) ? .location : nil
    case .tooLong: nil
    }
  }

  /// The kind of a record, by what follows the name of its track; only the name of a track that ended
  /// is decoded.
  private static func kind(ofRecord line: [UInt8]) -> Kind? {
    guard line.starts(with: opening), line.last == UInt8(ascii: "}"),
      let end = endOfString(in: line, from: opening.count)
    else { return nil }
    let rest = line[end...]
    if rest.starts(with: #","index":"#.utf8) { return .location }
    if rest.starts(with: #","error":"#.utf8) { return .failure }
    guard rest.starts(with: #","end":true"#.utf8),
      let name = try? JSONDecoder().decode(String.self, from: Data(line[opening.count..<end]))
    else { return nil }
    return .end(name)
  }

  /// Where the JSON string ends that begins here.
  private static func endOfString(in line: [UInt8], from start: Int) -> Int? {
    guard start < line.count, line[start] == UInt8(ascii: "\"") else { return nil }
    var index = start + 1
    while index < line.count {
      switch line[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  private static func unreadable(_ error: FileError) -> Failure {
    Failure(
      message: "\(error.path): cannot be read: \(error.reason)",
      hint: "--resume takes the output of the run that is to go on.")
  }
}
