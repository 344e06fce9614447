import FaketrackSupport
import Foundation
import NIOCore
import NIOPosix

/// A source of lines: a server, or a device such as a serial port.
enum LineConnection {
  typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// The source sends something else than lines.
  struct NoLines: Error {}

  static let timeout = TimeAmount.seconds(10)
  private static let longestLine = 1 << 16

  static func server(_ server: HostAndPort) async throws -> Stream {
    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(timeout)
      .connect(host: server.host, port: server.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try Stream(wrappingChannelSynchronously: channel)
        }
      }
  }

  /// Opens a device; a serial port keeps its speed.
  static func device(_ path: String) async throws -> Stream {
    let file = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw FileError(path: path, code: errno) }
    var settings = termios()
    if tcgetattr(file, &settings) == 0 {
      cfmakeraw(&settings)
      settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
      tcsetattr(file, TCSANOW, &settings)
    }
    do {
      return try await NIOPipeBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .takingOwnershipOfDescriptor(input: file) { channel in
          channel.eventLoop.makeCompletedFuture {
            try Stream(wrappingChannelSynchronously: channel)
          }
        }
    } catch {
      close(file)
      throw error
    }
  }

  /// Passes on each line until the connection ends.
  ///
  /// - Parameters:
  ///   - greeting: is sent first.
  ///   - isQuiet: whether a source may be silent for longer than ``timeout`` at first.
  /// - Throws: ``NoLines``, and errors of the handler.
  static func read(
    _ stream: Stream, greeting: String? = nil, isQuiet: Bool,
    _ handle: (_ line: [UInt8]) throws -> Void
  ) async throws {
    // A server that waits for the client to speak is another one.
    let timer =
      isQuiet
      ? nil
      : stream.channel.eventLoop.scheduleTask(in: timeout) {
        stream.channel.close(promise: nil)
      }
    defer { timer?.cancel() }
    try await stream.executeThenClose { inbound, outbound in
      if let greeting { try await outbound.write(ByteBuffer(string: greeting)) }
      var line: [UInt8] = []
      for try await bytes in inbound {
        for byte in bytes.readableBytesView {
          guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            continue
          }
          try handle(line)
          timer?.cancel()
          line.removeAll(keepingCapacity: true)
        }
        guard line.count <= longestLine else { throw NoLines() }
      }
    }
  }
}
