import FaketrackServer
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

  /// - Throws: where the connection ends without an answer.
  func response() throws -> WebResponse {
    switch self {
    case .answer(let status, let headers, let body):
      // A client may repeat a request by itself if its kept connection breaks, and tests count them.
      var fields: WebHeaders = ["Connection": "close"]
      for (name, value) in headers { fields[name] = value }
      return WebResponse(.init(status), headers: fields, body: .bytes(Array(body)))
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
