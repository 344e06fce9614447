import Dispatch
import FaketrackSupport
import Foundation
import Geodesy
import Locations
import NIOCore
import NIOPosix
import Receivers

extension FeedTarget {
  static let android = FeedTarget(
    "android:", "PORT[:TOKEN-FILE]",
    """
    Sets the position of an Android emulator through its console, whose port
    is in the emulator's name: 5554. The token is in
    ~/.emulator_console_auth_token, or another file. The emulator rounds to
    20 cm; no app has to listen.
    """
  ) { address in
    let parts = address.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let port = UInt16(parts[0]), port > 0, parts.last?.isEmpty == false else { return nil }
    let file = parts.count > 1 ? String(parts[1]) : "~/.emulator_console_auth_token"
    return { _ in AndroidFeed(port: Int(port), tokenFile: (file as NSString).expandingTildeInPath) }
  }
}

/// Sends commands to the console of an emulator, one at a time.
///
/// Source: https://developer.android.com/studio/run/emulator-console
private final class AndroidFeed: FeedConnection {
  private static let timeout = TimeAmount.seconds(5)
  /// The maximum number of bytes of an answer, and of a token.
  private static let limit = 1 << 16

  let needsRepetition = true
  private let port: Int
  private let tokenFile: String
  private let commands = Locked(EmulatorCommands())
  private let console = Locked<(channel: any Channel, pieces: AsyncStream<ByteBuffer>)?>(nil)

  init(port: Int, tokenFile: String) {
    self.port = port
    self.tokenFile = tokenFile
  }

  func open() async throws {
    // More pieces are dropped: no console sends as many without being asked.
    let (pieces, piece) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(64))
    do {
      let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .connectTimeout(Self.timeout)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(PieceHandler(piece))
          }
        }
        .connect(host: "127.0.0.1", port: port).get()
      console.withLock { $0 = (channel, pieces) }
    } catch {
      throw FeedError(socket: error)
    }
    do {
      try await logIn()
    } catch {
      await close()
      throw error
    }
  }

  private func logIn() async throws {
    guard let greeting = try? await answer(to: nil), greeting.contains("Android Console") else {
      throw FeedError.rejected(
        "is not the console of an emulator",
        hint: "The port is in the name that adb devices shows: emulator-5554.")
    }
    guard greeting.contains("Authentication required") else { return }
    let token = try? await DispatchQueue(label: "faketrack.feeds.android").blocking { [tokenFile] in
      try WholeFile.text(of: tokenFile, limit: Self.limit)
    }
    guard let token = token?.trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty else {
      throw FeedError.rejected("no token in \(tokenFile)", hint: "The emulator makes this file.")
    }
    // The console also closes the connection.
    guard let answer = try? await answer(to: "auth \(token)"), !answer.isRefusal else {
      throw FeedError.rejected(
        "does not accept the token in \(tokenFile)",
        hint: "Name the file of the user who started the emulator: android:\(port):FILE.")
    }
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    for command in commands(for: signal) {
      let answer = try await answer(to: command)
      if answer.isRefusal { return .refused(answer) }
    }
    return .confirmed
  }

  private func commands(for signal: FeedSignal) -> [String] {
    switch signal {
    case .position(let fix): ["geo " + EmulatorCommands.fix(fix)]
    case .unavailable(let time), .denied(let time): loss(at: time)
    }
  }

  private func loss(at time: Date?) -> [String] {
    commands.withLock { $0.lossSentences(at: time) }.map { "geo nmea \($0)" }
  }

  /// Sends a command, if any, and returns the lines of its answer but a last OK.
  private func answer(to command: String?) async throws -> String {
    guard let (channel, pieces) = console.withLock(\.self) else {
      throw FeedError.unreachable("the connection ended")
    }
    let timer = channel.eventLoop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
    defer { timer.cancel() }
    if let command { try? await channel.writeAndFlush(ByteBuffer(string: command + "\r\n")) }
    var text = ""
    for await piece in pieces {
      text += String(buffer: piece)
      guard text.utf8.count <= Self.limit else {
        channel.close(promise: nil)
        throw FeedError.unreachable("its answer does not end")
      }
      let lines = text.split(whereSeparator: \.isNewline)
      guard text.last?.isNewline == true, let last = lines.last else { continue }
      if last == "OK" { return lines.dropLast().joined(separator: "\n") }
      if last.isRefusal { return String(last) }
    }
    throw FeedError.unreachable("the connection ended")
  }

  func close() async {
    try? await console.withLock { $0.take() }?.channel.close()
  }
}

extension StringProtocol {
  fileprivate var isRefusal: Bool { hasPrefix("KO") }
}

private final class PieceHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let pieces: AsyncStream<ByteBuffer>.Continuation

  init(_ pieces: AsyncStream<ByteBuffer>.Continuation) {
    self.pieces = pieces
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    pieces.yield(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) {
    pieces.finish()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
