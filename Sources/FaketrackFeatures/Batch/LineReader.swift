import FaketrackSupport
import Foundation

/// Reads the lines of a file or a pipe, one at a time.
struct LineReader {
  enum Line: Equatable {
    /// A line without its end.
    case text([UInt8])
    /// A line that is longer than the limit.
    case tooLong
    /// The bytes after the last line end.
    case unfinished([UInt8])
  }

  /// Bytes of the longest line that is read.
  static let limit = 64 << 20

  private let descriptor: Int32
  private let limit: Int
  private var buffer: [UInt8] = []
  /// The position in the buffer at which the line begins.
  private var start = 0
  /// The position in the buffer from which the end of the line is searched.
  private var searched = 0
  private var isAtEnd = false
  private var isTooLong = false
  /// Bytes of the lines that have been read, with their ends.
  private(set) var position = 0

  init(_ descriptor: Int32, limit: Int = LineReader.limit) {
    self.descriptor = descriptor
    self.limit = limit
  }

  /// The next line; `nil` at the end, or when `isCanceled` returns true.
  ///
  /// - Throws: `FileError` without a path.
  mutating func next(isCanceled: () -> Bool = { false }) throws(FileError) -> Line? {
    while true {
      if let end = lineEnd() { return take(upTo: end, Line.text, length: end + 1 - start) }
      searched = buffer.count
      // The bytes of a line that is too long are dropped as they come.
      if buffer.count - start > (isTooLong ? 0 : limit) {
        isTooLong = true
        position += buffer.count - start
        empty()
      }
      if isAtEnd {
        guard isTooLong || start < buffer.count else { return nil }
        return take(upTo: buffer.count, Line.unfinished, length: buffer.count - start)
      }
      guard try fill(isCanceled) else { return nil }
    }
  }

  /// The position of the end of the line, if it is in the buffer.
  private func lineEnd() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, searched < bytes.count,
        let found = memchr(base + searched, 0x0A, bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private mutating func take(
    upTo end: Int, _ make: ([UInt8]) -> Line, length: Int
  ) -> Line {
    position += length
    let line: Line = isTooLong ? .tooLong : make(Array(buffer[start..<end]))
    isTooLong = false
    start += length
    searched = start
    return line
  }

  private mutating func empty() {
    buffer = []
    start = 0
    searched = 0
  }

  /// Reads more, and returns whether to go on.
  private mutating func fill(_ isCanceled: () -> Bool) throws(FileError) -> Bool {
    buffer.removeFirst(start)
    searched -= start
    start = 0
    while !isCanceled() {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 100) > 0 else { continue }
      let (old, size) = (buffer.count, 1 << 16)
      buffer += [UInt8](repeating: 0, count: size)
      let outcome = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + old }, size)
      }
      let code = errno
      buffer.removeLast(size - max(0, outcome))
      if outcome >= 0 {
        isAtEnd = outcome == 0
        return true
      }
      guard code == EINTR || code == EAGAIN else { throw FileError(path: "", code: code) }
    }
    return false
  }
}
