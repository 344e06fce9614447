import FlyingFox

/// A request as it reached a ``StubServer``.
package struct StubRequest: Sendable {
  package let method: String
  /// The path as it was sent, percent-encoded.
  package let path: String
  /// The query, decoded; of items with the same name the last.
  package let query: [String: String]
  /// The query as it was sent.
  package let rawQuery: String
  /// When it came.
  package let time: ContinuousClock.Instant
  private let headers: [String: String]

  init(_ request: HTTPRequest) {
    method = request.method.rawValue
    path = request.target.path()
    rawQuery = request.target.query()
    query = Dictionary(request.query.map { ($0.name, $0.value) }) { _, last in last }
    time = ContinuousClock.now
    var headers: [String: String] = [:]
    for (header, value) in request.headers { headers[header.rawValue.lowercased()] = value }
    self.headers = headers
  }

  /// A header field, whose name may be in any case.
  package func header(_ name: String) -> String? {
    headers[name.lowercased()]
  }
}
