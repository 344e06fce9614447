import FaketrackFeatures
import FaketrackSupport
import Foundation
import GPX

/// The file that stdout is sent to, if it is one.
enum OutputFile {
  /// Why an input cannot be read, if it is this file: what is read would be written behind it, without
  /// an end.
  static func refusal(of input: GPXInput) -> Failure? {
    guard case .file(let path) = input, isOutput(path) else { return nil }
    return Failure(
      message: "\(path): is also the output",
      hint: "Send the output to a place outside of the tracks.", kind: .unusableInput)
  }

  /// Whether a path leads to it.
  static func isOutput(_ path: String) -> Bool {
    var (output, file) = (stat(), stat())
    return fstat(STDOUT_FILENO, &output) == 0 && output.st_mode & S_IFMT == S_IFREG
      && stat(path, &file) == 0 && output.st_ino == file.st_ino && output.st_dev == file.st_dev
  }
}

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
