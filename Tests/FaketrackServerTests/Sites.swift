import FaketrackServer
import FaketrackSupport
import FaketrackTestSupport

extension Site {
  /// Echoes the request, with its body up to a limit in bytes.
  static func echo(bodyLimit: Int = 0, log: RequestLog = RequestLog()) -> Site {
    Site(bodyLimit: { _ in bodyLimit }) { request in
      log.add(request)
      let body =
        switch request.body {
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .tooLong: "(too long)"
        }
      let host = request.headers["Host"] ?? "none"
      return WebResponse(
        .ok, body: .bytes(Array("\(request.method) \(request.target) of \(host): \(body)\n".utf8)))
    }
  }

  /// Answers with a body of a number of bytes.
  static func sending(_ count: Int) -> Site {
    Site(bodyLimit: { _ in 0 }) { _ in
      WebResponse(.ok, body: .bytes([UInt8](repeating: UInt8(ascii: "a"), count: count)))
    }
  }

  /// Answers with a stream.
  static func streaming(
    _ pieces: @escaping @Sendable () -> any AsyncSequence<[UInt8], any Error> & Sendable
  ) -> Site {
    Site(bodyLimit: { _ in 0 }) { _ in WebResponse(.ok, body: .stream(pieces())) }
  }

  /// Answers only once its task is canceled.
  static func stuck(_ latch: Latch) -> Site {
    Site(bodyLimit: { _ in 0 }) { _ in
      await withTaskCancellationHandler {
        await latch.hold()
      } onCancel: {
        Task { await latch.open() }
      }
      return WebResponse(.ok)
    }
  }
}

/// The requests that reached a site.
final class RequestLog: Sendable {
  private let requests = Locked<[WebRequest]>([])

  var count: Int { requests.withLock(\.count) }
  var last: WebRequest? { requests.withLock(\.last) }

  func add(_ request: WebRequest) {
    requests.withLock { $0.append(request) }
  }
}

/// An endless stream of pieces that counts those that were requested.
struct EndlessPieces: AsyncSequence, Sendable {
  final class Count: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock(\.self) }
    func increase() { count.withLock { $0 += 1 } }
  }

  let size: Int
  let count: Count

  func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }

  struct Iterator: AsyncIteratorProtocol {
    let pieces: EndlessPieces

    mutating func next() async throws -> [UInt8]? {
      try Task.checkCancellation()
      pieces.count.increase()
      return [UInt8](repeating: UInt8(ascii: "a"), count: pieces.size)
    }
  }
}

extension HTTPServer {
  /// Runs the body with a server that is stopped after it.
  static func run<Value>(
    _ site: Site, limits: ServerLimits = .withoutTimeouts,
    _ body: (HTTPServer) async throws -> Value
  ) async throws -> Value {
    let server = try await HTTPServer(listeningOn: "127.0.0.1", port: 0, limits: limits, site: site)
    return try await withCleanup {
      try await body(server)
    } cleanup: {
      server.stop()
      await server.end()
    }
  }
}
