import FaketrackFeatures
import FaketrackSupport
import Foundation

/// The output of a run that broke off, for one that goes on with it.
struct PreviousOutput {
  /// The tracks that it holds whole.
  let finished: FinishedTracks
  private let path: String
  /// Whether this run appends to it.
  private let isAppended: Bool

  /// - Throws: `Failure` when it cannot be read, or this run overwrites it.
  init(_ path: String) throws {
    self.path = path
    isAppended = OutputFile.isOutput(path)
    if isAppended, fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND == 0 {
      throw Failure(
        message: "--resume \(path): this run would overwrite what it is to go on with",
        hint: "Append to it with >>, or send the output to another file.", kind: .wrongUsage)
    }
    finished = try FinishedTracks(contentsOf: path)
  }

  /// Takes the track that broke off out of an output that this run appends to, so that none of its
  /// records is there twice.
  func cutOff() throws {
    guard isAppended else { return }
    if ftruncate(STDOUT_FILENO, off_t(finished.length)) != 0 { throw FileError(path: path) }
  }
}
