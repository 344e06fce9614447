import FaketrackTestSupport
import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import FaketrackServer

/// A connection with a clock and a client that a test controls.
private struct TestConnection: Sendable {
  /// The client's side, which reads as slowly as the test requires.
  final class Wire: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    var takesBytes = true
    private(set) var isOutputClosed = false
    private var waiting: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if takesBytes { return context.write(data, promise: promise) }
      context.write(data, promise: nil)
      if let promise { waiting.append(promise) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      if mode == .output {
        isOutputClosed = true
        promise?.succeed()
      } else {
        context.close(mode: mode, promise: promise)
        fail()
      }
    }

    func take() {
      let all = waiting
      waiting = []
      for promise in all { promise.succeed() }
    }

    private func fail() {
      let all = waiting
      waiting = []
      for promise in all { promise.fail(ChannelError.ioOnClosedChannel) }
    }
  }

  let loop: NIOAsyncTestingEventLoop
  let channel: NIOAsyncTestingChannel
  private let wire: NIOLoopBoundBox<Wire>

  init(to site: Site, limits: ServerLimits = ServerLimits()) async throws {
    let loop = NIOAsyncTestingEventLoop()
    let connections = NIOLoopBoundBox.makeBoxSendingValue(
      OpenConnections(limits: limits), eventLoop: loop)
    let wire = NIOLoopBoundBox.makeBoxSendingValue(Wire(), eventLoop: loop)
    let channel = NIOAsyncTestingChannel(loop: loop)
    try await loop.executeInContext {
      try channel.pipeline.syncOperations.addHandler(wire.value)
      try channel.addConnection(to: site, connections.value)
    }
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
    (self.loop, self.channel, self.wire) = (loop, channel, wire)
  }

  var isOpen: Bool { channel.isActive }

  var isOutputClosed: Bool {
    get async throws { try await loop.executeInContext { wire.value.isOutputClosed } }
  }

  func arrive(_ text: String) async throws {
    try await channel.writeInbound(ByteBuffer(string: text))
  }

  func pass(_ duration: Duration) async {
    await loop.advanceTime(by: TimeAmount(duration))
  }

  /// Returns the text that has been sent since the last call.
  func sent() async throws -> String {
    var text = ""
    while let bytes = try await channel.readOutbound(as: ByteBuffer.self) {
      text += String(buffer: bytes)
    }
    return text
  }

  /// Waits until a text has been sent, and returns everything up to there.
  func waitForSent(_ end: String) async throws -> String {
    var text = ""
    while !text.contains(end) {
      text += String(buffer: try await channel.waitForOutboundWrite(as: ByteBuffer.self))
    }
    return text
  }

  func stopTaking() async throws {
    try await loop.executeInContext { wire.value.takesBytes = false }
  }

  /// Reads everything that has been sent.
  func take() async throws {
    try await loop.executeInContext { wire.value.take() }
  }
}

/// Timeouts, on a clock that only the tests advance.
@Suite struct DeadlineTests {
  private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func anIdleConnectionIsClosedWithoutAResponse() async throws {
    let connection = try await TestConnection(to: .echo())
    await connection.pass(.seconds(9.9))
    #expect(connection.isOpen)
    await connection.pass(.seconds(0.2))
    #expect(!connection.isOpen)
    #expect(try await connection.sent().isEmpty)
  }

  @Test func aSlowHeaderTimesOut() async throws {
    let connection = try await TestConnection(to: .echo())
    await connection.pass(.seconds(5))
    try await connection.arrive("GET / HTTP/1.1\r\nX: ")
    for _ in 0..<9 {
      await connection.pass(.seconds(1))
      try await connection.arrive("y")
    }
    #expect(try await connection.sent().isEmpty)
    await connection.pass(.seconds(1))
    #expect(try await connection.sent().hasPrefix("HTTP/1.1 408 "))
  }

  @Test func theTimeBetweenRequestsIsLonger() async throws {
    let connection = try await TestConnection(to: .echo())
    for _ in 0..<3 {
      try await connection.arrive(Self.request)
      _ = try await connection.waitForSent("of a: \n")
      await connection.pass(.seconds(59))
      #expect(connection.isOpen)
    }
    await connection.pass(.seconds(2))
    #expect(!connection.isOpen)
    #expect(try await connection.sent().isEmpty)
  }

  @Test func theNextHeaderHasItsOwnTimeout() async throws {
    let connection = try await TestConnection(to: .echo())
    try await connection.arrive(Self.request)
    _ = try await connection.waitForSent("of a: \n")
    await connection.pass(.seconds(55))
    try await connection.arrive("GET")
    await connection.pass(.seconds(9))
    try await connection.arrive(" / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try await connection.waitForSent("of a: \n")
    try await connection.arrive("GET")
    await connection.pass(.seconds(11))
    #expect(try await connection.sent().hasPrefix("HTTP/1.1 408 "))
  }

  @Test func aSlowBodyTimesOut() async throws {
    let connection = try await TestConnection(to: .echo(bodyLimit: 10_000_000))
    try await connection.arrive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n")
    for _ in 0..<5 {
      await connection.pass(.seconds(9))
      try await connection.arrive(String(repeating: "a", count: 320 * 1_024))
      await connection.pass(.seconds(1))
    }
    try await connection.arrive(String(repeating: "a", count: 320 * 1_024 - 1))
    #expect(try await connection.sent().isEmpty)
    await connection.pass(.seconds(10))
    #expect(try await connection.sent().hasPrefix("HTTP/1.1 408 "))
  }

  @Test func chunksWithoutContentDoNotCount() async throws {
    let connection = try await TestConnection(to: .echo(bodyLimit: 100))
    try await connection.arrive(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x=")
    for _ in 0..<10 {
      try await connection.arrive(String(repeating: "y", count: 400_000))
      await connection.pass(.seconds(1))
    }
    #expect(try await connection.sent().hasPrefix("HTTP/1.1 408 "))
  }

  @Test func anAnswerTimesOut() async throws {
    let latch = Latch()
    let connection = try await TestConnection(to: .stuck(latch))
    try await connection.arrive(Self.request)
    await connection.pass(.seconds(119))
    #expect(try await connection.sent().isEmpty)
    await connection.pass(.seconds(1))
    #expect(try await connection.sent().hasPrefix("HTTP/1.1 503 "))
    await latch.hold()
  }

  @Test func aClientThatClosedItsSideHasAShorterTimeout() async throws {
    let latch = Latch()
    let connection = try await TestConnection(to: .stuck(latch))
    try await connection.arrive(Self.request)
    connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    await connection.pass(.seconds(4.9))
    #expect(connection.isOpen)
    await connection.pass(.seconds(0.2))
    #expect(!connection.isOpen)
    // Returns once the answer was canceled.
    await latch.hold()
  }

  @Test func anAnswerIsSentAsFastAsItIsTaken() async throws {
    let connection = try await TestConnection(to: .sending(200_000))
    try await connection.stopTaking()
    try await connection.arrive(Self.request)
    var received = try await connection.waitForSent("\r\n\r\na")
    for pieces in 1...3 {
      let body = try #require(received.components(separatedBy: "\r\n\r\n").last)
      #expect(body.utf8.count == pieces * 64 * 1_024)
      await connection.pass(.seconds(29))
      try await connection.take()
      received += try await connection.sent()
    }
    #expect(received.hasSuffix(String(repeating: "a", count: 200_000)))
    await connection.pass(.seconds(29))
    #expect(connection.isOpen)
    await connection.pass(.seconds(1))
    #expect(!connection.isOpen, "the last piece was not taken")
  }

  @Test func aStreamIsMadeAsFastAsItIsTaken() async throws {
    let count = EndlessPieces.Count()
    let connection = try await TestConnection(
      to: .streaming { EndlessPieces(size: 1_000, count: count) })
    try await connection.stopTaking()
    try await connection.arrive(Self.request)
    _ = try await connection.waitForSent("\r\n\r\n")
    #expect(count.value == 0)
    for pieces in 1...5 {
      try await connection.take()
      _ = try await connection.waitForSent("a\r\n")
      #expect(count.value == pieces, "the next piece is made once this one is taken")
      await connection.pass(.seconds(29))
    }
    await connection.pass(.seconds(1))
    #expect(!connection.isOpen)
    #expect(count.value == 5)
  }

  @Test func aStreamMayPause() async throws {
    let (pieces, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    let connection = try await TestConnection(to: .streaming { pieces })
    try await connection.arrive(Self.request)
    for _ in 0..<3 {
      continuation.yield([UInt8(ascii: "a")])
      _ = try await connection.waitForSent("1\r\na\r\n")
      await connection.pass(.seconds(100_000))
      #expect(connection.isOpen)
    }
    continuation.finish()
    _ = try await connection.waitForSent("0\r\n\r\n")
    #expect(connection.isOpen, "the connection is kept")
  }

  @Test func theLastAnswerStaysReadableForAWhile() async throws {
    let connection = try await TestConnection(to: .echo())
    try await connection.arrive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    _ = try await connection.waitForSent("of a: \n")
    try await connection.loop.executeInContext {}
    #expect(try await connection.isOutputClosed)
    try await connection.arrive(Self.request)
    await connection.pass(.seconds(4.9))
    #expect(connection.isOpen)
    await connection.pass(.seconds(0.2))
    #expect(!connection.isOpen)
    #expect(try await connection.sent().isEmpty, "what came later was thrown away")
  }
}

@Suite struct AcceptErrorTests {
  @Test func theConnectionWithTheLongestIdleTimeFreesItsDescriptor() throws {
    let listener = EmbeddedChannel()
    let connections = OpenConnections(limits: ServerLimits())
    try listener.pipeline.syncOperations.addHandler(AcceptErrorHandler(connections))
    let clients = try (1...3).map { _ in
      let client = EmbeddedChannel(loop: listener.embeddedEventLoop)
      try client.addConnection(to: .echo(), connections)
      try client.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      listener.embeddedEventLoop.advanceTime(by: .seconds(1))
      return client
    }
    listener.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
    #expect(clients.map(\.isActive) == [false, true, true])
    listener.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
    #expect(clients.map(\.isActive) == [false, false, true])
  }
}
