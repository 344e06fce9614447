import FaketrackCompression
import FaketrackTestSupport
import Foundation
import Locations
import Testing

@testable import FaketrackServices

/// The network transport with services that violate HTTP or never finish.
@Suite struct MisbehavingServiceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [RawServer.Step]
    var words = ""
  }

  private static let begun = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
  private static let manyZeros = Data(Gzip.compressed([UInt8](repeating: 0, count: 4 << 20)))

  // MARK: - Answers that fail immediately

  #if os(Linux)
    static let brokenAnswers = [
      Case(
        testDescription: "closed immediately", steps: [],
        words: "cannot be reached: the connection ended without an answer"),
      Case(
        testDescription: "only interim answers", steps: [.send("HTTP/1.1 100 Continue\r\n\r\n")],
        words: "cannot be reached: the connection ended without an answer"),
      Case(
        testDescription: "reset immediately", steps: [.reset],
        words: "cannot be reached: the connection was lost"),
      Case(
        testDescription: "reset amid the body",
        steps: [.send("\(begun)Content-Length: 99\r\n\r\n[1,"), .reset],
        words: "cannot be reached: the connection was lost"),
      Case(
        testDescription: "shorter than announced", steps: [.answer("[1]", announced: 99)],
        words: "cannot be reached: the answer is cut off"),
      Case(
        testDescription: "chunks without an end",
        steps: [.send("\(begun)Transfer-Encoding: chunked\r\n\r\n5\r\n[1]")],
        words: "cannot be reached: the answer is cut off"),
      Case(
        testDescription: "shorter than announced by far",
        steps: [.answer("[1]", announced: .max)],
        words: "cannot be reached: the answer is cut off"),
      Case(
        testDescription: "only a status", steps: [.send("HTTP/1.1 200 OK\r\n")],
        words: "cannot be reached: the answer is cut off"),
      Case(
        testDescription: "half a header", steps: [.send("HTTP/1.1 200 OK\r\nX-A: b\r\nX-")],
        words: "cannot be reached: the answer is cut off"),
      Case(
        testDescription: "half a header after an interim answer",
        steps: [.send("HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\n")],
        words: "cannot be reached: the answer is cut off"),
      Case(
        testDescription: "zeros in the header",
        steps: [.send("HTTP/1.1 200 OK\r\n\0\0: x\r\n\r\n")],
        words: "cannot be reached: the answer is cut off"),
      Case(
        testDescription: "interim answers without an end",
        steps: [.sendForever("HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n")],
        words: "cannot be reached: the header of the answer has no end"),
      Case(
        testDescription: "a header without an end",
        steps: [.send("HTTP/1.1 200 OK\r\n"), .sendForever("X-Field: some value\r\n")],
        words: "cannot be reached: the header of the answer has no end"),
      Case(
        testDescription: "a header line without an end",
        steps: [.send("HTTP/1.1 200 OK\r\nX-Field: "), .sendForever("some value")],
        words: "cannot be reached: the header of the answer has no end"),
      Case(
        testDescription: "a body without an end",
        steps: [.send("\(begun)\r\n"), .sendForever("[1,1,1,1")],
        words: "sent more than 1048576 bytes"),
      Case(
        testDescription: "a small body that unpacks to a large one",
        steps: [.send("\(begun)Content-Encoding: gzip\r\n\r\n"), .send(manyZeros)],
        words: "sent more than 1048576 bytes"),
      Case(
        testDescription: "a body that is not packed as announced",
        steps: [.answer("[1]", headers: ["Content-Encoding: gzip"])],
        words: "cannot be reached: the answer cannot be unpacked"),
      Case(
        testDescription: "a body that is packed in an unknown way",
        steps: [.answer("[1]", headers: ["Content-Encoding: sponge"])],
        words: "cannot be reached: the answer cannot be unpacked"),
      Case(
        testDescription: "another protocol", steps: [.send("SSH-2.0-OpenSSH_9.2\r\n")],
        words: "cannot be reached: the answer is not HTTP"),
      Case(
        testDescription: "a header that is not one",
        steps: [.send("HTTP/1.1 200 OK\r\nnothing\r\n\r\n[1]")],
        words: "cannot be reached: the answer is not HTTP"),
      Case(
        testDescription: "asked for a password",
        steps: [
          .answer(
            "no", status: "401 Unauthorized", headers: ["WWW-Authenticate: Basic realm=\"a\""])
        ], words: "answered HTTP 401"),
    ]

    @Test(arguments: brokenAnswers) func describesTheError(of broken: Case) async throws {
      try await RawServer.run({ _, _ in broken.steps }) { server in
        #expect(await error(of: server)?.description == "Service \(broken.words)")
      }
    }
  #endif

  @Test func sendsTheKeyToNoOtherHost() async throws {
    // Both names are this server's, but only one was asked.
    let script: RawServer.Script = { header, server in
      let query = header.split(separator: " ")[1].split(separator: "?").last ?? ""
      let target = "http://localhost:\(server.port ?? 0)/TOPSECRET/b?\(query)"
      return [.answer(status: "302 Found", headers: ["Location: \(target)"])]
    }
    try await RawServer.run(script) { server in
      let target = "http://localhost:\(server.url.port ?? 0)/***/b"
      #expect(
        await error(of: server)?.description
          == "Service answered HTTP 302: it redirects to another host: \(target)")
      #expect(server.headers.count == 1)
    }
  }

  /// Asks the server once, with a key.
  private func error(of server: RawServer) async -> ServiceError? {
    let profile = ServiceProfile(
      name: "Service", concurrency: 1, userAgent: "a", attempts: 1)
    let client = ServiceClient(
      profile,
      in: ServiceEnvironment(fetcher: NetworkFetcher(idleTimeout: .seconds(60))))
    let request = ServiceRequest(
      server.url.appending(path: "a"), query: [QueryItem("key", Secret("TOPSECRET"))],
      maximumBodySize: 1 << 20)
    do {
      _ = try await client.send(request) { $0.body }
      return nil
    } catch {
      return error as? ServiceError
    }
  }

  // MARK: - Answers that never end

  static let endlessAnswers = [
    Case(testDescription: "nothing", steps: []),
    Case(testDescription: "half a header", steps: [.send("HTTP/1.1 200 OK\r\nX-A: b\r\n")]),
    Case(testDescription: "interim answers", steps: [.send("HTTP/1.1 103 Hints\r\n\r\n")]),
    Case(testDescription: "a body", steps: [.answer("[1,", announced: 99)]),
    Case(
      testDescription: "a body of chunks",
      steps: [
        .send("\(begun)Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n")
      ]),
    Case(
      testDescription: "a redirect's body",
      steps: [
        .answer("moved", status: "302 Found", headers: ["Location: /b"], announced: 99)
      ]),
  ]

  @Test(arguments: endlessAnswers) func endsAtTheDeadline(for endless: Case) async throws {
    let clock = VirtualClock()
    let fetcher = NetworkFetcher(idleTimeout: .seconds(600), clock: clock)
    try await RawServer.run({ _, _ in endless.steps + [.waitForTheClient] }) { server in
      async let failure = failure(of: ServiceRequest(server.url), fetcher)
      await server.waitForRequests(1)
      clock.advance(by: .seconds(30))
      #expect(await failure == .overdue(limit: .seconds(30)))
    }
  }

  @Test func aFileThatIsTooSlowFailsEarly() async throws {
    let clock = VirtualClock()
    let fetcher = NetworkFetcher(idleTimeout: .seconds(600), clock: clock)
    try await RawServer.run(
      { _, _ in [.answer("[1,", announced: 99), .waitForTheClient] }
    ) { server in
      async let failure = failure(of: .file(server.url, maximumSize: 99), fetcher)
      await server.waitForRequests(1)
      clock.advance(by: .seconds(30))
      #expect(await failure == .tooSlow(bytes: 32 << 10, interval: .seconds(30)))
    }
  }

  @Test func theBodyOfARedirectIsNotReadToItsEnd() async throws {
    let script: RawServer.Script = { header, _ in
      header.hasPrefix("GET /b")
        ? [.answer("1")]
        : [.send("HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n"), .sendForever("moved")]
    }
    try await RawServer.run(script) { server in
      let response = try await NetworkFetcher().fetch(ServiceRequest(server.url))
      #expect(response.body == Data("1".utf8))
    }
  }

  private func failure(
    of request: ServiceRequest, _ fetcher: NetworkFetcher
  ) async -> HTTPFailure? {
    do {
      _ = try await fetcher.fetch(request)
      return nil
    } catch {
      return error as? HTTPFailure
    }
  }
}
