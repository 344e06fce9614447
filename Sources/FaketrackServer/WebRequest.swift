/// A request whose head is valid and whose body has come.
package struct WebRequest: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    case bytes([UInt8])
    /// The body has more bytes than the site takes from this request; they were not kept.
    case tooLong
  }

  /// The body is longer than it may be.
  package struct BodyTooLong: Error {}

  /// Such as `GET`, in the case in which it was sent.
  package let method: String
  /// The path and the query as they were sent, such as `/cities?q=pots`.
  package let target: String
  package let headers: WebHeaders
  package var body: Body

  package init(
    method: String, target: String, headers: WebHeaders, body: Body = .bytes([])
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The path, with its `%` escapes.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The query, with its escapes; empty if there is none.
  package var query: Substring { target.dropFirst(path.count).dropFirst() }

  /// The bytes of the body, at most `limit` of them.
  package func body(limit: Int) throws(BodyTooLong) -> [UInt8] {
    guard case .bytes(let bytes) = body, bytes.count <= limit else { throw BodyTooLong() }
    return bytes
  }
}
