import Foundation

/// A failed system call on a file.
package struct FileError: Error, Hashable, Sendable {
  /// The code of a pipe or device in the place of a file, which no call reports.
  package static let notAFile: Int32 = -1

  package let path: String
  /// The `errno` of the call, or ``notAFile``.
  package let code: Int32

  package init(path: String, code: Int32 = errno) {
    self.path = path
    self.code = code
  }

  /// The cause of an error of Foundation; `nil` for an error that does not come from the system.
  package init?(foundation error: any Error) {
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain,
      let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error) as NSError?,
      cause.domain == NSPOSIXErrorDomain
    else { return nil }
    let path = error.userInfo[NSFilePathErrorKey] as? String
    self.init(path: path ?? "a file", code: Int32(cause.code))
  }

  package var reason: String {
    code == Self.notAFile ? "it is not a regular file" : String(cString: strerror(code))
  }
}

package enum AtomicFile {
  /// Replaces a file: writes a temporary file in its folder, flushes it to the disk and renames it.
  ///
  /// A symbolic link is replaced, never followed. Other names of the file keep its old content.
  ///
  /// - Throws: ``FileError``; the file is then unchanged, and the temporary one removed.
  package static func replace(
    _ path: String, with bytes: some ContiguousBytes
  ) throws(FileError) {
    var status = stat()
    // A folder is an error of the rename.
    if lstat(path, &status) == 0, ![S_IFREG, S_IFLNK, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw FileError(path: path, code: FileError.notAFile)
    }
    let (temporary, file) = try makeTemporary(for: path)
    var code: Int32 = 0
    if !writeAll(bytes, to: file) || fsync(file) != 0 { code = errno }
    if code == 0, rename(temporary, path) != 0 { code = errno }
    if code != 0 { unlink(temporary) }
    // Releases the lock, so the temporary file has to be gone.
    if close(file) != 0, code == 0 { code = errno }
    guard code == 0 else { throw FileError(path: path, code: code) }
    syncDirectory(of: path)
  }

  /// Creates a file with a random name, locked so that ``removeLeftovers(in:)`` leaves it alone.
  private static func makeTemporary(
    for path: String
  ) throws(FileError) -> (path: String, file: Int32) {
    while true {
      let digits = String(UInt64.random(in: 1 << 60 ... .max), radix: 16)
      let temporary = folder(of: path) + prefix + digits + suffix
      let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
      guard file >= 0 else {
        if errno == EEXIST { continue }
        throw FileError(path: path)
      }
      var status = stat()
      while flock(file, LOCK_EX) != 0, errno == EINTR {}
      if fstat(file, &status) != 0 || status.st_nlink > 0 { return (temporary, file) }
      // Another process took it for a leftover before it was locked.
      close(file)
    }
  }

  /// Removes the temporary files that killed processes have left in a folder: regular files with
  /// our names and one link that this user owns and no process has locked.
  package static func removeLeftovers(in folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where isTemporary(name) {
      let path = folder + "/" + name
      let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      var status = stat()
      if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
        status.st_uid == geteuid(), flock(file, LOCK_EX | LOCK_NB) == 0
      {
        unlink(path)
      }
      close(file)
    }
  }

  private static let (prefix, suffix) = ("faketrack-", ".part")

  private static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
      && name.utf8.count == prefix.utf8.count + 16 + suffix.utf8.count
      && name.dropFirst(prefix.count).prefix(16).allSatisfy { $0.isHexDigit && !$0.isUppercase }
  }

  /// The folder of a file, with a slash; empty for a name alone.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Creates a folder and those above it, unless they exist.
  ///
  /// - Parameter mode: the permissions of the new folders.
  package static func makeFolder(_ path: String, mode: mode_t = 0o777) throws(FileError) {
    if mkdir(path, mode) == 0 { return }
    let code = errno
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    var parent = path[...]
    while parent.last == "/" { parent.removeLast() }
    parent = parent.lastIndex(of: "/").map { parent[...$0] } ?? ""
    guard code == ENOENT, !parent.isEmpty, parent.count < path.count else {
      throw FileError(path: path, code: code == EEXIST ? ENOTDIR : code)
    }
    do { try makeFolder(String(parent), mode: mode) } catch {
      throw FileError(path: path, code: error.code)
    }
    guard mkdir(path, mode) == 0 || errno == EEXIST else { throw FileError(path: path) }
  }

  /// Writes all bytes to an open file; if that fails, returns `false` and sets `errno`.
  ///
  /// - Parameter milliseconds: the timeout of a file that does not block; -1 waits without one.
  package static func writeAll(
    _ bytes: some ContiguousBytes, to file: Int32, milliseconds: Int32 = -1
  ) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let written = write(file, start, rest.count)
        if written < 0 {
          if errno == EINTR { continue }
          guard errno == EAGAIN else { return false }
          guard waitForRoom(in: file, milliseconds: milliseconds) else {
            errno = EAGAIN
            return false
          }
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
    let directory = open(folder(of: path) + ".", O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}
