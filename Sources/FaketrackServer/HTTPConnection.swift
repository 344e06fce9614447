import NIOCore
import NIOHTTP1

/// A connection: reads a request, gets the site's response, sends it, and starts over.
///
/// Used only on the server's event loop. `InboundBytesHandler` reports bytes before they are parsed; NIO's
/// pipeline handler holds back further requests until the response is sent.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  enum Phase {
    /// No byte of a request has arrived.
    case idle
    case readingHead
    case readingBody(RequestHead, limit: Int)
    case answering(RequestHead)
    case sending(isStream: Bool)
    /// The last response is being sent. Further input is discarded, so that the client can read the
    /// response.
    case closing
    case closed
  }

  let site: Site
  let connections: OpenConnections
  let loop: any EventLoop
  var limits: ServerLimits { connections.limits }
  private(set) var context: ChannelHandlerContext?
  private var inbound: ChannelHandlerContext?

  var phase = Phase.idle
  private var phaseStart: NIODeadline
  private var deadline: Scheduled<Void>?
  private var requestLine = RequestLine()
  private var body: [UInt8] = []
  /// The number since the speed was last measured.
  private var newBodyBytes = 0
  /// Whether the request has arrived completely.
  private(set) var isWhole = false
  /// Whether another request may follow the response.
  var keepsAlive = false
  /// Whether the client has closed its side.
  private(set) var isInputClosed = false
  var work: Task<Void, Never>?
  /// The number of the request on this connection; responses to earlier requests are dropped.
  private(set) var number = 0

  init(site: Site, connections: OpenConnections, on loop: any EventLoop) {
    self.site = site
    self.connections = connections
    self.loop = loop
    phaseStart = loop.now
  }

  /// The time since when the connection waits for a request, or only for its client to disconnect;
  /// `nil` if it is in use.
  var idleSince: NIODeadline? {
    switch phase {
    case .idle, .readingHead, .closing: phaseStart
    case .answering: isInputClosed ? phaseStart : nil
    case .readingBody, .sending, .closed: nil
    }
  }

  func close() {
    inbound?.close(promise: nil)
  }

  /// Closes the connection, after the response if there is a request.
  func finish() {
    switch phase {
    case .idle, .readingHead, .closing: close()
    case .readingBody, .answering, .sending: keepsAlive = false
    case .closed: break
    }
  }

  // MARK: Bytes

  func open(at inbound: ChannelHandlerContext) {
    self.inbound = inbound
    guard connections.admit(self) else {
      return refuse(
        ErrorResponse(.serviceUnavailable, "There are too many connections. Try again."))
    }
    // Browsers open connections in advance; one without a request gets no response.
    enter(.idle, for: limits.headerTime) { $0.close() }
  }

  /// Notes the arrival of bytes; returns whether to parse them.
  func accepts(_ bytes: ByteBuffer) -> Bool {
    switch phase {
    case .idle:
      requestLine = RequestLine()
      requestLine.read(bytes.readableBytesView)
      enter(.readingHead, for: limits.headerTime) {
        $0.refuse(ErrorResponse(.requestTimeout, "The request took too long to come."))
      }
    case .readingHead: requestLine.read(bytes.readableBytesView)
    case .readingBody, .answering, .sending: break
    case .closing, .closed: return false
    }
    return true
  }

  /// Requests more input if it is discarded; otherwise, the pipeline handler does.
  func readMoreIfClosing() {
    if case .closing = phase { inbound?.read() }
  }

  // MARK: Requests

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), phase) {
    case (.head(let head), .idle), (.head(let head), .readingHead): read(head)
    case (.body(let bytes), .readingBody(let head, let limit)): read(bytes, of: head, limit)
    case (.end, .readingBody(let head, _)):
      isWhole = true
      answer(head, body: .bytes(body))
    case (.end, .answering): isWhole = true
    default: break
    }
  }

  private func read(_ head: HTTPRequestHead) {
    do throws(ErrorResponse) {
      let remote = context?.channel.remoteAddress
      // The computer may also reach itself under an address that others use.
      let isLocal =
        remote?.isLoopback == true
        || remote?.ipAddress.map { $0 == context?.channel.localAddress?.ipAddress } == true
      let head = try RequestHead(head, limits: limits, isLocal: isLocal)
      number += 1
      isWhole = false
      let limit = site.bodyLimit(head.request)
      switch head.bodyLength {
      case 0: phase = .readingBody(head, limit: 0)
      case let count? where count > limit: answer(head, body: .tooLong)
      case nil where limit == 0: answer(head, body: .tooLong)
      default: readBody(of: head, limit: limit)
      }
    } catch {
      refuse(error)
    }
  }

  private func readBody(of head: RequestHead, limit: Int) {
    newBodyBytes = 0
    enter(.readingBody(head, limit: limit), for: limits.bodyTime) { $0.measurePace() }
    guard head.expectsContinue else { return }
    let answer = HTTPResponseHead(version: .http1_1, status: .continue)
    context?.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
  }

  private func measurePace() {
    guard newBodyBytes >= limits.bodyPace else {
      return refuse(ErrorResponse(.requestTimeout, "The body comes too slowly."))
    }
    newBodyBytes = 0
    setDeadline(limits.bodyTime) { $0.measurePace() }
  }

  private func read(_ bytes: ByteBuffer, of head: RequestHead, _ limit: Int) {
    guard bytes.readableBytes <= limit - body.count else {
      dropBody()
      return answer(head, body: .tooLong)
    }
    guard connections.reserve(bytes.readableBytes) else {
      return refuse(ErrorResponse(.serviceUnavailable, "Too much is being sent. Try again."))
    }
    newBodyBytes += bytes.readableBytes
    body += bytes.readableBytesView
  }

  func dropBody() {
    connections.release(body.count)
    body = []
  }

  // MARK: The end

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else { return close() }
    switch phase {
    case .idle, .readingHead, .readingBody:
      refuse(ErrorResponse(error, requestLine: requestLine, limits: limits))
    // Sends the response before the connection ends.
    case .answering, .sending: keepsAlive = false
    case .closing, .closed: break
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event as? ChannelEvent == .inputClosed else {
      return context.fireUserInboundEventTriggered(event)
    }
    isInputClosed = true
    switch phase {
    case .answering:
      // Usually the client has disconnected; some only have no further request.
      keepsAlive = false
      setDeadline(limits.closingTime) { $0.close() }
    case .sending(isStream: false): keepsAlive = false
    // A client that reads a stream keeps its side open.
    case .idle, .readingHead, .readingBody, .sending(isStream: true), .closed: close()
    case .closing: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    phase = .closed
    deadline?.cancel()
    work?.cancel()
    dropBody()
    connections.remove(self)
    self.context = nil
    inbound = nil
  }

  /// Sends an error response and ends the connection.
  func refuse(_ response: ErrorResponse) {
    number += 1
    work?.cancel()
    dropBody()
    startClosing()
    // Bypasses the other handlers, which only expect responses to complete requests.
    inbound?.writeAndFlush(NIOAny(IOData.byteBuffer(response.bytes))).assumeIsolated()
      .whenComplete { _ in self.closeOutput() }
  }

  /// Discards further input.
  func startClosing() {
    enter(.closing, for: limits.closingTime) { $0.close() }
  }

  /// Closes the server's side after everything is sent.
  func closeOutput() {
    guard !isInputClosed else { return close() }
    inbound?.close(mode: .output, promise: nil)
    inbound?.read()
  }

  // MARK: Time

  func enter(
    _ phase: Phase, for duration: Duration, onTimeout: @escaping (HTTPConnection) -> Void
  ) {
    self.phase = phase
    phaseStart = loop.now
    setDeadline(duration, onTimeout: onTimeout)
  }

  func setDeadline(_ duration: Duration, onTimeout: @escaping (HTTPConnection) -> Void) {
    deadline?.cancel()
    deadline = loop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) { onTimeout(self) }
  }

  func endDeadline() {
    deadline?.cancel()
    deadline = nil
  }
}

extension SocketAddress {
  /// Whether the address is one of this computer alone, in the forms of IPv4, IPv6 or both.
  var isLoopback: Bool {
    guard let ipAddress else { return false }
    return ipAddress == "::1" || ipAddress.hasPrefix("127.") || ipAddress.hasPrefix("::ffff:127.")
  }
}
