import NIOHTTP1

/// The header fields of a request or a response, in order; names are case-insensitive.
package struct WebHeaders: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  package internal(set) var fields: HTTPHeaders

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = HTTPHeaders(elements)
  }

  /// The value of the first field with a name; setting it replaces all fields with that name.
  package subscript(name: String) -> String? {
    get { fields.first(name: name) }
    set {
      fields.remove(name: name)
      if let newValue { fields.add(name: name, value: newValue) }
    }
  }

  /// Returns the values of all fields with a name.
  package func values(of name: String) -> [String] {
    fields[name]
  }
}

/// A request with a valid header and a complete body.
package struct WebRequest: Equatable, Sendable {
  package enum Body: Hashable, Sendable {
    case bytes([UInt8])
    /// The body exceeds the site's limit and was discarded.
    case tooLong
  }

  /// The body exceeds a limit.
  package struct BodyTooLong: Error {}

  /// The method, such as `GET`, as it was sent.
  package let method: String
  /// The path and query as they were sent, such as `/cities?q=pots`.
  package let target: String
  package let headers: WebHeaders
  package var body: Body
  /// Whether the client runs on this computer.
  package let isLocal: Bool

  package init(
    method: String, target: String, headers: WebHeaders, body: Body = .bytes([]),
    isLocal: Bool = false
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.isLocal = isLocal
  }

  /// The path, percent-encoded.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The query, percent-encoded; empty if there is none.
  package var query: Substring { target.dropFirst(path.count).dropFirst() }

  /// Returns the bytes of the body, at most `limit`.
  package func body(limit: Int) throws(BodyTooLong) -> [UInt8] {
    guard case .bytes(let bytes) = body, bytes.count <= limit else { throw BodyTooLong() }
    return bytes
  }
}
