import FlyingFox
import FlyingSocks
import Foundation

/// What a ``StubServer`` answers.
package enum StubReply: Sendable {
  /// A whole answer.
  case answer(status: Int = 200, headers: [String: String] = [:], body: Data = Data())
  /// An answer shorter than the length it announces: the connection ends after the body.
  case cutOff(body: Data, announced: Int)
  /// No answer: the connection ends.
  case hangUp

  package static func json(
    _ text: String, status: Int = 200, headers: [String: String] = [:]
  ) -> StubReply {
    let type = ["Content-Type": "application/json"]
    return .answer(
      status: status, headers: headers.merging(type) { given, _ in given }, body: Data(text.utf8))
  }

  package static func html(
    _ text: String = "<html><head><title>Sorry</title></head><body><h1>Sorry</h1></body></html>",
    status: Int = 200, headers: [String: String] = [:]
  ) -> StubReply {
    let type = ["Content-Type": "text/html"]
    return .answer(
      status: status, headers: headers.merging(type) { given, _ in given }, body: Data(text.utf8))
  }

  var response: HTTPResponse {
    switch self {
    case .answer(let status, let headers, let body):
      return Self.response(status, headers, HTTPBodySequence(data: body))
    case .cutOff(let body, let announced):
      let bytes = BrokenOffBytes(bytes: body)
      return Self.response(200, [:], HTTPBodySequence(from: bytes, count: announced))
    case .hangUp:
      // A protocol switch that fails writes nothing before the connection ends.
      return HTTPResponse(webSocket: Refusal())
    }
  }

  private static func response(
    _ status: Int, _ headers: [String: String], _ body: HTTPBodySequence
  ) -> HTTPResponse {
    // FlyingFox writes head and body separately, which costs 43 ms on a persistent connection.
    var fields: HTTPHeaders = [.connection: "close"]
    for (name, value) in headers { fields[HTTPHeader(name)] = value }
    return HTTPResponse(
      statusCode: HTTPStatusCode(status, phrase: "Status"), headers: fields, body: body)
  }

  private struct Refusal: WSHandler {
    struct Refused: Error {}

    func makeFrames(
      for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
      throw Refused()
    }
  }
}

/// A body that fails after its bytes, so that the server closes the connection.
private struct BrokenOffBytes: AsyncBufferedSequence {
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
