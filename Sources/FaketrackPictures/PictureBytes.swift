import FaketrackSupport
import Foundation

/// A regular file that is open for reading.
final class PictureFile: Sendable {
  let descriptor: Int32
  /// The number of bytes.
  let size: Int

  /// - Throws: ``UnreadablePicture``.
  init(_ path: String) throws(UnreadablePicture) {
    // A pipe would block without O_NONBLOCK.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    let isRegular =
      descriptor >= 0 && fstat(descriptor, &status) == 0 && status.kind == .regular
    size = Int(status.st_size)
    // All properties have a value, so that deinit closes the file.
    if descriptor < 0 { throw UnreadablePicture(reason: FileError(path: path).reason) }
    if !isRegular { throw UnreadablePicture(reason: "it is not a regular file") }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The bytes of the file.
  var bytes: PictureBytes { PictureBytes(descriptor: descriptor, size: size) }
}

/// The bytes of a file, of which only the needed ones are read.
package final class PictureBytes {
  package let size: Int
  private let descriptor: Int32?
  /// The bytes read last, and their position.
  private var window: [UInt8]
  private var start = 0

  private static let windowSize = 16 << 10
  /// The maximum number of bytes read at once.
  static let limit = 1 << 20

  init(descriptor: Int32, size: Int) {
    self.descriptor = descriptor
    self.size = size
    window = []
  }

  package init(_ bytes: [UInt8]) {
    descriptor = nil
    size = bytes.count
    window = bytes
  }

  /// The bytes of a range; `nil` if it exceeds the file or 1 MiB.
  func bytes(at position: Int, count: Int) -> ArraySlice<UInt8>? {
    guard position >= 0, (0...Self.limit).contains(count), position <= size - count else {
      return nil
    }
    if let descriptor, position < start || position + count > start + window.count {
      let length = min(max(count, Self.windowSize), size - position)
      let read = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
        guard let base = buffer.baseAddress else { return }
        while filled < length {
          let more = pread(
            descriptor, base + filled, length - filled, off_t(position + filled))
          if more <= 0 { break }
          filled += more
        }
      }
      guard read.count >= count else { return nil }
      (window, start) = (read, position)
    }
    return window[(position - start)..<(position - start + count)]
  }

  /// A whole number in 1 ... 8 bytes, the highest first; `nil` beyond the file or the range of `Int`.
  func number(at position: Int, bytes count: Int) -> Int? {
    bytes(at: position, count: count).flatMap {
      Int(exactly: $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
  }

  func text(at position: Int, count: Int) -> String? {
    bytes(at: position, count: count).map { String(decoding: $0, as: Unicode.ASCII.self) }
  }
}
