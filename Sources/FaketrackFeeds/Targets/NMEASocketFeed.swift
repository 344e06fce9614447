import FaketrackSupport
import Foundation
import Locations
import NIOCore
import NIOPosix
import Receivers

extension FeedTarget {
  static let nmeaTCP = FeedTarget(
    "nmea:tcp:", "HOST:PORT", "Serves NMEA 0183 to any number of readers, such as gpsd."
  ) { address in
    guard let address = HostAndPort(address) else { return nil }
    return { context in NMEAServerFeed(address, in: context) }
  }

  static let nmeaUDP = FeedTarget(
    "nmea:udp:", "HOST:PORT", "Sends NMEA 0183 in datagrams, one for each fix."
  ) { address in
    guard let address = HostAndPort(address), address.port > 0 else { return nil }
    return { _ in NMEADatagramFeed(address) }
  }
}

/// The sentences for a signal, shared by the ways of sending them.
final class NMEAText: Sendable {
  private let sentences = Locked(NMEASentences(hasSatellites: true))

  func bytes(of signal: FeedSignal) -> ByteBuffer {
    var text = TextBuffer()
    sentences.withLock { sentences in
      switch signal {
      case .position(let fix): sentences.append(fix, to: &text)
      case .unavailable(let time), .denied(let time): sentences.appendLoss(at: time, to: &text)
      }
    }
    return ByteBuffer(bytes: text.bytes)
  }
}

/// Serves sentences to everyone who connects. A reader that does not keep up misses fixes; a new one
/// gets the newest first.
private final class NMEAServerFeed: FeedConnection {
  private struct State {
    var readers: [ObjectIdentifier: any Channel] = [:]
    var newest: ByteBuffer?
  }

  /// Small, so that a slow reader does not get old positions.
  private static let bufferSize = 4_096
  /// The time that a reader gets if the walk waits for it.
  private static let readingTime = TimeAmount.seconds(5)

  let tellsTime = true
  let needsRepetition = true
  private let address: HostAndPort
  private let context: FeedContext
  private let text = NMEAText()
  private let state = Locked(State())
  private let listener = Locked<(any Channel)?>(nil)

  init(_ address: HostAndPort, in context: FeedContext) {
    self.address = address
    self.context = context
  }

  func open() async throws {
    let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.so_sndbuf), value: SocketOptionValue(Self.bufferSize))
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: Self.bufferSize))
      .childChannelInitializer { [self] channel in
        add(channel)
        return channel.eventLoop.makeSucceededVoidFuture()
      }
    do {
      let channel = try await bootstrap.bind(host: address.host, port: address.port).get()
      listener.withLock { $0 = channel }
      let port = channel.localAddress?.port ?? address.port
      context.note(
        "feed nmea:tcp:\(address): listening on \(HostAndPort(host: address.host, port: port))")
    } catch {
      throw FeedError(socket: error)
    }
  }

  private func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let newest = state.withLock { state in
      state.readers[id] = channel
      return state.newest
    }
    channel.closeFuture.whenComplete { [self] _ in
      state.withLock { $0.readers[id] = nil }
    }
    // Not before the channel is connected.
    if let newest { channel.eventLoop.execute { channel.writeAndFlush(newest, promise: nil) } }
  }

  func hasReceiver() async -> Bool { state.withLock { !$0.readers.isEmpty } }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    let bytes = text.bytes(of: signal)
    let readers = state.withLock { state in
      state.newest = bytes
      return Array(state.readers.values)
    }
    if readers.isEmpty { return .refused("no reader") }
    if context.isAwaited {
      for reader in readers {
        // A reader that does not read gets no more than the time of a target.
        let timer = reader.eventLoop.scheduleTask(in: Self.readingTime) {
          reader.close(promise: nil)
        }
        try? await reader.writeAndFlush(bytes).get()
        timer.cancel()
      }
      return .sent
    }
    let ready = readers.filter(\.isWritable)
    for reader in ready { reader.writeAndFlush(bytes, promise: nil) }
    return ready.isEmpty ? .refused("no reader keeps up") : .sent
  }

  func close() async {
    let channels = state.withLock { Array($0.readers.values) }
    try? await listener.withLock(\.self)?.close()
    for channel in channels { try? await channel.close() }
  }
}

private final class NMEADatagramFeed: FeedConnection {
  /// The time in which a computer without a receiver refuses a datagram.
  private static let answerTime = Duration.milliseconds(50)
  private static let unheard = FeedReceipt.refused("no receiver at the port")

  private struct State {
    var channel: (any Channel)?
    var isHeard = false
    var isRefused = false
  }

  let tellsTime = true
  let needsRepetition = true
  private let address: HostAndPort
  private let text = NMEAText()
  private let state = Locked(State())

  init(_ address: HostAndPort) {
    self.address = address
  }

  func open() async throws {
    _ = try await openChannel()
  }

  /// The channel of the last datagram, or a new one. The library closes a channel whose refusal was
  /// reported to a write while it was about to read it.
  private func openChannel() async throws(FeedError) -> any Channel {
    if let channel = state.withLock(\.channel), channel.isActive { return channel }
    do {
      let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .channelInitializer { [self] channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
              ErrorHandler { [self] in state.withLock { $0.isRefused = true } })
          }
        }
        .connect(host: address.host, port: address.port).get()
      state.withLock { $0.channel = channel }
      return channel
    } catch {
      throw FeedError(socket: error)
    }
  }

  /// Whether a receiver without a fix yet would be heard.
  func hasReceiver() async -> Bool { (try? await send(.unavailable(at: nil))) == .sent }

  /// Waits for the refusal of a datagram until one was heard, and again after each refusal: what the system
  /// reports later belongs to an earlier datagram.
  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    let bytes = text.bytes(of: signal)
    // The system reports an earlier refusal in place of sending.
    if try await !write(bytes) {
      state.withLock { ($0.isHeard, $0.isRefused) = (false, false) }
      if try await !write(bytes) { return Self.unheard }
    }
    if !state.withLock(\.isHeard) { try await Task.sleep(for: Self.answerTime) }
    let isRefused = state.withLock { state in
      defer { (state.isHeard, state.isRefused) = (!state.isRefused, false) }
      return state.isRefused
    }
    return isRefused ? Self.unheard : .sent
  }

  /// - Returns: whether the system sent the datagram.
  private func write(_ bytes: ByteBuffer) async throws -> Bool {
    do {
      try await openChannel().writeAndFlush(bytes)
      return true
    } catch let error as IOError where error.errnoCode == ECONNREFUSED {
      return false
    } catch is ChannelError {
      return false
    } catch {
      throw FeedError(socket: error)
    }
  }

  func close() async {
    try? await state.withLock(\.channel)?.close()
  }
}

/// Keeps a socket open when an earlier datagram was refused.
private final class ErrorHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let report: () -> Void

  init(_ report: @escaping () -> Void) {
    self.report = report
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    report()
  }
}
