import NIOHTTP1

/// The response to a request.
///
/// The server adds the framing: `Content-Length` or chunks, and `Connection`. It keeps an existing
/// `Content-Length`, which a response to `HEAD` needs.
package struct WebResponse: Sendable {
  package typealias Status = HTTPResponseStatus

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Pieces, each of which is requested after the client has read the previous one. An error ends the
    /// connection within the response.
    case stream(any AsyncSequence<[UInt8], any Error> & Sendable)
  }

  package var status: Status
  package var headers: WebHeaders
  package var body: Body

  package init(_ status: Status, headers: WebHeaders = [:], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
