import FaketrackCompression
import Foundation

/// The source of the bytes of a GPX file, plain or gzipped as the first bytes say.
package enum GPXInput: Sendable {
  /// A file at a path.
  case file(String)
  /// An open descriptor, such as 0 for standard input, with its name for messages. It is read from
  /// its current position and stays open.
  case descriptor(Int32, name: String)
  /// Bytes in memory, with a name for messages if they have one.
  case bytes([UInt8], name: String? = nil)

  /// The name of the input in messages.
  package var name: String? {
    switch self {
    case .file(let path): path
    case .descriptor(_, let name): name
    case .bytes(_, let name): name
    }
  }

  /// The name in messages, or words for an input without one.
  package var shownName: String { name ?? "the input" }

  /// The number of bytes, compressed or not; nil if the input can be read only once, as a pipe.
  private var size: Int? {
    switch self {
    case .file(let path): DescriptorSource.size { stat(path, &$0) }
    case .bytes(let bytes, _): bytes.count
    case .descriptor: nil
    }
  }

  /// Whether the input can be read again and is short enough to be read at one go: at most 4 MiB.
  /// If it is compressed, it may still hold many points.
  package var isSmall: Bool { size.map { $0 <= 4 << 20 } ?? false }

  /// Whether the input can be read again.
  package var isRepeatable: Bool { size != nil }

  func open() throws(GPXError.Cause) -> any ByteSource {
    switch self {
    case .file(let path):
      let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .unreadable(errno: errno) }
      return DescriptorSource(descriptor, isOwned: true)
    case .descriptor(let descriptor, _): return DescriptorSource(descriptor)
    case .bytes(let bytes, _): return MemorySource(bytes)
    }
  }
}

/// Bytes that are read buffer by buffer.
protocol ByteSource: AnyObject {
  /// Fills the start of the buffer and returns the number of bytes, 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GPXError.Cause) -> Int

  /// The fraction of the source before the last `unused` bytes that were read, 0 ... 1; nil if its
  /// length is unknown.
  func fraction(without unused: Int) -> Double?
}

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

  func fraction(without unused: Int) -> Double? {
    bytes.isEmpty ? 1 : Double(position - unused) / Double(bytes.count)
  }
}

final class DescriptorSource: ByteSource {
  private let descriptor: Int32
  private let isOwned: Bool
  private let size: Int?
  private var position = 0

  init(_ descriptor: Int32, isOwned: Bool = false) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    size = Self.size { fstat(descriptor, &$0) }
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GPXError.Cause) -> Int {
    while true {
      let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 {
        position += count
        return count
      }
      guard errno == EINTR else { throw .unreadable(errno: errno) }
    }
  }

  func fraction(without unused: Int) -> Double? {
    size.map { min(1, Double(position - unused) / Double(max(1, $0))) }
  }

  /// The size of a regular file in bytes; nil for anything else.
  static func size(_ inspect: (inout stat) -> Int32) -> Int? {
    var status = stat()
    guard inspect(&status) == 0, status.kind == .regular else { return nil }
    return Int(status.st_size)
  }
}

/// The decompressed bytes of a gzipped source.
final class GzipSource: ByteSource {
  private let source: any ByteSource
  private let decoder: GzipDecoder
  private let input: UnsafeMutableRawBufferPointer

  /// - Parameter head: the compressed bytes that were read from the source before.
  init(_ source: any ByteSource, head: UnsafeRawBufferPointer) throws(GPXError.Cause) {
    guard let decoder = try? GzipDecoder() else { throw .outOfMemory }
    self.decoder = decoder
    self.source = source
    input = .allocate(byteCount: max(1 << 16, head.count), alignment: 16)
    input.copyMemory(from: head)
    decoder.setInput(UnsafeRawBufferPointer(rebasing: input[..<head.count]))
  }

  deinit {
    input.deallocate()
  }

  func fraction(without unused: Int) -> Double? {
    source.fraction(without: decoder.inputCount)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(GPXError.Cause) -> Int {
    while true {
      guard let decoded = try? decoder.decode(into: buffer) else { throw .damagedGzip }
      if decoded > 0 { return decoded }
      let count = try source.read(into: input)
      guard count > 0 else {
        guard decoder.isAtMemberEnd else { throw .truncatedGzip }
        return 0
      }
      decoder.setInput(UnsafeRawBufferPointer(rebasing: input[..<count]))
    }
  }
}

extension GPXError.Cause {
  static let outOfMemory = Self.unreadable(errno: ENOMEM)
}
