import Foundation

/// Files that are replaced in one step or not at all.
package enum AtomicFile {
  /// Replaces a file: writes a temporary file in its folder, flushes it to the disk and renames it.
  ///
  /// A symbolic link is replaced, never followed. Other names of the file keep its old content.
  ///
  /// - Parameters:
  ///   - folder: an open folder, from which the path leads; by default the current one.
  ///   - mode: the permissions of the new file.
  ///   - temporary: the name of the temporary file; by default a random one.
  /// - Throws: ``FileError``; the file is then unchanged, and the temporary one removed.
  package static func replace(
    _ path: String, in folder: Int32 = AT_FDCWD, with bytes: some ContiguousBytes,
    mode: mode_t = 0o644, temporary: String? = nil
  ) throws(FileError) {
    var status = stat()
    // A folder is an error of the rename.
    if fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0,
      ![.regular, .link, .folder].contains(status.kind)
    {
      throw FileError(path: path, code: FileError.notAFile)
    }
    let file = try TemporaryFile(for: path, in: folder, named: temporary, mode: mode)
    do throws(FileError) {
      guard writeAll(bytes, to: file.descriptor) else { throw FileError(path: path) }
      try file.move(to: path)
    } catch {
      file.remove()
      throw error
    }
  }

  /// Creates a file, flushed to the disk.
  ///
  /// - Throws: ``FileError``, with `EEXIST` if there is something at the path; a file that is not whole has been
  ///   removed.
  package static func create(
    _ path: String, with bytes: some ContiguousBytes
  ) throws(FileError) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let file = try TemporaryFile(for: path, named: String(name), mode: 0o666)
    guard writeAll(bytes, to: file.descriptor), fsync(file.descriptor) == 0 else {
      let error = FileError(path: path)
      file.remove()
      throw error
    }
    file.close()
  }

  /// Writes a file to a folder and removes it: permissions alone do not show that a file system is
  /// read-only.
  package static func checkWriting(in folder: String) throws(FileError) {
    let file = try TemporaryFile(for: folder + "/check", mode: 0o600)
    file.remove()
  }

  /// Creates a folder and those above it, unless they exist.
  ///
  /// - Parameter mode: the permissions of the new folders.
  package static func makeFolder(_ path: String, mode: mode_t = 0o777) throws(FileError) {
    if mkdir(path, mode) == 0 { return }
    let code = errno
    if FileKind(path) == .folder { return }
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
}
