import FaketrackSupport
import Foundation

/// The table that credits downloaded photos: one line per file, written when the file is complete.
final class CreditTable {
  private let path: String
  private let descriptor: Int32
  private var names: Set<String> = []

  /// Opens a table and reads the lines of earlier runs, or creates it.
  ///
  /// Removes an incomplete last line that a killed run left. The table stays locked while it is
  /// open, if the file system supports locks.
  ///
  /// - Parameter header: the first line, with its line break.
  /// - Throws: `FileError` if it cannot be written, ``Failure`` if another run is writing it.
  init(at path: String, header: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_CREAT | O_APPEND, 0o644)
    guard descriptor >= 0 else { throw FileError(path: path) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw Failure(
        message: "\(path): another run is writing here",
        hint: "Wait for it, or name another folder.")
    }
    let text = try contents()
    let end = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if end < text.count, ftruncate(descriptor, off_t(end)) != 0 { throw FileError(path: path) }
    // Names need no quotes, so they end at the first comma.
    let lines = String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").dropFirst()
    names = Set(lines.map { String($0.unicodeScalars.prefix { $0 != "," }) })
    if end == 0 { try write(header) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Adds the line of a file, unless the file already has one.
  func add(_ name: String, line: String) throws {
    guard !names.contains(name) else { return }
    try write(line)
    names.insert(name)
  }

  private func contents() throws(FileError) -> Data {
    var contents = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return contents }
      if count > 0 { contents.append(contentsOf: buffer[..<count]) }
      if count < 0, errno != EINTR { throw FileError(path: path) }
    }
  }

  private func write(_ text: String) throws(FileError) {
    guard AtomicFile.writeAll(Array(text.utf8), to: descriptor) else {
      throw FileError(path: path)
    }
  }
}
