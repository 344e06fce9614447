import FaketrackSupport
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A server on a free port of 127.0.0.1 that sends arbitrary bytes from a test.
package final class RawServer: Sendable {
  /// A step of a script for a connection, which is closed after the last one.
  package enum Step: Sendable {
    case send(Data)
    /// Sends bytes, at least one, repeatedly until the client ends the connection.
    case sendForever(Data)
    /// Waits until the client ends the connection.
    case waitForTheClient
    /// Resets the connection, which discards data in transit.
    case reset

    package static func send(_ text: String) -> Step { .send(Data(text.utf8)) }
    package static func sendForever(_ text: String) -> Step { .sendForever(Data(text.utf8)) }

    /// Sends a complete response, with the length of its body or another one as its Content-Length.
    package static func answer(
      _ body: String = "", status: String = "200 OK", headers: [String] = [],
      announced length: Int? = nil
    ) -> Step {
      let fields = ["Content-Length: \(length ?? body.utf8.count)", "Connection: close"] + headers
      return .send("HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n\(body)")
    }
  }

  /// Returns the steps for a connection from the header of its request.
  package typealias Script = @Sendable (_ header: String, _ server: URL) -> [Step]

  private struct State {
    var isStopped = false
    var connections: Set<Int32> = []
    var headers: [String] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private struct CannotListen: Error {}

  /// The server's address, which ends with a slash.
  package let url: URL
  private let listener: Int32
  private let script: Script
  private let state = Locked(State())
  private let threads = DispatchGroup()

  /// The headers of the requests so far, in order of arrival.
  package var headers: [String] { state.withLock(\.headers) }

  /// Runs the body with a server that is stopped after it.
  package static func run<Value>(
    _ script: @escaping Script, _ body: (RawServer) async throws -> Value
  ) async throws -> Value {
    let server = try RawServer(script)
    return try await withCleanup {
      try await body(server)
    } cleanup: {
      await server.stop()
    }
  }

  private init(_ script: @escaping Script) throws {
    self.script = script
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [listener] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    guard isBound, listen(listener, 64) == 0, let url = URL(string: "http://127.0.0.1:\(port)/")
    else {
      close(listener)
      throw CannotListen()
    }
    self.url = url
    run { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, open(connection) else { break }
        run { [self] in serve(connection) }
      }
    }
  }

  /// Waits for a number of requests.
  package func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.headers.count < count { state.waiting.append((count, continuation)) }
        return state.headers.count >= count
      }
      if isReached { continuation.resume() }
    }
  }

  /// Closes the port and all connections.
  private func stop() async {
    state.withLock { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
    await withCheckedContinuation { continuation in
      threads.notify(queue: .global()) { continuation.resume() }
    }
    close(listener)
  }

  private func run(_ work: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      work()
      threads.leave()
    }
  }

  // MARK: - Connections, each on its own thread

  /// - Returns: `false` if the server has been stopped.
  private func open(_ connection: Int32) -> Bool {
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(
        connection, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return state.withLock { state in
      if state.isStopped { close(connection) } else { state.connections.insert(connection) }
      return !state.isStopped
    }
  }

  private func serve(_ connection: Int32) {
    if let header = readHeader(from: connection) {
      let reached = state.withLock { state in
        state.headers.append(header)
        let reached = state.waiting.filter { $0.count <= state.headers.count }
        state.waiting.removeAll { $0.count <= state.headers.count }
        return reached
      }
      for waiter in reached { waiter.continuation.resume() }
      for step in script(header, url) where !perform(step, on: connection) { break }
    }
    state.withLock { state in
      state.connections.remove(connection)
      close(connection)
    }
  }

  /// - Returns: `false` if the connection has ended.
  private func perform(_ step: Step, on connection: Int32) -> Bool {
    switch step {
    case .send(let data):
      return send(data, on: connection)
    case .sendForever(let data):
      // Large pieces reach the client's size limit sooner.
      let piece = Data(repeatElement(data, count: (1 << 16) / data.count + 1).joined())
      while send(piece, on: connection) {}
      return false
    case .waitForTheClient:
      while read(from: connection) != nil {}
      return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        connection, SOL_SOCKET, SO_LINGER, &linger,
        socklen_t(MemoryLayout.size(ofValue: linger)))
      return false
    }
  }

  private func send(_ data: Data, on connection: Int32) -> Bool {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.send(connection, bytes.baseAddress, bytes.count, 0)
        #else
          Foundation.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads a header with its final empty line; returns `nil` if it is incomplete.
  private func readHeader(from connection: Int32) -> String? {
    var received = Data()
    while received.range(of: Data("\r\n\r\n".utf8)) == nil {
      guard let piece = read(from: connection) else { return nil }
      received += piece
    }
    return String(decoding: received, as: UTF8.self)
  }

  /// Waits for bytes; returns `nil` after the client has ended the connection.
  private func read(from connection: Int32) -> Data? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(connection, &buffer, buffer.count, 0)
    return count > 0 ? Data(buffer.prefix(count)) : nil
  }
}
