import NIOCore
import NIOHTTP1

/// Shows a connection its bytes before they are parsed.
private final class InboundBytesHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let connection: HTTPConnection

  init(_ connection: HTTPConnection) {
    self.connection = connection
  }

  func channelActive(context: ChannelHandlerContext) {
    connection.open(at: context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if connection.takes(unwrapInboundIn(data)) { context.fireChannelRead(data) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    connection.readsOn()
  }
}

extension Channel {
  /// Adds the handlers of a connection.
  func addConnection(to site: Site, _ connections: OpenConnections) throws {
    var parser = NIOHTTPDecoderLimitConfiguration()
    // Any field may fill the whole; a target that is too long is told apart later.
    parser.maxHeaderFieldSize = connections.limits.headers
    parser.maxHeaderListSize = connections.limits.headers
    parser.maxHeaderFieldCount = connections.limits.headerFields
    var framing = HTTPResponseEncoder.Configuration()
    framing.automaticallySetFramingHeaders = false
    let connection = HTTPConnection(site: site, connections: connections, on: eventLoop)
    try pipeline.syncOperations.addHandlers([
      InboundBytesHandler(connection),
      HTTPResponseEncoder(configuration: framing),
      ByteToMessageHandler(HTTPRequestDecoder(limitConfiguration: parser)),
      NIOHTTPResponseHeadersValidator(),
      HTTPServerPipelineHandler(),
      connection,
    ])
  }
}
