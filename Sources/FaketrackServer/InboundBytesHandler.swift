import NIOCore
import NIOHTTP1

/// Reports bytes to a connection before they are parsed.
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
    if connection.accepts(unwrapInboundIn(data)) { context.fireChannelRead(data) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    connection.readMoreIfClosing()
  }
}

extension Channel {
  /// Adds the handlers of a connection.
  func addConnection(to site: Site, _ connections: OpenConnections) throws {
    var parser = NIOHTTPDecoderLimitConfiguration()
    // A single field may use up the limit; the connection detects a target that is too long.
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
