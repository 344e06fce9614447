#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A failed system call on a file.
package struct FileError: Error, Hashable, Sendable {
  package let path: String
  /// The `errno` of the call.
  package let code: Int32

  /// Creates an error, by default with the current `errno`.
  package init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  /// The system's description of the error.
  package var reason: String { String(cString: strerror(code)) }
}

/// Writes files atomically.
package enum AtomicFile {
  /// Replaces a file: writes a temporary file, flushes it to the disk and renames it.
  ///
  /// The name of the temporary file is `path` and `.part`. Processes that write the same file take turns,
  /// and overwrite the rest of a killed one.
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

  /// Opens and locks the temporary file, until it is closed.
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
      if isSame(file, temporary) { return file }
      // Another process renamed it.
      close(file)
    }
  }

  /// Whether a path is that of an open file.
  private static func isSame(_ file: Int32, _ path: String) -> Bool {
    var (opened, found) = (stat(), stat())
    return fstat(file, &opened) == 0 && stat(path, &found) == 0
      && opened.st_ino == found.st_ino && opened.st_dev == found.st_dev
  }

  /// Writes all bytes to an open file.
  ///
  /// - Returns: Whether that succeeded; otherwise `errno` is set.
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

  /// Waits until a write to an open file does not block, or fails because its reader is gone.
  ///
  /// - Parameter milliseconds: The timeout; -1 for none.
  /// - Returns: Whether that happened within the timeout.
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
