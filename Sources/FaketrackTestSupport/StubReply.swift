import FaketrackServer
import Foundation

/// A reply of a ``StubServer``.
package enum StubReply: Sendable {
  /// A complete response.
  case answer(status: Int = 200, headers: [String: String] = [:], body: Data = Data())
  /// A response shorter than its Content-Length: the connection ends after the body.
  case cutOff(body: Data, announced: Int)
  /// No response: the connection ends.
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

  /// - Throws: An error if the connection ends without a response.
  func response() throws -> WebResponse {
    switch self {
    case .answer(let status, let headers, let body):
      // A client may repeat a request if its kept connection is lost, and tests count requests.
      var fields: WebHeaders = ["Connection": "close"]
      for (name, value) in headers { fields[name] = value }
      return WebResponse(.init(statusCode: status), headers: fields, body: .bytes(Array(body)))
    case .cutOff(let body, let announced):
      let (pieces, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      continuation.yield(Array(body))
      continuation.finish(throwing: BrokenOff())
      return WebResponse(
        .ok, headers: ["Content-Length": "\(announced)"], body: .stream(pieces))
    case .hangUp: throw BrokenOff()
    }
  }

  private struct BrokenOff: Error {}
}
