import FaketrackSupport
import Foundation

/// A text file with a header in an output folder. Lines are appended; existing text is never changed.
final class OutputTable {
  private let path: String
  private let descriptor: Int32
  /// The complete lines behind the header.
  private(set) var lines: [String] = []
  /// The bytes behind the last line end: a line that was cut off, or text of the user.
  private var rest: ArraySlice<UInt8> = []

  /// Opens the table.
  ///
  /// - Parameters:
  ///   - folder: the open folder of the table.
  ///   - path: the path of the table, for messages.
  ///   - isWritten: whether lines will be appended; the table is then created if necessary.
  /// - Throws: `FileError` if it cannot be opened, ``Failure`` if faketrack did not write it.
  init(
    _ name: String, in folder: Int32, path: String, header: String, isWritten: Bool = true
  ) throws {
    self.path = path
    // O_NONBLOCK turns waiting for the reader of a pipe into an error.
    let access = isWritten ? O_RDWR | O_CREAT | O_APPEND : O_RDONLY
    descriptor = openat(folder, name, access | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw errno == ELOOP ? Self.foreign(path, "a symbolic link") : FileError(path: path)
    }
    guard status.kind == .regular else {
      throw FileError(path: path, code: FileError.notAFile)
    }
    let text = [UInt8](try FileHandle(fileDescriptor: descriptor).readToEnd() ?? Data())
    let end = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    rest = text[end...]
    lines = String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").dropFirst()
      .map(String.init)
    if status.st_nlink > 1 { throw Self.foreign(path, "a file with other names (hard links)") }
    guard text.starts(with: header.utf8) || header.utf8.starts(with: text) else {
      throw Self.foreign(path, "a file that faketrack has not written")
    }
    if end == 0, isWritten { try append(header) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func foreign(_ path: String, _ kind: String) -> Failure {
    Failure(
      message: "\(path): can't write to \(kind)", hint: "Move it away, or name another folder.")
  }

  /// Appends a line, and completes it where a killed run has cut it off.
  func append(_ line: String) throws(FileError) {
    var bytes = Array(line.utf8)
    if bytes.starts(with: rest) {
      bytes.removeFirst(rest.count)
    } else {
      bytes.insert(UInt8(ascii: "\n"), at: 0)
    }
    let end = lseek(descriptor, 0, SEEK_END)
    guard AtomicFile.writeAll(bytes, to: descriptor) else {
      let error = FileError(path: path)
      // Nothing of a line that has no room.
      ftruncate(descriptor, end)
      throw error
    }
    rest = []
  }

  /// Flushes the lines to the disk.
  func synchronize() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw FileError(path: path) }
  }
}
