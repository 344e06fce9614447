import FaketrackSupport
import Foundation

/// Reads the lines of a file or a pipe, one at a time.
final class LineReader {
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
  private let name: String
  private let hint: String
  private let limit: Int
  /// A line of more than this many times the limit has no end.
  private static let lineLimits = 16
  private var buffer: [UInt8] = []
  /// The position in the buffer at which the line begins.
  private var start = 0
  /// The position in the buffer from which the end of the line is searched.
  private var searched = 0
  private var isAtEnd = false
  /// The bytes of a line that is too long which have been dropped.
  private var dropped = 0
  private var isTooLong: Bool { dropped > 0 }
  /// Bytes of the lines that have been read, with their ends.
  private(set) var position = 0
  private var number = 0

  /// - Parameters:
  ///   - descriptor: the result of opening the file, which is closed unless it is standard input.
  ///   - name: the name of the file in messages.
  ///   - hint: the hint when the file cannot be read.
  init(
    _ descriptor: Int32, name: String, hint: String, limit: Int = LineReader.limit
  ) throws(Failure) {
    self.descriptor = descriptor
    self.name = name
    self.hint = hint
    self.limit = limit
    if descriptor < 0 { throw unreadable(errno) }
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// The name of the file and the number of the line that was read last.
  var place: String { "\(name):\(number)" }

  /// The next line; `nil` at the end, or when `isCanceled` returns true.
  func next(isCanceled: () -> Bool = { false }) throws(Failure) -> Line? {
    while true {
      if let end = lineEnd() { return take(upTo: end, length: end + 1 - start, Line.text) }
      let rest = buffer.count - start
      if isAtEnd {
        return isTooLong || rest > 0
          ? take(upTo: buffer.count, length: rest, Line.unfinished) : nil
      }
      // The bytes of a line that is too long are dropped as they come.
      if rest > (isTooLong ? 0 : limit) {
        dropped += rest
        if dropped > Self.lineLimits * limit {
          number += 1
          throw Failure(
            message: "\(place): the line does not end", hint: hint, kind: .unusableInput)
        }
        position += rest
        start = buffer.count
      }
      guard try fill(isCanceled) else { return nil }
    }
  }

  /// The position of the end of the line, if it is in the buffer.
  private func lineEnd() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = memchr(base + searched, 0x0A, bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  private func take(upTo end: Int, length: Int, _ make: ([UInt8]) -> Line) -> Line {
    let text = buffer[start..<end]
    let line: Line =
      isTooLong ? .tooLong : make(Array(number == 0 ? text.withoutByteOrderMark : text))
    dropped = 0
    number += 1
    position += length
    start += length
    searched = start
    return line
  }

  /// Reads more, and returns whether to go on.
  private func fill(_ isCanceled: () -> Bool) throws(Failure) -> Bool {
    buffer.removeFirst(start)
    start = 0
    searched = buffer.count
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while !isCanceled() {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 100) > 0 else { continue }
      let count = read(descriptor, &bytes, bytes.count)
      if count >= 0 {
        buffer += bytes[..<count]
        isAtEnd = count == 0
        return true
      }
      guard errno == EINTR || errno == EAGAIN else { throw unreadable(errno) }
    }
    return false
  }

  private func unreadable(_ code: Int32) -> Failure {
    Failure(
      message: "\(name): cannot be read: \(FileError(path: name, code: code).reason)", hint: hint)
  }
}
