import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@testable import FaketrackWeb

@Suite struct WebServerTests {
  @Test func servesUntilItIsToldToEnd() async throws {
    let parts = try await Website.make().parts
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let serving = Task {
      try await WebServer(parts, host: "localhost", port: 0).run { continuation.yield($0) }
    }
    var iterator = addresses.makeAsyncIterator()
    let address = try #require(await iterator.next())
    #expect(address.firstMatch(of: /^http:\/\/127\.0\.0\.1:\d+\/$/) != nil)
    let url = try #require(URL(string: address + "about"))
    let (data, response) = try await URLSession.shared.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(String(decoding: data, as: UTF8.self).contains("GeoNames"))
    serving.cancel()
    try await serving.value
    await #expect(throws: (any Error).self) { try await URLSession.shared.data(from: url) }
  }

  @Test func saysThatThePortIsTaken() async throws {
    let parts = try await Website.make().parts
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let first = Task {
      try await WebServer(parts, host: "127.0.0.1", port: 0).run { continuation.yield($0) }
    }
    var iterator = addresses.makeAsyncIterator()
    let address = try #require(await iterator.next())
    let port = try #require(URL(string: address)?.port.flatMap(UInt16.init(exactly:)))
    let failure = await #expect(throws: WebServer.Failure.self) {
      try await WebServer(parts, host: "127.0.0.1", port: port).run { _ in }
    }
    #expect(failure?.description.contains("127.0.0.1:\(port)") == true)
    first.cancel()
    try await first.value
  }

  @Test(arguments: ["nowhere.example", "300.1.1.1", "", ":::"])
  func takesNumericAddressesOnly(_ host: String) async throws {
    let parts = try await Website.make().parts
    await #expect(throws: WebServer.Failure.notAnAddress(host)) {
      try await WebServer(parts, host: host, port: 0).run { _ in }
    }
  }
}
