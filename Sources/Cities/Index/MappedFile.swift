#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file mapped into memory, read only, until this goes away.
///
/// Replacing the file by renaming another over it leaves the mapping as it is. Cutting the file
/// short while it is mapped does not; nothing here does that.
final class MappedFile {
  let bytes: UnsafeRawBufferPointer

  /// Maps the file at `path`; no byte is read yet.
  init(path: String) throws(CitiesError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .unreadable(path: path, reason: SystemReason.last) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw .unreadable(path: path, reason: SystemReason.last)
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      throw .notAnIndex(path: path)
    }
    let count = Int(status.st_size)
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
    else { throw .unreadable(path: path, reason: SystemReason.last) }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}

/// The system's words for what went wrong.
enum SystemReason {
  /// The words for `errno`.
  static var last: String { words(for: errno) }

  static func words(for code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
