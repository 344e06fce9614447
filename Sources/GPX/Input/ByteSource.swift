#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes that come one buffer after the other.
protocol ByteSource: AnyObject {
  /// Fills the start of the buffer and returns the number of bytes, 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GPXError) -> Int

  /// How much of the whole has been read, 0 ... 1; nil when its length is not known.
  var share: Double? { get }
}

/// Bytes in memory.
final class MemorySource: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    return count
  }

  var share: Double? {
    bytes.isEmpty ? 1 : Double(position) / Double(bytes.count)
  }
}

/// A file, pipe or terminal.
final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let isOwned: Bool
  /// Bytes of a regular file; nothing else says how long it will be.
  private let size: Int?
  private var position = 0

  init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    isOwned = false
    size = Self.size(of: descriptor)
  }

  init(path: String) throws(GPXError) {
    descriptor = openForReading(path)
    guard descriptor >= 0 else { throw GPXError(.unreadable(errno: errno)) }
    isOwned = true
    size = Self.size(of: descriptor)
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GPXError) -> Int {
    while true {
      let count = readBytes(descriptor, buffer)
      if count >= 0 {
        position += count
        return count
      }
      guard errno == EINTR else { throw GPXError(.unreadable(errno: errno)) }
    }
  }

  var share: Double? {
    size.map { min(1, Double(position) / Double(max(1, $0))) }
  }

  private static func size(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }
}

// Inside of a class with a `read` of its own, the system's cannot be named without its module,
// which differs from one system to the next.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

private func openForReading(_ path: String) -> Int32 {
  open(path, O_RDONLY | O_CLOEXEC)
}
