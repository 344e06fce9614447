import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import NIOCore
import NIOPosix
import Receivers
import Testing

@testable import FaketrackFeeds

@Suite struct AndroidFeedTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("token", "secret\n")
  }

  @Test func aPositionIsACommandWithAllItsValues() async throws {
    try await Console.run { console in
      let feed = try feed(console)
      try await feed.open()
      let fix = Fix(
        try Coordinate(latitude: 52.5, longitude: 13.25), elevation: 35.25, speed: 4.63,
        horizontalAccuracy: 8)
      #expect(try await feed.send(.position(fix)) == .confirmed)
      #expect(try await feed.send(.position(Fix(fix.coordinate))) == .confirmed)
      #expect(try await feed.send(.unavailable(at: nil)) == .confirmed)
      #expect(
        console.commands == [
          "auth secret", "geo fix 13.2500000 52.5000000 35.3 10 9.00",
          "geo fix 13.2500000 52.5000000 0.0 3 0.00",
          "geo nmea $GPRMC,,V,,,,,,,,,,N*53", "geo nmea $GPVTG,,T,,M,,N,,K,N*2C",
          "geo nmea $GPGSA,A,1,,,,,,,,,,,,,,,*1E", "geo nmea $GPGGA,,,,,,0,00,,,M,,M,,*66",
        ])
      await feed.close()
    }
  }

  @Test(arguments: [1e300, -.greatestFiniteMagnitude, .infinity, 1e6])
  func valuesThatNoReceiverHasAreUnknown(number: Double) throws {
    let fix = Fix(
      try Coordinate(latitude: 1, longitude: 2), elevation: number, speed: number,
      horizontalAccuracy: number)
    #expect(EmulatorCommands.fix(fix).hasPrefix("fix 2.0000000 1.0000000 0.0 3 0.00"))
  }

  @Test func aWrongTokenIsAnErrorThatDoesNotShowIt() async throws {
    try home.file("token", "guess")
    try await Console.run { console in
      let file = home.path("token")
      await #expect {
        try await feed(console).open()
      } throws: { error in
        (error as? FeedError)?.reason == "does not accept the token in \(file)"
      }
    }
  }

  @Test func withoutATokenThereIsAHint() async throws {
    try await Console.run { console in
      let feed = try FeedTarget.feed("android:\(console.port):/nowhere").connect(.silent)
      await #expect {
        try await feed.open()
      } throws: { error in
        (error as? FeedError)?.reason == "no token in /nowhere"
      }
    }
  }

  @Test func aServerThatIsNoConsoleIsNamed() async throws {
    try await Console.run(greeting: "220 mail\r\nOK\r\n") { console in
      await #expect {
        try await feed(console).open()
      } throws: { error in
        (error as? FeedError)?.reason == "is not the console of an emulator"
      }
    }
  }

  @Test(arguments: ["x", "Android Console\r\n"])
  func aServerWithoutAnEndIsNoConsole(piece: String) async throws {
    try await Console.run(greeting: String(repeating: piece, count: 1 << 18)) { console in
      await #expect {
        try await feed(console).open()
      } throws: { error in
        (error as? FeedError)?.reason == "is not the console of an emulator"
      }
    }
  }

  @Test func aRefusalIsReadAndALostLineIsTriedAgain() async throws {
    try await Console.run { console in
      let feed = try feed(console)
      try await feed.open()
      let position = FeedSignal.position(Fix(try Coordinate(latitude: 1, longitude: 2)))
      console.answer = "KO: no GPS emulation\r\n"
      #expect(try await feed.send(position) == .refused("KO: no GPS emulation"))
      console.answer = nil
      await #expect(throws: FeedError.unreachable("the connection ended")) {
        try await feed.send(position)
      }
      console.answer = "OK\r\n"
      try await feed.open()
      #expect(try await feed.send(position) == .confirmed)
      await feed.close()
    }
  }

  private func feed(_ console: Console) throws -> any FeedConnection {
    try FeedTarget.feed("android:\(console.port):\(home.path("token"))").connect(.silent)
  }
}

/// The console of an emulator: greets, wants the token `secret`, and answers commands.
private final class Console: Sendable {
  static let greeting = """
    Android Console: Authentication required\r
    Android Console: type 'auth <auth_token>' to authenticate\r
    OK\r

    """

  private let state = Locked<(commands: [String], answer: String?)>(([], "OK\r\n"))
  private let listener: any Channel
  var port: Int { listener.localAddress?.port ?? 0 }
  var commands: [String] { state.withLock(\.commands) }
  /// The answer to a command; `nil` drops the line.
  var answer: String? {
    get { state.withLock(\.answer) }
    set { state.withLock { $0.answer = newValue } }
  }

  private init(_ listener: any Channel) {
    self.listener = listener
  }

  static func run(
    greeting: String = greeting, _ body: (Console) async throws -> Void
  ) async throws {
    let box = Locked<Console?>(nil)
    let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            LineHandler(greeting: greeting) { line in box.withLock(\.self)?.reply(to: line) })
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let console = Console(listener)
    box.withLock { $0 = console }
    defer { box.withLock { $0 = nil } }
    try await body(console)
    try await listener.close()
  }

  private func reply(to line: String) -> String? {
    state.withLock { state in
      state.commands.append(line)
      guard line.hasPrefix("auth ") else { return state.answer }
      return line == "auth secret"
        ? "Android Console: type 'help' for a list of commands\r\nOK\r\n"
        : "KO: authentication token does not match ~/.emulator_console_auth_token\r\n"
    }
  }
}

private final class LineHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let greeting: String
  private let reply: (String) -> String?

  init(greeting: String, reply: @escaping (String) -> String?) {
    self.greeting = greeting
    self.reply = reply
  }

  func channelActive(context: ChannelHandlerContext) {
    write(greeting, context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    for line in String(buffer: unwrapInboundIn(data)).split(separator: "\r\n") {
      guard let answer = reply(String(line)) else { return context.close(promise: nil) }
      write(answer, context)
      if answer.hasPrefix("KO: auth") { context.close(promise: nil) }
    }
  }

  private func write(_ text: String, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
  }
}
