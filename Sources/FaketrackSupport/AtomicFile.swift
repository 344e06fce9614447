import Foundation

/// A failed system call on a file.
package struct FileError: Error, Hashable, Sendable {
  package let path: String
  /// The `errno` of the call.
  package let code: Int32

  package init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  package var reason: String { String(cString: strerror(code)) }
}

package enum AtomicFile {
  /// Replaces a file: writes a temporary file, flushes it to the disk and renames it.
  ///
  /// Processes that write the same file take turns, and overwrite the rest of a killed one.
  ///
  /// - Throws: ``FileError``; the file is then unchanged, and the temporary one removed.
  package static func replace(
    _ path: String, with bytes: some ContiguousBytes
  ) throws(FileError) {
    let temporary = path + ".part"
    let file = try openAlone(temporary, for: path)
    var code: Int32 = 0
    // A killed process may have written more.
    let count = bytes.withUnsafeBytes { off_t($0.count) }
    if !writeAll(bytes, to: file) || ftruncate(file, count) != 0 || fsync(file) != 0 {
      code = errno
    }
    if code == 0, rename(temporary, path) != 0 { code = errno }
    if code != 0 { unlink(temporary) }
    // Releases the lock, so the temporary file has to be gone.
    if close(file) != 0, code == 0 { code = errno }
    guard code == 0 else { throw FileError(path: path, code: code) }
    syncDirectory(of: path)
  }

  private static func openAlone(
    _ temporary: String, for path: String
  ) throws(FileError) -> Int32 {
    let wait = LockWait()
    while true {
      // O_NONBLOCK turns waiting for the reader of a pipe into an error.
      let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK
      let file = open(temporary, flags, 0o644)
      guard file >= 0 else { throw FileError(path: path) }
      guard FileLock.take(on: file, waiting: wait) else {
        close(file)
        throw FileError(path: path, code: EBUSY)
      }
      var (opened, found) = (stat(), stat())
      if fstat(file, &opened) == 0, stat(temporary, &found) == 0, opened.st_ino == found.st_ino,
        opened.st_dev == found.st_dev
      {
        return file
      }
      // Another process renamed it.
      close(file)
    }
  }

  /// Writes all bytes to an open file; if that fails, returns `false` and sets `errno`.
  package static func writeAll(_ bytes: some ContiguousBytes, to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let written = write(file, start, rest.count)
        if written < 0 {
          guard errno == EINTR || (errno == EAGAIN && waitForRoom(in: file)) else { return false }
          continue
        }
        rest = rest.dropFirst(written)
      }
      return true
    }
  }

  /// Returns whether a write does not block, or fails, within a timeout; -1 waits without one.
  package static func waitForRoom(in file: Int32, milliseconds: Int32 = -1) -> Bool {
    var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }

  /// Makes the rename durable. The file is complete in any case, so errors are ignored.
  private static func syncDirectory(of path: String) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let directory = open(parent, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}
