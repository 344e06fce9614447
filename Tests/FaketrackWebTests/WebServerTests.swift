import FaketrackFeatures
import FaketrackServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@testable import FaketrackWeb

@MainActor
@Suite struct WebServerTests {
  private func server(
    _ dependencies: Dependencies = .make(), host: String = "127.0.0.1", port: UInt16 = 0
  ) -> WebServer {
    WebServer(dependencies, imageHosts: [], tiles: nil, host: host, port: port)
  }

  /// Serves until the work is done, which gets the address.
  private func serving(
    _ server: WebServer, _ work: @MainActor (String) async throws -> Void
  ) async throws {
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let running = Task {
      defer { continuation.finish() }
      try await server.run { continuation.yield($0) }
    }
    defer { running.cancel() }
    for await address in addresses {
      try await work(address)
      break
    }
    running.cancel()
    try await running.value
  }

  @Test(arguments: [("localhost", "127.0.0.1"), ("127.0.0.1", "127.0.0.1")])
  func servesUntilItIsCancelled(_ host: String, _ shown: String) async throws {
    var lost: URL?
    try await serving(server(host: host)) { address in
      #expect(address.hasPrefix("http://\(shown):") && address.hasSuffix("/"))
      let url = try #require(URL(string: address + "about"))
      let (data, response) = try await URLSession.shared.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(String(decoding: data, as: UTF8.self).contains("GeoNames"))
      lost = url
    }
    let url = try #require(lost)
    await #expect(throws: (any Error).self) { try await URLSession.shared.data(from: url) }
  }

  @Test func aServerOfTheNetworkTellsAnAddressThatAnswers() async throws {
    let server = server(host: "0.0.0.0")
    #expect(server.isReachable)
    for host in ["127.0.0.1", "localhost", "::1"] {
      #expect(!self.server(host: host).isReachable)
    }
    try await serving(server) { address in
      let url = try #require(URL(string: address + "about"))
      #expect(url.host != "0.0.0.0")
      let (_, response) = try await URLSession.shared.data(from: url)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }
  }

  @Test func aWalkEndsWithItsServer() async throws {
    let dependencies = Dependencies.make(speed: .realTime)
    try await serving(server(dependencies)) { _ in
      await dependencies.tracking.send(.start(track: nil))
      #expect(dependencies.tracking.state.isUnderWay)
    }
    #expect(dependencies.tracking.state.phase == .stopped)
  }

  @Test func aServerThatDiesIsAFailure() async throws {
    let dependencies = Dependencies.make(speed: .realTime)
    let server = server(dependencies)
    let http = try await server.listen()
    await dependencies.tracking.send(.start(track: nil))
    let error = await #expect(throws: Failure.self) {
      try await server.run(http) { _ in http.stop() }
    }
    #expect(
      error == Failure(message: "the page ended: the server stopped", hint: "Start it again."))
    #expect(dependencies.tracking.state.phase == .stopped, "the walk ends with its page")
  }

  @Test func saysThatThePortIsTaken() async throws {
    try await serving(server()) { address in
      let port = try #require(URL(string: address)?.port.flatMap(UInt16.init(exactly:)))
      let error = await #expect(throws: Failure.self) {
        try await server(port: port).run { _ in }
      }
      #expect(error?.message.hasPrefix("cannot listen on 127.0.0.1:\(port): ") == true)
      #expect(
        error?.hint == "Use another port with --port, or --port 0 for any that is free.")
      #expect(error?.kind == .failed)
    }
  }

  @Test(arguments: ["nowhere.example", "300.1.1.1", "", ":::", "1.2.3", "0x7f.1"])
  func takesNumericAddressesOnly(_ host: String) async throws {
    let failure = Failure(
      message: "\(host) is not a numeric address",
      hint: "Give one such as 127.0.0.1 or ::1 with --host.", kind: .wrongUsage)
    await #expect(throws: failure) { try await server(host: host).run { _ in } }
  }
}
