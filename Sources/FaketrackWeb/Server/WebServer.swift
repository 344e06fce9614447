import FaketrackFeatures
import FlyingFox
import FlyingSocks
import Foundation

/// Serves the page until its task is cancelled.
package struct WebServer: Sendable {
  /// Seconds that streams may take to end.
  private static let stopLimit = 0.1
  /// Seconds that an answer may take: as many as a summary with all its retries.
  private static let answerLimit = 120.0
  /// How often something is sent on a quiet stream, which also reveals browsers that are gone.
  private static let heartbeat = Duration.seconds(15)

  private let host: String
  private let port: UInt16
  private let dependencies: Dependencies
  private let imageHosts: [String]
  private let tiles: TileTemplate?

  /// - Parameters:
  ///   - imageHosts: the origins that photos come from, such as `https://live.staticflickr.com`.
  ///   - tiles: raster tiles under the map.
  ///   - host: a numeric address or `localhost`.
  ///   - port: 0 for any that is free.
  package init(
    _ dependencies: Dependencies, imageHosts: [String], tiles: TileTemplate?, host: String,
    port: UInt16
  ) {
    self.dependencies = dependencies
    self.imageHosts = imageHosts
    self.tiles = tiles
    self.host = host == "localhost" ? "127.0.0.1" : host
    self.port = port
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter onListening: called with the address of the page once it answers.
  /// - Throws: ``WebServerError``, also when the server ends by itself.
  package func run(onListening: @Sendable (String) async -> Void) async throws {
    let website = await Website(
      dependencies, imageHosts: imageHosts, tiles: tiles, listeningOn: host)
    try await run(try server(of: website), website, onListening: onListening)
  }

  /// The server of a website, not yet running.
  func server(of website: Website) throws(WebServerError) -> HTTPServer {
    HTTPServer(
      config: try configuration(),
      handler: ClosureHTTPHandler { request in await website.answer(request) })
  }

  /// Runs a server until the task is cancelled or the server ends.
  func run(
    _ server: HTTPServer, _ website: Website, onListening: @Sendable (String) async -> Void
  ) async throws {
    let running = Task { try await server.run() }
    let heartbeat = Task { try await Self.sendHeartbeats(of: website) }
    defer { heartbeat.cancel() }
    let end: Result<Void, any Error> = try await withTaskCancellationHandler {
      await onListening(try await address(of: server, running))
      return await running.result
    } onCancel: {
      Task {
        await server.stop(timeout: Self.stopLimit)
        running.cancel()
      }
    }
    await website.tracking.send(.stop)
    if Task.isCancelled { return }
    switch end {
    case .success: throw WebServerError.ended(reason: "the server stopped")
    case .failure(let error): throw WebServerError.ended(reason: Self.words(for: error))
    }
  }

  private func configuration() throws(WebServerError) -> HTTPServer.Configuration {
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

  /// The address of the page, once the server listens.
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
      throw WebServerError.cannotListen(
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
    switch error {
    case SocketError.failed(_, _, let message): message
    case is CancellationError, SocketError.disconnected: "the connection was closed"
    default: "\(error)"
    }
  }

  private static func sendHeartbeats(of website: Website) async throws {
    while true {
      try await Task.sleep(for: heartbeat)
      await website.tracking.store.repeatState()
    }
  }
}

/// Why the page cannot be served.
package enum WebServerError: Error, Hashable, Sendable {
  /// The host is not a numeric address.
  case notAnAddress(String)
  /// The system does not let the server listen there.
  case cannotListen(address: String, reason: String)
  /// The server ended by itself.
  case ended(reason: String)
}

extension WebServerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notAnAddress(let host): "\(host) is not a numeric address"
    case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
    case .ended(let reason): "the page ended: \(reason)"
    }
  }

  /// What the user can do about it.
  package var recoverySuggestion: String {
    switch self {
    case .notAnAddress: "Give one such as 127.0.0.1 or ::1 with --host."
    case .cannotListen: "Use another port with --port, or --port 0 for any that is free."
    case .ended: "Start it again."
    }
  }
}

extension WebServerError: FailureConvertible {
  package var failure: Failure {
    let isUsage = if case .notAnAddress = self { true } else { false }
    return Failure(
      message: description, hint: recoverySuggestion, kind: isUsage ? .wrongUsage : .failed)
  }
}
