import FaketrackServer
import FaketrackSupport
import Foundation

/// An HTTP server on a free port of 127.0.0.1 with responses from a test.
package final class StubServer: Sendable {
  package typealias Handler = @Sendable (StubRequest) async -> StubReply

  private struct Log {
    var requests: [StubRequest] = []
    var underWay = 0
    var peak = 0
  }

  private let log: LogBox
  private let server: HTTPServer
  /// The server's address, which ends with a slash.
  package let url: URL

  /// The requests so far, in order of arrival.
  package var requests: [StubRequest] { log.value.withLock { $0.requests } }
  /// The maximum number of concurrent requests so far.
  package var peak: Int { log.value.withLock { $0.peak } }

  /// Starts a server; end it with ``stop()``.
  package init(answering handler: @escaping Handler) async throws {
    let log = LogBox()
    self.log = log
    server = try await HTTPServer(
      listeningOn: "127.0.0.1", port: 0, limits: .withoutTimeouts,
      site: Site(bodyLimit: { _ in 1 << 16 }) { request in
        let request = StubRequest(request)
        log.value.withLock { log in
          log.requests.append(request)
          log.underWay += 1
          log.peak = max(log.peak, log.underWay)
        }
        defer { log.value.withLock { $0.underWay -= 1 } }
        return try await handler(request).response()
      })
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/") else { throw NoAddress() }
    self.url = url
  }

  /// Closes the port and all connections.
  package func stop() async {
    server.stop()
    await server.end()
  }

  /// Runs the body with a server that is stopped after it.
  package static func run<Value>(
    _ handler: @escaping Handler, _ body: (StubServer) async throws -> Value
  ) async throws -> Value {
    let server = try await StubServer(answering: handler)
    return try await withCleanup {
      try await body(server)
    } cleanup: {
      await server.stop()
    }
  }

  /// Shares the log with the handler before the server exists.
  private final class LogBox: Sendable {
    let value = Locked(Log())
  }

  private struct NoAddress: Error {}
}

extension ServerLimits {
  /// Limits with timeouts that no test reaches, even on a busy machine.
  package static var withoutTimeouts: ServerLimits {
    let long = Duration.seconds(3_600)
    var limits = ServerLimits()
    limits.headerTime = long
    limits.bodyTime = long
    limits.answerTime = long
    limits.sendTime = long
    limits.idleTime = long
    limits.closingTime = long
    return limits
  }
}

/// A request as it reached a ``StubServer``.
package struct StubRequest: Sendable {
  package let method: String
  /// The path as it was sent, percent-encoded.
  package let path: String
  /// The query, decoded; of items with the same name the last.
  package let query: [String: String]
  /// The query as it was sent.
  package let rawQuery: String
  /// The time of arrival.
  package let time: ContinuousClock.Instant
  package let body: Data
  private let headers: WebHeaders

  init(_ request: WebRequest) {
    method = request.method
    path = String(request.path)
    rawQuery = String(request.query)
    let items = URLComponents(string: "?" + rawQuery)?.queryItems ?? []
    query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
    time = ContinuousClock.now
    headers = request.headers
    body = if case .bytes(let bytes) = request.body { Data(bytes) } else { Data() }
  }

  /// Returns a header field; its name is case-insensitive.
  package func header(_ name: String) -> String? {
    headers[name]
  }
}
