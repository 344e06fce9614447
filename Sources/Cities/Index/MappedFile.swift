import Foundation

/// A file that is mapped read-only into memory for the lifetime of this object.
///
/// Renaming another file over it leaves the mapping intact. Truncating the file while it is mapped
/// would not; this package never does that.
final class MappedFile {
  let bytes: UnsafeRawBufferPointer

  /// Maps the file without reading it.
  ///
  /// - Throws: ``CitiesError/notAnIndex(path:)`` unless it is a regular file with content.
  init(path: String) throws(CitiesError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw CitiesError.lastFailure(reading: path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw CitiesError.lastFailure(reading: path) }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      throw .notAnIndex(path: path)
    }
    let count = Int(status.st_size)
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED
    else { throw CitiesError.lastFailure(reading: path) }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}
