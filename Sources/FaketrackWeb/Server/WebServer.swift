import FaketrackFeatures
import FaketrackServer
import FaketrackSupport

/// Serves the page until its task is canceled.
package struct WebServer: Sendable {
  /// Heartbeats on idle streams reveal lost connections.
  private static let heartbeat = Duration.seconds(15)

  private let website: Website
  private let host: String
  private let port: UInt16

  /// - Parameters:
  ///   - own: the user's own photos, which the page shows at its own address.
  ///   - host: a numeric address or `localhost`.
  ///   - port: 0 for any free port.
  @MainActor
  package init(
    _ dependencies: Dependencies, own: OwnPhotoFiles? = nil, imageHosts: [String],
    tiles: TileTemplate?, host: String,
    port: UInt16
  ) {
    self.host = host == "localhost" ? "127.0.0.1" : host
    self.port = port
    website = Website(
      dependencies, own: own, imageHosts: imageHosts, tiles: tiles, listeningOn: self.host)
  }

  /// Whether other computers can reach the page.
  package var isReachable: Bool { HTTPServer.isReachable(at: host) }

  /// - Parameter onListening: called with the address of the page once it can be loaded.
  /// - Throws: ``Failure``, also when the server ends unexpectedly.
  package func run(onListening: @Sendable (String) async -> Void) async throws {
    try await run(try await listen(), onListening: onListening)
  }

  func listen() async throws(Failure) -> HTTPServer {
    do {
      return try await HTTPServer(
        listeningOn: host, port: port,
        site: Site(
          bodyLimit: { website.bodyLimit(of: $0) }, answer: { await website.answer($0) }))
    } catch {
      switch error {
      case .notAnAddress:
        throw Failure(
          message: "\(host) is not a numeric address",
          hint: "Give one such as 127.0.0.1 or ::1 with --host.", kind: .wrongUsage)
      case .failed(let reason):
        throw Failure(
          message: "cannot listen on \(HostAndPort(host: host, port: Int(port))): \(reason)",
          hint: "Use another port with --port, or --port 0 for any that is free.")
      }
    }
  }

  func run(
    _ server: HTTPServer, onListening: @Sendable (String) async -> Void
  ) async throws {
    let heartbeat = Task {
      while true {
        try await Task.sleep(for: Self.heartbeat)
        await website.tracking.store.repeatState()
      }
    }
    defer { heartbeat.cancel() }
    await withTaskCancellationHandler {
      let address = HostAndPort(
        host: HTTPServer.reachableAddress(of: host), port: Int(server.port))
      await onListening("http://\(address)/")
      await server.end()
    } onCancel: {
      server.stop()
    }
    await website.tracking.send(.stop)
    if Task.isCancelled { return }
    throw Failure(message: "the page ended: the server stopped", hint: "Start it again.")
  }
}
