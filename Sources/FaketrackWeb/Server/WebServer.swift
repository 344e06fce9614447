import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page until it is told to end.
package struct WebServer: Sendable {
  /// Why the page cannot be served.
  package enum Failure: Error, Hashable, Sendable {
    /// The host is no numeric address.
    case notAnAddress(String)
    /// The system did not let it listen there.
    case cannotListen(address: String, reason: String)
  }

  /// How long streams may take to end.
  private static let farewell = 0.1
  /// How long an answer may take: as long as a summary from elsewhere with all its tries.
  private static let answerLimit = 120.0

  private let host: String
  private let port: UInt16
  private let parts: WebsiteParts

  /// - Parameters:
  ///   - host: a numeric address or `localhost`.
  ///   - port: 0 for any that is free.
  package init(_ parts: WebsiteParts, host: String, port: UInt16) {
    self.parts = parts
    self.host = host == "localhost" ? "127.0.0.1" : host
    self.port = port
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onListening: called with the address of the page once it answers.
  /// - Throws: ``Failure``.
  package func run(onListening: @Sendable (String) async -> Void) async throws {
    let website = await Website(parts, listeningOn: host)
    let server = HTTPServer(
      config: try configuration(),
      handler: ClosureHTTPHandler { request in await website.answer(request) })
    let running = Task { try await server.run() }
    let heartbeat = Task { try await Self.heartbeat(of: website.session) }
    defer { heartbeat.cancel() }
    try await withTaskCancellationHandler {
      await onListening(try await address(of: server, running))
      _ = await running.result
    } onCancel: {
      Task {
        await server.stop(timeout: Self.farewell)
        running.cancel()
      }
    }
    await website.session.stop()
  }

  private func configuration() throws(Failure) -> HTTPServer.Configuration {
    do {
      if host.contains(":") {
        return HTTPServer.Configuration(
          address: try sockaddr_in6.inet6(ip6: host, port: port), timeout: Self.answerLimit,
          logger: .disabled)
      }
      return HTTPServer.Configuration(
        address: try sockaddr_in.inet(ip4: host, port: port), timeout: Self.answerLimit,
        logger: .disabled)
    } catch {
      throw .notAnAddress(host)
    }
  }

  private func address(
    of server: HTTPServer, _ running: Task<Void, any Error>
  ) async throws -> String {
    let ready = Task { try await server.waitUntilListening() }
    let watching = Task {
      _ = await running.result
      ready.cancel()
    }
    defer { watching.cancel() }
    do {
      try await ready.value
    } catch {
      try Task.checkCancellation()
      running.cancel()
      var reason = "it takes too long"
      do { try await running.value } catch { reason = Self.words(for: error) }
      throw Failure.cannotListen(
        address: "\(AccessPolicy.bracketed(host)):\(port)", reason: reason)
    }
    let listening =
      switch await server.listeningAddress {
      case .ip4(_, let port), .ip6(_, let port): port
      case .unix, nil: port
      }
    return "http://\(AccessPolicy.bracketed(host)):\(listening)/"
  }

  private static func words(for error: any Error) -> String {
    if case .failed(_, _, let message) = error as? SocketError { return message }
    return "\(error)"
  }

  /// Lets quiet streams say that they are still there.
  private static func heartbeat(of session: WalkSession) async throws {
    while true {
      try await Task.sleep(for: EventStream.heartbeat)
      await session.signals.send()
    }
  }
}

extension WebServer.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAnAddress(let host): "\(host) is not a numeric address"
    case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
    }
  }

  /// What to do about it.
  package var recoverySuggestion: String {
    switch self {
    case .notAnAddress: "Give one such as 127.0.0.1 or ::1 with --host."
    case .cannotListen: "Use another port with --port, or --port 0 for any that is free."
    }
  }
}
