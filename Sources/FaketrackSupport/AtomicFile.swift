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

/// The system refused to open, read or write a file.
package struct FileError: Error, Hashable, Sendable {
  package let path: String
  /// The system's error number.
  package let code: Int32

  /// - Parameter code: the error number; by default that of the system call that has just failed.
  package init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  /// The system's description of the error.
  package var reason: String { String(cString: strerror(code)) }
}

/// Writes files in one step.
package enum AtomicFile {
  /// Writes bytes to a temporary file beside `path`, flushes it to the disk, then renames it to
  /// `path`.
  ///
  /// The temporary file is named after `path` with `.part` at its end. Processes that write the same
  /// file take turns; what one that was killed has left behind is overwritten by the next.
  ///
  /// - Throws: ``FileError``; the file at `path` is then as it was, and the temporary one is gone.
  package static func replace(
    _ path: String, with bytes: some ContiguousBytes
  ) throws(FileError) {
    let temporary = path + ".part"
    let file = try openAlone(temporary, for: path)
    var code: Int32 = 0
    // What is cut off at the end is from a process that was killed.
    let count = bytes.withUnsafeBytes { off_t($0.count) }
    if !writeAll(bytes, to: file) || ftruncate(file, count) != 0 || fsync(file) != 0 {
      code = errno
    }
    if code == 0, rename(temporary, path) != 0 { code = errno }
    if code != 0 { unlink(temporary) }
    // The lock lasts until here, and with it the name of the temporary file.
    if close(file) != 0, code == 0 { code = errno }
    guard code == 0 else { throw FileError(path: path, code: code) }
    syncDirectory(of: path)
  }

  /// Opens a file that no other process writes, and keeps others from it until it is closed.
  private static func openAlone(
    _ temporary: String, for path: String
  ) throws(FileError) -> Int32 {
    let wait = LockWait()
    while true {
      // What is not a file, such as a pipe without a reader, is an error rather than a wait.
      let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK
      let file = open(temporary, flags, 0o644)
      guard file >= 0 else { throw FileError(path: path) }
      guard FileLock.take(on: file, waiting: wait) else {
        close(file)
        throw FileError(path: path, code: EBUSY)
      }
      if isSame(file, temporary) { return file }
      // Another process has renamed it in the meantime.
      close(file)
    }
  }

  /// Whether a path still leads to an open file.
  private static func isSame(_ file: Int32, _ path: String) -> Bool {
    var (opened, found) = (stat(), stat())
    return fstat(file, &opened) == 0 && stat(path, &found) == 0
      && opened.st_ino == found.st_ino && opened.st_dev == found.st_dev
  }

  /// Writes all bytes to an open file, however many calls it takes.
  ///
  /// - Returns: whether they were written; if not, `errno` says why.
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

  /// Waits until a write to an open file would not block, or has nobody who reads it.
  ///
  /// - Parameter milliseconds: how long to wait; without a limit if it is negative.
  /// - Returns: whether it has come to that.
  package static func waitForRoom(in file: Int32, milliseconds: Int32 = -1) -> Bool {
    var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
    return poll(&ready, 1, milliseconds) > 0
  }

  /// Makes the rename durable; the file is whole either way, so a failure does not matter.
  private static func syncDirectory(of path: String) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let directory = open(parent, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}
