import Dispatch
import FaketrackSupport
import NIOCore
import NIOEmbedded

@testable import FaketrackServer

extension FuzzTarget {
  /// Bytes of a client on one connection: the site gets the same requests however they are split.
  static let requests = FuzzTarget(name: "requests") { bytes in
    let cut = bytes.reduce(0) { $0 &* 31 &+ Int($1) }.magnitude % UInt(bytes.count + 1)
    let atOnce = Conversation(bytes[...])
    let inTwo = Conversation(bytes[..<Int(cut)], bytes[Int(cut)...])
    // Whether a connection stays open after an unread body depends on when the body arrives.
    let (fewer, more) =
      atOnce.requests.count < inTwo.requests.count ? (atOnce, inTwo) : (inTwo, atOnce)
    check(
      more.requests.starts(with: fewer.requests), "\(fewer.requests) differ from \(more.requests)")
    for conversation in [atOnce, inTwo] {
      check(
        conversation.sent.isEmpty || conversation.sent.hasPrefix("HTTP/1.1 "),
        "what is sent is no answer: \(conversation.sent)")
    }
  }
}

/// The result of the bytes that a client sent on a connection.
private struct Conversation: Sendable {
  /// The requests that the site received.
  let requests: [WebRequest]
  let sent: String

  init(_ pieces: ArraySlice<UInt8>...) {
    let asked = Locked<[WebRequest]>([])
    let site = Site(bodyLimit: { $0.method == "POST" ? 64 : 0 }) { request in
      asked.withLock { $0.append(request) }
      return WebResponse(.ok, body: .bytes(Array("ok".utf8)))
    }
    sent = waiting {
      do {
        return try await Self.hold(pieces, with: site)
      } catch {
        fatalError("the connection failed: \(error)")
      }
    }
    requests = asked.withLock(\.self)
  }

  /// Sends the pieces one after another, and returns the responses.
  private static func hold(_ pieces: [ArraySlice<UInt8>], with site: Site) async throws -> String {
    let loop = NIOAsyncTestingEventLoop()
    let channel = NIOAsyncTestingChannel(loop: loop)
    let connection = try await loop.executeInContext {
      try channel.addConnection(to: site, OpenConnections(limits: ServerLimits()))
      return try NIOLoopBound(
        channel.pipeline.syncOperations.handler(type: HTTPConnection.self), eventLoop: loop)
    }
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
    for piece in pieces {
      // The connection handles parser errors.
      _ = try? await channel.writeInbound(ByteBuffer(bytes: piece))
      while let work = try await loop.executeInContext({ connection.value.workUnderWay }) {
        await work.value
        await loop.run()
      }
    }
    var sent = ""
    while let bytes = try await channel.readOutbound(as: ByteBuffer.self) {
      sent += String(buffer: bytes)
    }
    _ = try? await channel.finish()
    return sent
  }
}

extension HTTPConnection {
  fileprivate var workUnderWay: Task<Void, Never>? {
    if case .answering = phase { work } else { nil }
  }
}

/// Waits for an asynchronous operation.
private func waiting<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
  let result = Locked<Value?>(nil)
  let isDone = DispatchSemaphore(value: 0)
  Task {
    let value = await work()
    result.withLock { $0 = value }
    isDone.signal()
  }
  isDone.wait()
  guard let value = result.withLock(\.self) else { fatalError("the work has no result") }
  return value
}
