import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// An HTTP server on a free port of 127.0.0.1 that answers as a test says.
package final class StubServer: Sendable {
  package typealias Handler = @Sendable (StubRequest) async -> StubReply

  private struct Log {
    var requests: [StubRequest] = []
    var underWay = 0
    var peak = 0
  }

  private let log: LogBox
  private let server: HTTPServer
  private let task: Task<Void, any Error>
  /// The server's address, which ends with a slash.
  package let url: URL

  /// The requests so far, in the order in which they came.
  package var requests: [StubRequest] { log.value.withLock { $0.requests } }
  /// The most requests that were being answered at once.
  package var peak: Int { log.value.withLock { $0.peak } }

  /// Starts a server; end it with ``stop()``.
  package init(answering handler: @escaping Handler) async throws {
    let log = LogBox()
    self.log = log
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 60, logger: .disabled)
    self.server = server
    await server.appendRoute("*") { request in
      let request = StubRequest(request)
      log.value.withLock { log in
        log.requests.append(request)
        log.underWay += 1
        log.peak = max(log.peak, log.underWay)
      }
      defer { log.value.withLock { $0.underWay -= 1 } }
      return await handler(request).response
    }
    task = Task { try await server.run() }
    try await server.waitUntilListening(timeout: 30)
    guard case .ip4(let host, let port)? = await server.listeningAddress,
      let url = URL(string: "http://\(host):\(port)/")
    else { throw NoAddress() }
    self.url = url
  }

  /// Closes the port and all connections.
  package func stop() async {
    await server.stop()
    task.cancel()
    _ = await task.result
  }

  /// Runs the body with a server that is stopped after it.
  package static func run<Value>(
    _ handler: @escaping Handler, _ body: (StubServer) async throws -> Value
  ) async throws -> Value {
    let server = try await StubServer(answering: handler)
    do {
      let value = try await body(server)
      await server.stop()
      return value
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Lets the handler's closure share the log before the server itself exists.
  private final class LogBox: Sendable {
    let value = Mutex(Log())
  }

  private struct NoAddress: Error {}
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
