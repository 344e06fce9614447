import FaketrackFeatures
import FaketrackServer

/// Serves the page until its task is canceled.
package struct WebServer: Sendable {
  /// The interval of heartbeats on idle streams, which reveal lost connections.
  private static let heartbeat = Duration.seconds(15)

  private let host: String
  private let port: UInt16
  private let dependencies: Dependencies
  private let imageHosts: [String]
  private let tiles: TileTemplate?

  /// - Parameters:
  ///   - imageHosts: the origins of photos, such as `https://live.staticflickr.com`.
  ///   - tiles: raster tiles under the map.
  ///   - host: a numeric address or `localhost`.
  ///   - port: 0 for any free port.
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

  /// Serves until the task is canceled.
  ///
  /// - Parameter onListening: called with the address of the page once it can be loaded.
  /// - Throws: ``WebServerError``, also when the server ends unexpectedly.
  package func run(onListening: @Sendable (String) async -> Void) async throws {
    let website = await Website(
      dependencies, imageHosts: imageHosts, tiles: tiles, listeningOn: host)
    try await run(try await listen(website), website, onListening: onListening)
  }

  /// Starts a server for a website.
  func listen(_ website: Website) async throws(WebServerError) -> HTTPServer {
    do {
      return try await HTTPServer(
        listeningOn: host, port: port,
        site: Site(
          bodyLimit: { website.bodyLimit(of: $0) }, answer: { await website.answer($0) }))
    } catch {
      switch error {
      case .notAnAddress: throw .notAnAddress(host)
      case .failed(let reason):
        throw .cannotListen(address: "\(AccessPolicy.bracketed(host)):\(port)", reason: reason)
      }
    }
  }

  /// Runs a server until the task is canceled or the server ends.
  func run(
    _ server: HTTPServer, _ website: Website, onListening: @Sendable (String) async -> Void
  ) async throws {
    let heartbeat = Task { try await Self.sendHeartbeats(of: website) }
    defer { heartbeat.cancel() }
    await withTaskCancellationHandler {
      await onListening("http://\(AccessPolicy.bracketed(host)):\(server.port)/")
      await server.end()
    } onCancel: {
      server.stop()
    }
    await website.tracking.send(.stop)
    if Task.isCancelled { return }
    throw WebServerError.ended(reason: "the server stopped")
  }

  private static func sendHeartbeats(of website: Website) async throws {
    while true {
      try await Task.sleep(for: heartbeat)
      await website.tracking.store.repeatState()
    }
  }
}

/// An error that keeps the page from being served.
package enum WebServerError: Error, Hashable, Sendable {
  /// The host is not a numeric address.
  case notAnAddress(String)
  /// The system does not allow listening at the address.
  case cannotListen(address: String, reason: String)
  /// The server ended unexpectedly.
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

  /// A remedy.
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
