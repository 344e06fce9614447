import FaketrackFeatures
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
