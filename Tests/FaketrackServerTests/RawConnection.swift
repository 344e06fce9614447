import FaketrackServer
import NIOCore
import NIOPosix

/// A connection to a local server, on which a test sends every byte.
struct RawConnection {
  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  /// The bytes that have arrived but have not been read by the test.
  private var received = ByteBuffer()

  /// Runs the body with a connection that is closed after it.
  static func run<Value>(
    to server: HTTPServer, _ body: (inout RawConnection) async throws -> Value
  ) async throws -> Value {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      // A response may end before the request is sent.
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(host: "127.0.0.1", port: Int(server.port)) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true))
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var connection = RawConnection(
        inbound: inbound.makeAsyncIterator(), outbound: outbound)
      return try await body(&connection)
    }
  }

  /// Sends a text and returns all that comes until the server ends the connection.
  static func exchange(with server: HTTPServer, _ text: String) async throws -> String {
    try await run(to: server) { connection in
      try await connection.send(text)
      return try await connection.readToEnd()
    }
  }

  /// Opens connections on which nothing more happens.
  static func open(
    _ count: Int, to server: HTTPServer, sending start: String
  ) async throws -> [any Channel] {
    var channels: [any Channel] = []
    for _ in 0..<count {
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: Int(server.port)).get()
      // The server may have ended it already.
      try? await channel.writeAndFlush(ByteBuffer(string: start)).get()
      channels.append(channel)
    }
    return channels
  }

  private init(
    inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) {
    self.inbound = inbound
    self.outbound = outbound
  }

  func send(_ text: String) async throws {
    try await outbound.write(ByteBuffer(string: text))
  }

  /// Closes the client's side.
  func finish() {
    outbound.finish()
  }

  /// Reads up to and including a text.
  mutating func read(to end: String) async throws -> String {
    while true {
      let text = String(buffer: received)
      if let range = text.range(of: end) {
        received.moveReaderIndex(forwardBy: text[..<range.upperBound].utf8.count)
        return String(text[..<range.upperBound])
      }
      guard try await readMore() else { throw EndedEarly(received: text) }
    }
  }

  mutating func readToEnd() async throws -> String {
    while try await readMore() {}
    return String(buffer: received)
  }

  private mutating func readMore() async throws -> Bool {
    guard let piece = try await inbound.next() else { return false }
    received.writeImmutableBuffer(piece)
    return true
  }

  struct EndedEarly: Error {
    let received: String
  }
}
