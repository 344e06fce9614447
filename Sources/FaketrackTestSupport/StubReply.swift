import FlyingFox
import Foundation

/// What a ``StubServer`` answers.
package enum StubReply: Sendable {
  /// A whole answer.
  case answer(status: Int = 200, headers: [String: String] = [:], body: Data = Data())
  /// An answer whose length is announced and not kept: the connection ends after the body.
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
    // Head and body are written one by one, which costs 43 ms on a connection that is kept.
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
