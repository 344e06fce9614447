/// The response to a request.
///
/// The server adds the framing: `Content-Length` or chunks, and `Connection`. It keeps an existing
/// `Content-Length`, which a response to `HEAD` needs.
package struct WebResponse: Sendable {
  /// A status code.
  package struct Status: Hashable, Sendable {
    package let code: Int

    package init(_ code: Int) {
      self.code = code
    }

    package static let ok = Status(200)
    package static let noContent = Status(204)
    package static let seeOther = Status(303)
    package static let notModified = Status(304)
    package static let badRequest = Status(400)
    package static let forbidden = Status(403)
    package static let notFound = Status(404)
    package static let methodNotAllowed = Status(405)
    package static let requestTimeout = Status(408)
    package static let contentTooLarge = Status(413)
    package static let targetTooLong = Status(414)
    package static let expectationFailed = Status(417)
    package static let misdirected = Status(421)
    package static let unprocessable = Status(422)
    package static let headersTooLarge = Status(431)
    package static let internalServerError = Status(500)
    package static let notImplemented = Status(501)
    package static let serviceUnavailable = Status(503)
    package static let versionNotSupported = Status(505)
  }

  /// The body of a response.
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
