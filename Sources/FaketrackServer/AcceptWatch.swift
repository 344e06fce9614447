import NIOCore

/// Watches how a server accepts connections.
///
/// Where the system has no descriptors left, the connection that waits longest for a request gives its
/// own away. Only if that does not help for long does the server end.
final class AcceptWatch: ChannelInboundHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel

  private let connections: OpenConnections
  /// Called with the last error, and with `nil` once a connection has been accepted after it.
  private let onChange: ((any Error)?) -> Void
  /// When the errors began, and the last of them.
  private var errors: ClosedRange<NIODeadline>?

  init(connections: OpenConnections, onChange: @escaping ((any Error)?) -> Void) {
    self.connections = connections
    self.onChange = onChange
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if errors != nil {
      errors = nil
      onChange(nil)
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is IOError else { return }
    onChange(error)
    connections.closeLongestIdle()
    let now = context.eventLoop.now
    let limit = TimeAmount(connections.limits.acceptTime)
    // Errors far apart have nothing to do with each other.
    let start = errors.flatMap { now - $0.upperBound < limit ? $0.lowerBound : nil } ?? now
    errors = start...now
    if now - start >= limit { context.close(promise: nil) }
  }
}
