import NIOCore
import NIOHTTP1

/// A connection: reads a request, has it answered, sends the answer, and begins anew.
///
/// Lives on the server's event loop. `InboundBytesHandler` shows it the bytes before the parser gets them; the
/// pipeline handler of NIO holds back the requests that come before it has answered.
final class HTTPConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  enum Phase {
    /// Nothing of a request has come.
    case idle
    case readingHead
    case readingBody(RequestHead, limit: Int)
    case answering(RequestHead)
    case sending(isStream: Bool)
    /// The last answer is on its way; what still comes is thrown away, so that the client gets to
    /// read the answer.
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
  private var firstLine = FirstLine()
  private var body: [UInt8] = []
  /// The bytes of the body that came since its pace was last measured.
  private var newBodyBytes = 0
  /// Whether the request has come to its end.
  private(set) var isWhole = false
  /// Whether another request may follow the answer.
  var keepsAlive = false
  /// Whether the client sends nothing more.
  private(set) var isInputClosed = false
  /// The making of the answer.
  var work: Task<Void, Never>?
  /// The number of the request on this connection; what is made for an earlier one comes too late.
  private(set) var number = 0

  init(site: Site, connections: OpenConnections, on loop: any EventLoop) {
    self.site = site
    self.connections = connections
    self.loop = loop
    phaseStart = loop.now
  }

  /// Since when it waits for a request, or for its client to leave; `nil` if it is at work for a client
  /// that is there.
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

  // MARK: Bytes

  /// - Parameter inbound: where the bytes come in.
  func open(at inbound: ChannelHandlerContext) {
    self.inbound = inbound
    guard connections.admit(self) else {
      return refuse(Refusal(.serviceUnavailable, "There are too many connections. Try again."))
    }
    // Who says nothing gets no answer: browsers connect ahead of need.
    enter(.idle, for: limits.headerTime) { $0.close() }
  }

  /// Takes note of bytes that have come.
  ///
  /// - Returns: whether they are to be parsed.
  func takes(_ bytes: ByteBuffer) -> Bool {
    switch phase {
    case .idle:
      firstLine = FirstLine()
      firstLine.read(bytes.readableBytesView)
      enter(.readingHead, for: limits.headerTime) {
        $0.refuse(Refusal(.requestTimeout, "The request took too long to come."))
      }
    case .readingHead: firstLine.read(bytes.readableBytesView)
    case .readingBody, .answering, .sending: break
    case .closing, .closed: return false
    }
    return true
  }

  /// Goes on reading what is thrown away, for which nothing else asks.
  func readsOn() {
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
    let head = Result { () throws(Refusal) in try RequestHead(head, limits: limits) }
    switch head {
    case .failure(let refusal): refuse(refusal)
    case .success(let head):
      number += 1
      isWhole = false
      let limit = site.bodyLimit(head.request)
      switch head.bodyLength {
      case .known(0): phase = .readingBody(head, limit: 0)
      case .known(let count) where count > limit: answer(head, body: .tooLong)
      case .unknown where limit == 0: answer(head, body: .tooLong)
      case .known, .unknown: readBody(of: head, limit: limit)
      }
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
      return refuse(Refusal(.requestTimeout, "The body comes too slowly."))
    }
    newBodyBytes = 0
    setDeadline(limits.bodyTime) { $0.measurePace() }
  }

  private func read(_ bytes: ByteBuffer, of head: RequestHead, _ limit: Int) {
    guard bytes.readableBytes <= limit - body.count else {
      dropBody()
      return answer(head, body: .tooLong)
    }
    guard connections.keep(bytes.readableBytes) else {
      return refuse(Refusal(.serviceUnavailable, "Too much is being sent. Try again."))
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
      refuse(Refusal(error, firstLine: firstLine, limits: limits))
    // The answer goes out before the connection ends.
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
      // Mostly the client is gone; some only say that they have asked all they want.
      keepsAlive = false
      setDeadline(limits.closingTime) { $0.close() }
    case .sending(isStream: false): keepsAlive = false
    // Who follows a stream and hangs up is gone.
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

  /// Answers a request that is not for the site to answer, and ends the connection.
  func refuse(_ refusal: Refusal) {
    number += 1
    work?.cancel()
    dropBody()
    startClosing()
    // Past the handlers, which expect answers to whole requests only.
    inbound?.writeAndFlush(NIOAny(IOData.byteBuffer(refusal.bytes))).assumeIsolated()
      .whenComplete { _ in self.closeOutput() }
  }

  /// Throws away what comes from now on.
  func startClosing() {
    enter(.closing, for: limits.closingTime) { $0.close() }
  }

  /// Tells the client that nothing more will come, once everything is sent.
  func closeOutput() {
    guard !isInputClosed else { return close() }
    inbound?.close(mode: .output, promise: nil)
    inbound?.read()
  }

  // MARK: Time

  func enter(
    _ phase: Phase, for duration: Duration, whenOver: @escaping (HTTPConnection) -> Void
  ) {
    self.phase = phase
    phaseStart = loop.now
    setDeadline(duration, whenOver: whenOver)
  }

  func setDeadline(_ duration: Duration, whenOver: @escaping (HTTPConnection) -> Void) {
    deadline?.cancel()
    deadline = loop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) { whenOver(self) }
  }

  func endDeadline() {
    deadline?.cancel()
    deadline = nil
  }
}
