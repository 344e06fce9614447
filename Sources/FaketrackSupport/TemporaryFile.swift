import Foundation

/// A file that is being written under a temporary name in the folder of its target.
package struct TemporaryFile: Sendable {
  /// The open folder from which the paths lead.
  private let folder: Int32
  package let path: String
  /// The file, open for writing, and locked until it is closed.
  package let descriptor: Int32

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - name: its name; by default a random one, which ``OwnFolder/removeLeftovers()`` recognizes.
  ///   - mode: its permissions.
  /// - Throws: ``FileError`` with the path of the target; with the path of the file and `EEXIST` if the
  ///   name exists.
  package init(
    for target: String, in folder: Int32 = AT_FDCWD, named name: String? = nil, mode: mode_t
  ) throws(FileError) {
    while true {
      let path = Self.folder(of: target) + (name ?? Self.randomName)
      let file = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      guard file >= 0 else {
        if errno == EEXIST, name == nil { continue }
        throw FileError(path: errno == EEXIST ? path : target)
      }
      var status = stat()
      while flock(file, LOCK_EX) != 0, errno == EINTR {}
      if fstat(file, &status) != 0 || status.st_nlink > 0 {
        (self.folder, self.path, descriptor) = (folder, path, file)
        return
      }
      // Another process took it for a leftover before it was locked.
      Foundation.close(file)
    }
  }

  /// Flushes the file to the disk, renames and closes it.
  ///
  /// - Throws: ``FileError``; the target is then unchanged, and the file still there.
  package func move(to target: String) throws(FileError) {
    guard fsync(descriptor) == 0, renameat(folder, path, folder, target) == 0 else {
      throw FileError(path: target)
    }
    // Makes the rename durable. The file is complete in any case, so errors are ignored.
    let directory = openat(folder, Self.folder(of: target) + ".", O_RDONLY | O_CLOEXEC)
    if directory >= 0 {
      fsync(directory)
      Foundation.close(directory)
    }
    close()
  }

  /// Removes and closes the file; errors are ignored.
  package func remove() {
    unlinkat(folder, path, 0)
    // Releases the lock, so the file has to be gone.
    close()
  }

  /// Closes the file, which keeps its temporary name.
  package func close() { Foundation.close(descriptor) }

  private static let (prefix, suffix) = ("faketrack-", ".part")

  private static var randomName: String {
    prefix + String(UInt64.random(in: 1 << 60 ... .max), radix: 16) + suffix
  }

  /// Whether a name is one that a temporary file gets by default.
  static func isRandomName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.hasSuffix(suffix)
      && name.utf8.count == prefix.utf8.count + 16 + suffix.utf8.count
      && name.dropFirst(prefix.count).prefix(16).allSatisfy { $0.isHexDigit && !$0.isUppercase }
  }

  /// The folder of a file, with a slash; empty for a name alone.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }
}
