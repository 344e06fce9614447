#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes files in one step.
enum AtomicFile {
  /// Writes bytes to a new file beside `path`, brings them to the disk, then renames the file.
  ///
  /// - Throws: ``CitiesError/unwritable(path:reason:)``; then what was at `path` still is.
  static func replace(_ path: String, with bytes: [UInt8]) throws(CitiesError) {
    let temporary = "\(path).\(getpid())-\(UInt32.random(in: .min ... .max)).part"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .unwritable(path: path, reason: SystemReason.last) }
    guard writeAll(bytes, to: file), fsync(file) == 0 else {
      let reason = SystemReason.last
      close(file)
      unlink(temporary)
      throw .unwritable(path: path, reason: reason)
    }
    guard close(file) == 0, rename(temporary, path) == 0 else {
      let reason = SystemReason.last
      unlink(temporary)
      throw .unwritable(path: path, reason: reason)
    }
    syncDirectory(of: path)
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let written = write(file, start, rest.count)
        if written < 0 {
          if errno == EINTR { continue }
          return false
        }
        rest = rest.dropFirst(written)
      }
      return true
    }
  }

  /// Makes the rename last; the file is whole either way, so a failure does not matter.
  private static func syncDirectory(of path: String) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let directory = open(parent, O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}
