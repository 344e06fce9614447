import FaketrackSupport
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// What a server serves.
package struct Site: Sendable {
  /// The most bytes that the body of a request may have, asked before it is read. With 0 the request is
  /// answered without its body, and the connection ends.
  package let bodyLimit: @Sendable (WebRequest) -> Int
  /// The answer to a request; an error ends the connection without one. Cancelled when the client leaves.
  package let answer: @Sendable (WebRequest) async throws -> WebResponse

  package init(
    bodyLimit: @escaping @Sendable (WebRequest) -> Int,
    answer: @escaping @Sendable (WebRequest) async throws -> WebResponse
  ) {
    self.bodyLimit = bodyLimit
    self.answer = answer
  }
}

/// An HTTP/1.1 server that nobody who connects can wear out.
///
/// | what | by default | beyond it |
/// | --- | --- | --- |
/// | connections | 200 | the one that waits longest for a request is closed; 503 if all are at work |
/// | answers being made | 200 | 503 |
/// | target of a request | 8 KiB | 414 |
/// | target and headers | 32 KiB, 100 fields | 431 |
/// | time for the headers | 10 s | 408; a connection that is silent from the start is closed |
/// | body | as the site says | the site is told, and answers 413 |
/// | pace of a body | 320 KiB in 10 s, or all of it | 408 |
/// | bodies in memory | 64 MiB | 503 |
/// | time for an answer | 120 s | 503 |
/// | pace of the client | 64 KiB of an answer, or a piece of a stream, in 30 s | closed |
/// | time between requests | 60 s | closed |
/// | time to read the last answer | 5 s | closed |
/// | time for an answer once the client sends nothing more | 5 s | closed |
/// | time without accepting | 30 s | the server ends |
///
/// An invalid request gets 400, another version than HTTP/1 505, a transfer coding but `chunked` 501, and
/// each ends the connection. Requests that are sent ahead wait unread. All connections share one thread,
/// on which only bytes are moved.
package final class HTTPServer: Sendable {
  /// Why a server cannot begin.
  package enum ListenError: Error {
    case notAnAddress
    /// The system does not allow it.
    case failed(reason: String)
  }

  /// Never shut down, since an answer may outlive its server.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// The port that it listens on.
  package let port: UInt16
  private let listener: any Channel
  private let connections: NIOLoopBoundBox<OpenConnections>
  private let acceptFailure: AcceptFailure

  /// Listens; ends with ``stop()``.
  ///
  /// - Parameters:
  ///   - host: a numeric address.
  ///   - port: 0 for any that is free.
  package init(
    listeningOn host: String, port: UInt16, limits: ServerLimits = ServerLimits(), site: Site
  ) async throws(ListenError) {
    guard let address = try? SocketAddress(ipAddress: host, port: Int(port)) else {
      throw .notAnAddress
    }
    let loop = Self.group.next()
    let connections = NIOLoopBoundBox.makeBoxSendingValue(
      OpenConnections(limits: limits), eventLoop: loop)
    let acceptFailure = AcceptFailure()
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            AcceptBackoffHandler(backoffProvider: { _ in .milliseconds(100) }),
            AcceptWatch(connections: connections.value) { acceptFailure.set($0) },
          ])
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // Small reads keep down what a client can send ahead.
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 4_096, maximum: 16_384)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.addConnection(to: site, connections.value)
        }
      }
    do {
      listener = try await bootstrap.bind(to: address).get()
    } catch {
      throw .failed(reason: AcceptFailure.words(for: error))
    }
    self.port = listener.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? port
    self.connections = connections
    self.acceptFailure = acceptFailure
  }

  /// Closes the port and all connections; ``end()`` tells when it has.
  package func stop() {
    listener.close(promise: nil)
  }

  /// Waits until the port is closed.
  ///
  /// - Returns: the reason for which the server ended by itself, if it did.
  package func end() async -> String? {
    try? await listener.closeFuture.get()
    try? await listener.eventLoop.submit { self.connections.value.stop() }.get()
    return acceptFailure.reason
  }
}

/// The last error that kept a server from accepting connections.
final class AcceptFailure: Sendable {
  private let last = Locked<String?>(nil)

  var reason: String? { last.withLock(\.self) }

  func set(_ error: (any Error)?) {
    last.withLock { $0 = error.map { Self.words(for: $0) } }
  }

  static func words(for error: any Error) -> String {
    (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
  }
}
