import NIOCore
import NIOHTTP1

extension HTTPConnection {
  private static let pieceSize = 64 * 1_024

  /// Gets the site's response to a request and sends it.
  func answer(_ head: RequestHead, body: WebRequest.Body) {
    keepsAlive = head.keepsAlive
    enter(.answering(head), for: limits.answerTime) {
      $0.refuse(ErrorResponse(.serviceUnavailable, "The answer takes too long. Try again."))
    }
    var request = head.request
    request.body = body
    work = Task { [request, number, site, loop, here = NIOLoopBound(self, eventLoop: loop)] in
      do {
        let response = try await site.answer(request)
        if case .stream(let pieces) = response.body, request.method != "HEAD" {
          try await loop.flatSubmit { here.value.begin(response, to: number) }.get()
          for try await piece in pieces {
            try await loop.flatSubmit { here.value.send(piece, to: number) }.get()
          }
          loop.execute { here.value.finish(number) }
        } else {
          loop.execute { here.value.send(response, to: number) }
        }
      } catch {
        // A part of the response may already be sent; closing the connection reveals the error.
        loop.execute { if here.value.number == number { here.value.close() } }
      }
    }
  }

  private func send(_ response: WebResponse, to number: Int) {
    guard let (head, hasBody) = head(of: response, to: number) else { return }
    phase = .sending(isStream: false)
    context?.write(wrapOutboundOut(.head(head)), promise: nil)
    guard hasBody, case .bytes(let body) = response.body else { return send(ByteBuffer()) }
    send(ByteBuffer(bytes: body))
  }

  /// Sends the rest of a response, each piece after the client has read the previous one.
  private func send(_ bytes: ByteBuffer) {
    var rest = bytes
    let size = min(Self.pieceSize, bytes.readableBytes)
    guard let piece = rest.readSlice(length: size) else { return }
    sendPiece(.body(.byteBuffer(piece))).assumeIsolated().whenComplete { [number, rest] result in
      guard case .success = result else { return self.close() }
      if rest.readableBytes > 0 { self.send(rest) } else { self.finish(number) }
    }
  }

  private func begin(_ response: WebResponse, to number: Int) -> EventLoopFuture<Void> {
    guard let (head, _) = head(of: response, to: number), !isInputClosed else { return gone }
    phase = .sending(isStream: true)
    return sendPiece(.head(head))
  }

  private func send(_ piece: [UInt8], to number: Int) -> EventLoopFuture<Void> {
    guard number == self.number, case .sending = phase else { return gone }
    return sendPiece(.body(.byteBuffer(ByteBuffer(bytes: piece))))
  }

  private func sendPiece(_ part: HTTPServerResponsePart) -> EventLoopFuture<Void> {
    guard let context else { return gone }
    setDeadline(limits.sendTime) { $0.close() }
    let sent = context.writeAndFlush(wrapOutboundOut(part))
    // Until the next piece of a stream, the client waits for the site.
    sent.assumeIsolated().whenSuccess { self.endDeadline() }
    return sent
  }

  /// The failure of a write after the connection has ended.
  private var gone: EventLoopFuture<Void> {
    loop.makeFailedFuture(ChannelError.ioOnClosedChannel)
  }

  /// Ends a response, and then reads the next request or ends the connection.
  private func finish(_ number: Int) {
    guard let context, number == self.number, case .sending = phase else { return }
    let end = wrapOutboundOut(.end(nil))
    if keepsAlive {
      enter(.idle, for: limits.idleTime) { $0.close() }
      // Delivers the next request if it has already arrived.
      context.writeAndFlush(end, promise: nil)
    } else {
      startClosing()
      context.writeAndFlush(end).assumeIsolated().whenComplete { _ in self.closeOutput() }
    }
  }

  /// Returns the header of a response and whether a body follows, or `nil` if the request has ended.
  private func head(
    of response: WebResponse, to number: Int
  ) -> (head: HTTPResponseHead, hasBody: Bool)? {
    guard number == self.number, case .answering(let request) = phase else { return nil }
    dropBody()
    var head = HTTPResponseHead(
      version: .http1_1, status: response.status, headers: response.headers.fields)
    keepsAlive = keepsAlive && isWhole
    if head.status.mayHaveResponseBody, !head.headers.contains(name: "Content-Length") {
      switch response.body {
      case .bytes(let bytes): head.headers.add(name: "Content-Length", value: "\(bytes.count)")
      case .stream where request.request.method == "HEAD": break
      case .stream where request.isOld: keepsAlive = false
      case .stream: head.headers.add(name: "Transfer-Encoding", value: "chunked")
      }
    }
    if !keepsAlive {
      head.headers.replaceOrAdd(name: "Connection", value: "close")
    } else if request.isOld {
      head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
    }
    return (head, head.status.mayHaveResponseBody && request.request.method != "HEAD")
  }
}
