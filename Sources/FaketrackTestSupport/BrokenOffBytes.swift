import FlyingSocks
import Foundation

/// A body that ends with an error after its bytes, so that the server ends the connection.
struct BrokenOffBytes: AsyncBufferedSequence {
  typealias Element = UInt8

  let bytes: Data

  func makeAsyncIterator() -> Iterator {
    Iterator(rest: bytes)
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    struct BrokenOff: Error {}

    fileprivate var rest: Data

    mutating func next() async throws -> UInt8? {
      guard let byte = rest.popFirst() else { throw BrokenOff() }
      return byte
    }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      guard !rest.isEmpty else { throw BrokenOff() }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
