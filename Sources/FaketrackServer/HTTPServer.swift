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

/// The limits on the resources of a server's clients; beyond one, the connection ends.
package struct ServerLimits: Sendable {
  /// At the limit, the connection with the longest idle time is closed; 503 if all are in use.
  package var connections = 200
  /// The size of a request target, in bytes; 414.
  package var target = 8 * 1_024
  /// The size of the target and of all names and values of header fields, in bytes; 431.
  package var headers = 32 * 1_024
  /// The number of header fields; 431.
  package var headerFields = 100
  /// The time from the first byte of a request to the end of its header; 408, or
  /// no response if no byte has arrived.
  package var headerTime = Duration.seconds(10)
  /// The size of all request bodies in memory, in bytes; 503. The site limits the size of each body.
  package var bodies = 64 * 1_024 * 1_024
  /// The interval in which at least ``bodyPace`` bytes of a body arrive, or its end; 408.
  package var bodyTime = Duration.seconds(10)
  package var bodyPace = 320 * 1_024
  /// The time to make a response, enough for a city summary with all its retries; 503.
  package var answerTime = Duration.seconds(120)
  /// The time for the client to read 64 KiB of a response, or a piece of a stream. On Linux also the
  /// longest time that sent bytes wait for the client, even if it continues to send requests.
  package var sendTime = Duration.seconds(30)
  /// The time between two requests.
  package var idleTime = Duration.seconds(60)
  /// The time for the client to read the last response, and to make a response for a client that has
  /// closed its side.
  package var closingTime = Duration.seconds(5)

  package init() {}
}

/// An HTTP/1.1 server within ``ServerLimits``.
///
/// An invalid request gets 400, a version other than HTTP/1 505, a transfer coding other than `chunked`
/// 501, and each ends the connection. Pipelined requests wait unread. All connections share one thread,
/// which only moves bytes. Without free file descriptors, the connection with the longest idle time is
/// closed for a new one.
package final class HTTPServer: Sendable {
  package enum ListenError: Error {
    /// The host is not a numeric address.
    case notAnAddress
    /// The system refused to listen.
    case failed(reason: String)
  }

  /// Never shut down, because a response may outlive its server.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  package let port: UInt16
  private let listener: any Channel
  private let connections: NIOLoopBoundBox<OpenConnections>
  /// The file of a socket in the file system.
  private let file: SocketFile?

  /// Starts a server at a numeric address; end it with ``stop()``.
  ///
  /// - Parameter port: 0 for any free port.
  package convenience init(
    listeningOn host: String, port: UInt16, limits: ServerLimits = ServerLimits(), site: Site
  ) async throws(ListenError) {
    guard let address = try? SocketAddress(ipAddress: host, port: Int(port)) else {
      throw .notAnAddress
    }
    try await self.init(listeningOn: address, limits: limits, site: site)
  }

  /// Starts a server at a socket in the file system, for the user alone; end it with ``stop()``, after
  /// which the file is gone.
  ///
  /// - Throws: ``ListenError`` also if there is a file, which is kept.
  package convenience init(
    listeningAt path: String, limits: ServerLimits = ServerLimits(), site: Site
  ) async throws(ListenError) {
    guard let address = try? SocketAddress(unixDomainSocketPath: path) else {
      throw .failed(reason: "the path of a socket has at most \(Self.longestPath) bytes")
    }
    try await self.init(listeningOn: address, path: path, limits: limits, site: site)
  }

  private init(
    listeningOn address: SocketAddress, path: String? = nil, limits: ServerLimits, site: Site
  ) async throws(ListenError) {
    let loop = Self.group.next()
    let connections = NIOLoopBoundBox.makeBoxSendingValue(
      OpenConnections(limits: limits), eventLoop: loop)
    var bootstrap = ServerBootstrap(group: loop)
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
    if address.ipAddress != nil {
      bootstrap = bootstrap.childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      #if os(Linux)
        // Small responses fit in the buffers of the system, where their writes are already complete.
        bootstrap = bootstrap.childChannelOption(
          .tcpOption(NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)),
          value: Int(CInt(clamping: TimeAmount(limits.sendTime).nanoseconds / 1_000_000)))
      #endif
    }
    // A socket in the file system is for its user alone from the start.
    let mask = path.map { _ in umask(0o077) }
    defer { if let mask { umask(mask) } }
    do {
      listener = try await bootstrap.bind(to: address).get()
    } catch {
      let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
      throw .failed(reason: reason ?? "\(error)")
    }
    file = path.flatMap(SocketFile.init)
    port = listener.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? 0
    self.connections = connections
  }

  /// The bytes of the longest path of a socket.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Whether other computers can reach a server at a numeric address.
  package static func isReachable(at host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0))?.isLoopback == false
  }

  /// The numeric address under which other computers reach a server: for a server at all addresses
  /// (`0.0.0.0` or `::`) the address of a network interface, if there is one.
  package static func reachableAddress(of host: String) -> String {
    guard host == "0.0.0.0" || host == "::" else { return host }
    let devices = (try? System.enumerateDevices()) ?? []
    let addresses = devices.compactMap(\.address).filter { address in
      // Link-local addresses need the name of an interface.
      !address.isLoopback
        && ["169.254.", "fe80:"].allSatisfy {
          address.ipAddress?.hasPrefix($0) == false
        }
    }
    let isIPv6 = host == "::"
    let found = addresses.first { ($0.protocol == .inet6) == isIPv6 }
    // A server at all IPv6 addresses is at the IPv4 addresses, too.
    return (found ?? (isIPv6 ? addresses.first : nil))?.ipAddress ?? (isIPv6 ? "::1" : "127.0.0.1")
  }

  /// Returns why a port of 127.0.0.1 cannot be listened on, in words of the system; `nil` if it can.
  ///
  /// Listens on it for a moment.
  package static func obstacle(at port: UInt16) async -> String? {
    let site = Site(bodyLimit: { _ in 0 }, answer: { _ in throw CancellationError() })
    do {
      let server = try await HTTPServer(listeningOn: "127.0.0.1", port: port, site: site)
      server.stop()
      await server.end()
      return nil
    } catch .failed(let reason) {
      return reason
    } catch {
      return "\(error)"
    }
  }

  /// Starts to close the port and all connections; ``end()`` waits for it.
  package func stop() {
    listener.close(promise: nil)
  }

  /// Closes the port, and each connection after the response to its request; waits for that for a second
  /// at most.
  package func finish() async {
    stop()
    try? await listener.closeFuture.get()
    var isOpen = true
    let deadline = ContinuousClock.now + .seconds(1)
    while isOpen, .now < deadline {
      isOpen =
        (try? await listener.eventLoop.submit { self.connections.value.finish() }.get()) ?? false
      if isOpen { try? await Task.sleep(for: .milliseconds(5)) }
    }
    await end()
  }

  /// Waits until the port and all connections are closed.
  package func end() async {
    try? await listener.closeFuture.get()
    file?.remove()
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
