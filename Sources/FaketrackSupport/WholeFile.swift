import Foundation

/// Reads whole files into memory, up to a limit; a name can also lead to a pipe or a device.
package enum WholeFile {
  /// The time in which a file has to end.
  package static let timeout = Duration.seconds(20)

  /// Returns the first bytes of a file, or all of a shorter one.
  ///
  /// - Throws: ``FileError``.
  package static func head(of path: String, count: Int) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path: path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, 0)
    guard read >= 0 else { throw FileError(path: path) }
    return Array(bytes.prefix(read))
  }

  /// Returns the bytes of a file.
  ///
  /// - Parameter limit: in bytes.
  /// - Throws: ``FileError``; its code is ``FileError/tooLarge`` for more bytes than the limit, and
  ///   ``FileError/unending`` for a file that does not end in time.
  package static func bytes(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe waits for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path: path) }
    defer { close(descriptor) }
    return try bytes(of: descriptor, path: path, limit: limit)
  }

  /// Returns the text of a file without its byte order mark; `nil` if it is not UTF-8.
  ///
  /// - Throws: ``FileError``.
  package static func text(of path: String, limit: Int) throws(FileError) -> String? {
    String(validating: try bytes(of: path, limit: limit).withoutByteOrderMark, as: UTF8.self)
  }

  /// Returns the bytes that an open file still has.
  ///
  /// - Parameters:
  ///   - path: the name of the file in errors.
  ///   - limit: in bytes.
  ///   - timeout: `nil` to wait without an end.
  /// - Throws: ``FileError``.
  package static func bytes(
    of descriptor: Int32, path: String, limit: Int, timeout: Duration? = timeout
  ) throws(FileError) -> [UInt8] {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    var bytes: [UInt8] = []
    // Pages without bytes take no memory, but growing copies them.
    bytes.reserveCapacity(limit + 1)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    while bytes.count <= limit {
      let rest = deadline.map {
        Int32(max(0, (ContinuousClock.now.duration(to: $0)) / .milliseconds(1)))
      }
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let events = rest == 0 ? 0 : poll(&ready, 1, rest ?? -1)
      if events == 0 { throw FileError(path: path, code: FileError.unending) }
      if events < 0, errno == EINTR { continue }
      let count = read(descriptor, piece.baseAddress, min(piece.count, limit + 1 - bytes.count))
      if count == 0 { return bytes }
      if count > 0 {
        bytes += piece[..<count]
      } else if errno != EINTR, errno != EAGAIN {
        throw FileError(path: path)
      }
    }
    throw FileError(path: path, code: FileError.tooLarge)
  }
}

extension Collection<UInt8> {
  /// The bytes behind the byte order mark of UTF-8, if there is one.
  package var withoutByteOrderMark: SubSequence {
    starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
  }
}
