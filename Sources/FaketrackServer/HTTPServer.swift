import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The content of a server.
package struct Site: Sendable {
  /// Returns the maximum size of a request body, before the body is read. With 0, the request is answered
  /// without its body, and the connection ends.
  package let bodyLimit: @Sendable (WebRequest) -> Int
  /// Returns the response to a request; an error ends the connection without one. Canceled when the client
  /// disconnects.
  package let answer: @Sendable (WebRequest) async throws -> WebResponse

  package init(
    bodyLimit: @escaping @Sendable (WebRequest) -> Int,
    answer: @escaping @Sendable (WebRequest) async throws -> WebResponse
  ) {
    self.bodyLimit = bodyLimit
    self.answer = answer
  }
}

/// An HTTP/1.1 server that limits the resources of each client.
///
/// | limit | default | response beyond it |
/// | --- | --- | --- |
/// | connections | 200 | the one with the longest idle time is closed; 503 if all are in use |
/// | request target | 8 KiB | 414 |
/// | target and header | 32 KiB, 100 fields | 431 |
/// | time for the header | 10 s | 408; closed if no byte of it has arrived |
/// | body | set by the site | the site answers 413 |
/// | speed of a body | 320 KiB in 10 s, or all of it | 408 |
/// | bodies in memory | 64 MiB | 503 |
/// | time to make a response | 120 s | 503 |
/// | speed of the client | 64 KiB of a response, or a piece of a stream, in 30 s | closed |
/// | time between requests | 60 s | closed |
/// | time to read the last response | 5 s | closed |
/// | time to make a response after the client has closed its side | 5 s | closed |
///
/// An invalid request gets 400, a version other than HTTP/1 505, a transfer coding other than `chunked`
/// 501, and each ends the connection. Pipelined requests wait unread. All connections share one thread,
/// which only moves bytes. Without free file descriptors, the connection with the longest idle time is
/// closed for a new one.
package final class HTTPServer: Sendable {
  /// An error when starting a server.
  package enum ListenError: Error {
    /// The host is not a numeric address.
    case notAnAddress
    /// The system refused to listen.
    case failed(reason: String)
  }

  /// Never shut down, because a response may outlive its server.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// The port that the server listens on.
  package let port: UInt16
  private let listener: any Channel
  private let connections: NIOLoopBoundBox<OpenConnections>

  /// Starts a server; end it with ``stop()``.
  ///
  /// - Parameters:
  ///   - host: A numeric address.
  ///   - port: The port; 0 for any free one.
  package init(
    listeningOn host: String, port: UInt16, limits: ServerLimits = ServerLimits(), site: Site
  ) async throws(ListenError) {
    guard let address = try? SocketAddress(ipAddress: host, port: Int(port)) else {
      throw .notAnAddress
    }
    let loop = Self.group.next()
    let connections = NIOLoopBoundBox.makeBoxSendingValue(
      OpenConnections(limits: limits), eventLoop: loop)
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            AcceptBackoffHandler(backoffProvider: { _ in .milliseconds(100) }),
            AcceptErrorHandler(connections.value),
          ])
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // Small reads limit the size of pipelined requests in memory.
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
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
      throw .failed(reason: reason ?? "\(error)")
    }
    self.port = listener.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? port
    self.connections = connections
  }

  /// Starts to close the port and all connections; ``end()`` waits for it.
  package func stop() {
    listener.close(promise: nil)
  }

  /// Waits until the port and all connections are closed.
  package func end() async {
    try? await listener.closeFuture.get()
    try? await listener.eventLoop.submit { self.connections.value.stop() }.get()
  }
}

/// Frees the file descriptor of an idle connection when there is none for a new one.
final class AcceptErrorHandler: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private let connections: OpenConnections

  init(_ connections: OpenConnections) {
    self.connections = connections
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is IOError { _ = connections.closeLongestIdle() }
  }
}
