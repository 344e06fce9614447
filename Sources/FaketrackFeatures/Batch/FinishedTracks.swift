import FaketrackSupport
import Foundation

/// The tracks that a previous output holds whole, for `--resume`.
package struct FinishedTracks: Sendable {
  private let path: String
  /// The number of end records of each track.
  private var counts: [String: Int] = [:]
  /// The bytes up to the end of the last track that ended or failed; the rest is of a track that
  /// broke off.
  package private(set) var length = 0
  package private(set) var leftOut = 0

  /// Reads the records of a previous output.
  ///
  /// - Throws: ``Failure`` when they cannot be read, are not records of tracks, or are in the file
  ///   that this run overwrites.
  package init(contentsOf path: String) throws(Failure) {
    self.path = path
    if OutputFile.isOutput(path), fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND == 0 {
      throw Failure(
        message: "--resume \(path): this run would overwrite what it is to go on with",
        hint: "Append to it with >>, or send the output to another file.", kind: .wrongUsage)
    }
    let reader = try LineReader(
      open(path, O_RDONLY | O_CLOEXEC), name: path,
      hint: "--resume takes the output of the run that is to go on.")
    while let line = try reader.next() {
      let record: TrackRecord? =
        switch line {
        case .text(let bytes): TrackRecord(bytes)
        case .unfinished(let bytes): TrackRecord.isCutOff(bytes) ? .location : nil
        case .tooLong: nil
        }
      switch record {
      case .location: break
      case .failure: length = reader.position
      case .end(let track):
        counts[track, default: 0] += 1
        length = reader.position
      case nil:
        throw Failure(
          message: "\(reader.place): this is not a record of one of many tracks",
          hint: "Give --resume the ndjson output of a run with several tracks.",
          kind: .unusableInput)
      }
    }
  }

  /// Whether a track is left out, because the output holds it whole; each end record counts once.
  package mutating func leavesOut(_ track: String) -> Bool {
    guard let count = counts[track], count > 0 else { return false }
    counts[track] = count - 1
    leftOut += 1
    return true
  }

  /// Removes the track that broke off from an output that this run appends to, so that none of its
  /// records is there twice.
  ///
  /// - Throws: `FileError`.
  package func cutOff() throws {
    guard OutputFile.isOutput(path) else { return }
    if ftruncate(STDOUT_FILENO, off_t(length)) != 0 { throw FileError(path: path) }
  }
}

/// The file that stdout is sent to.
enum OutputFile {
  static func isOutput(_ path: String) -> Bool {
    var (output, file) = (stat(), stat())
    return fstat(STDOUT_FILENO, &output) == 0 && output.st_mode & S_IFMT == S_IFREG
      && stat(path, &file) == 0 && output.st_ino == file.st_ino && output.st_dev == file.st_dev
  }
}
