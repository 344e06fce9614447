import FaketrackSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket to a browser or its driver, for whole text messages.
final class WebSocket: Sendable {
  /// Reports of tabs can hold pages.
  private static let longestMessage = 1 << 26
  private static let openingTime = TimeAmount.seconds(5)

  /// The messages that arrive; they end with the connection.
  let messages: AsyncStream<ByteBuffer>
  private let channel: any Channel

  /// Connects.
  ///
  /// - Throws: ``FeedError``.
  init(to address: HostAndPort, path: String) async throws {
    let (messages, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    self.messages = messages
    do {
      let upgrade = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connectTimeout(Self.openingTime)
        .connect(host: address.host, port: address.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            // A server that is silent is none of WebSockets.
            let timeout = channel.eventLoop.scheduleTask(in: Self.openingTime) {
              channel.close(promise: nil)
            }
            let upgraded = try channel.pipeline.syncOperations
              .configureUpgradableHTTPClientPipeline(
                configuration: .init(
                  upgradeConfiguration: Self.upgrade(to: address, path, continuation)))
            upgraded.whenComplete { _ in timeout.cancel() }
            return upgraded
          }
        }
      guard let channel = try await upgrade.get() else {
        throw FeedError.rejected(
          "does not accept a WebSocket", hint: "Check the address, and that no other tool holds it."
        )
      }
      self.channel = channel
    } catch {
      continuation.finish()
      throw FeedError(socket: error)
    }
  }

  private static func upgrade(
    to address: HostAndPort, _ path: String, _ messages: AsyncStream<ByteBuffer>.Continuation
  ) -> NIOTypedHTTPClientUpgradeConfiguration<(any Channel)?> {
    let upgrader = NIOTypedWebSocketClientUpgrader<(any Channel)?>(maxFrameSize: longestMessage) {
      channel, _ in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: .max,
            maxAccumulatedFrameSize: longestMessage),
          MessageHandler(messages),
        ])
        return channel
      }
    }
    return NIOTypedHTTPClientUpgradeConfiguration(
      upgradeRequestHead: HTTPRequestHead(
        version: .http1_1, method: .GET, uri: path,
        headers: ["Host": "\(address)", "Content-Length": "0"]),
      upgraders: [upgrader],
      notUpgradingCompletionHandler: { channel in
        channel.close(promise: nil)
        return channel.eventLoop.makeSucceededFuture(nil)
      })
  }

  func send(_ message: ByteBuffer) async throws {
    let frame = WebSocketFrame(
      fin: true, opcode: .text, maskKey: .random(), data: message)
    do {
      try await channel.writeAndFlush(frame)
    } catch {
      throw FeedError(socket: error)
    }
  }

  func close() async {
    try? await channel.close()
  }
}

private final class MessageHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let messages: AsyncStream<ByteBuffer>.Continuation

  init(_ messages: AsyncStream<ByteBuffer>.Continuation) {
    self.messages = messages
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text, .binary: messages.yield(frame.unmaskedData)
    case .ping:
      let pong = WebSocketFrame(
        fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .connectionClose: context.close(promise: nil)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    messages.finish()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
