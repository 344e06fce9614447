import FaketrackSupport
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A WebSocket to a browser or its driver, for whole text messages.
final class WebSocket: Sendable {
  /// The maximum number of bytes of a message, and of all that wait: reports of tabs can hold pages.
  fileprivate static let limit = 8 << 20
  /// The bytes that a message takes besides its own.
  fileprivate static let overhead = 128
  private static let openingTime = TimeAmount.seconds(5)

  /// The messages that arrive; they end with the connection.
  let messages: AsyncStream<ByteBuffer>
  private let channel: any Channel
  private let handler: MessageHandler

  /// Connects.
  ///
  /// - Throws: ``FeedError``.
  init(to address: HostAndPort, path: String) async throws {
    let (messages, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    self.messages = messages
    let handler = MessageHandler(continuation)
    self.handler = handler
    do {
      let upgrade = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .connectTimeout(Self.openingTime)
        .connect(host: address.host, port: address.port) { channel in
          channel.eventLoop.makeCompletedFuture {
            // A server that is silent does not speak the WebSocket protocol.
            let timeout = channel.eventLoop.scheduleTask(in: Self.openingTime) {
              channel.close(promise: nil)
            }
            let upgraded = try channel.pipeline.syncOperations
              .configureUpgradableHTTPClientPipeline(
                configuration: .init(
                  upgradeConfiguration: Self.upgrade(to: address, path, handler)))
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
    to address: HostAndPort, _ path: String, _ handler: MessageHandler
  ) -> NIOTypedHTTPClientUpgradeConfiguration<(any Channel)?> {
    let upgrader = NIOTypedWebSocketClientUpgrader<(any Channel)?>(
      // It would end the messages before the reason is known.
      maxFrameSize: limit, enableAutomaticErrorHandling: false
    ) {
      channel, _ in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandlers([
          NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 4_096,
            maxAccumulatedFrameSize: limit),
          handler,
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
      throw channel.isActive ? FeedError(socket: error) : failure
    }
  }

  /// Makes room for other messages, when a message has been read.
  func release(_ message: ByteBuffer) {
    handler.waiting.withLock { $0 -= message.readableBytes + Self.overhead }
  }

  /// The reason why the connection ended.
  var failure: FeedError {
    handler.waiting.withLock { $0 > Self.limit }
      ? .rejected(
        "reports more than \(Self.limit >> 20) MB at once", hint: "Close tabs that you do not need."
      )
      : .unreachable("the connection ended")
  }

  func close() async {
    try? await channel.close()
  }
}

private final class MessageHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let messages: AsyncStream<ByteBuffer>.Continuation
  /// The bytes of the messages that have not been read; far beyond the limit after it was exceeded.
  let waiting = Locked(0)

  init(_ messages: AsyncStream<ByteBuffer>.Continuation) {
    self.messages = messages
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text, .binary:
      // A slice would keep the whole buffer that was read.
      let message = ByteBuffer(bytes: frame.unmaskedData.readableBytesView)
      let sum = waiting.withLock { waiting in
        waiting += message.readableBytes + WebSocket.overhead
        return waiting
      }
      if sum > WebSocket.limit { return refuse(context) }
      messages.yield(message)
    case .ping where context.channel.isWritable:
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
    switch error {
    case NIOWebSocketError.invalidFrameLength,
      NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
      NIOWebSocketFrameAggregator.Error.tooManyFragments:
      refuse(context)
    default: context.close(promise: nil)
    }
  }

  /// Ends a connection with too many bytes; they count even after messages have been read.
  private func refuse(_ context: ChannelHandlerContext) {
    waiting.withLock { $0 = .max / 2 }
    context.close(promise: nil)
  }
}
