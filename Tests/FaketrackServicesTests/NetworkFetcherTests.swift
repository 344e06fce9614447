import FaketrackTestSupport
import Foundation
import Testing

@testable import FaketrackServices

@Suite struct NetworkFetcherTests {
  private let fetcher = NetworkFetcher(idleTimeout: .seconds(20))

  private func failure(_ request: ServiceRequest) async -> HTTPFailure? {
    do {
      _ = try await fetcher.fetch(request)
      return nil
    } catch {
      return error as? HTTPFailure
    }
  }

  @Test func sendsTheRequestAndReadsTheAnswer() async throws {
    try await StubServer.run { _ in
      .json(#"{"a":1}"#, status: 503, headers: ["Retry-After": "7"])
    } _: { server in
      let request = ServiceRequest(
        server.url.appending(path: "rest"),
        query: [QueryItem("q", "a b|ü+"), QueryItem("key", Secret("k"))],
        headers: ["User-Agent": "agent/1 (contact) lib/2"])
      let response = try await fetcher.fetch(request)
      #expect(response.status == 503)
      #expect(response.header("retry-after") == "7")
      #expect(String(decoding: response.body, as: UTF8.self) == #"{"a":1}"#)
      let received = try #require(server.requests.first)
      #expect(received.method == "GET")
      #expect(received.path == "/rest")
      #expect(received.query == ["q": "a b|ü+", "key": "k"])
      #expect(received.header("User-Agent") == "agent/1 (contact) lib/2")
      #expect(received.header("Accept-Encoding")?.contains("gzip") == true)
      #expect(received.header("Cookie") == nil)
    }
  }

  @Test(arguments: [
    ("b", "/a/b"), ("./b?c=d", "/a/b"), ("../b", "/b"), ("/b", "/b"), ("b%2Fc", "/a/b%2Fc"),
  ])
  func followsARedirectThatIsRelative(location: String, path: String) async throws {
    try await StubServer.run { request in
      request.path == "/a/start"
        ? .answer(status: 302, headers: ["Location": location], body: Data("moved".utf8))
        : .answer(body: Data(request.path.utf8))
    } _: { server in
      let response = try await fetcher.fetch(ServiceRequest(server.url.appending(path: "a/start")))
      #expect(response.status == 200)
      #expect(String(decoding: response.body, as: UTF8.self) == path)
    }
  }

  @Test func unpacksGzip() async throws {
    let packed = try #require(
      Data(base64Encoded: "H4sIAAAAAAACAytPzMlWKB8lRolRYjgTAAXRHnfoAwAA"))
    try await StubServer.run { _ in
      .answer(headers: ["Content-Encoding": "gzip"], body: packed)
    } _: { server in
      let response = try await fetcher.fetch(ServiceRequest(server.url))
      #expect(response.body == Data(String(repeating: "walk ", count: 200).utf8))
      // The limit is on what comes out, not on what comes in.
      let bounded = ServiceRequest(server.url, maximumBodySize: 999)
      #expect(await failure(bounded) == .tooLarge(limit: 999))
    }
  }

  @Test func limitsTheBody() async throws {
    try await StubServer.run { _ in
      .answer(body: Data(count: 300_000))
    } _: { server in
      let exact = ServiceRequest(server.url, maximumBodySize: 300_000)
      let whole = try await fetcher.fetch(exact)
      #expect(whole.body.count == 300_000)
      let smaller = ServiceRequest(server.url, maximumBodySize: 299_999)
      #expect(await failure(smaller) == .tooLarge(limit: 299_999))
    }
  }

  @Test func followsRedirectsOnTheSameHostOnly() async throws {
    try await StubServer.run { request in
      switch request.path {
      case "/start": .html(status: 302, headers: ["Location": "/end"])
      case "/away":
        .html(
          "moved", status: 301,
          headers: [
            "Location":
              "http://u:p@localhost:\(request.query["port"] ?? "")/end/TOPSECRET?key=TOPSECRET"
          ])
      case "/loop": .html(status: 302, headers: ["Location": "/loop"])
      default: .json("end")
      }
    } _: { server in
      let start = try await fetcher.fetch(ServiceRequest(server.url.appending(path: "start")))
      #expect(start.body == Data("end".utf8))
      let port = "\(server.url.port ?? 0)"
      let away = ServiceRequest(
        server.url.appending(path: "away"),
        query: [QueryItem("port", port), QueryItem("key", Secret("TOPSECRET"))])
      #expect(
        await failure(away)
          == .redirected(status: 301, to: "http://localhost:\(port)/end/***", .otherHost))
      var anywhere = away
      anywhere.redirects = .anyHost
      let followed = try await fetcher.fetch(anywhere)
      #expect(followed.body == Data("end".utf8))
      let loop = ServiceRequest(server.url.appending(path: "loop"))
      #expect(
        await failure(loop) == .redirected(status: 302, to: "\(server.url)loop", .tooMany))
      #expect(server.requests.count { $0.path == "/loop" } == 6)
    }
  }

  @Test func aRedirectWithoutALocationIsAResponse() async throws {
    try await StubServer.run { _ in
      .html("moved", status: 302)
    } _: { server in
      let response = try await fetcher.fetch(ServiceRequest(server.url))
      #expect(response.status == 302)
    }
  }

  @Test func aLostConnectionIsUnreachable() async throws {
    try await StubServer.run { request in
      request.path == "/half" ? .cutOff(body: Data("{\"a\":".utf8), announced: 100) : .hangUp
    } _: { server in
      for path in ["half", "gone"] {
        let request = ServiceRequest(server.url.appending(path: path))
        guard case .unreachable? = await failure(request) else {
          Issue.record("\(path) is an answer")
          continue
        }
      }
    }
  }

  @Test func aClosedPortIsUnreachable() async {
    // No test can be given the first port, which only the system may open.
    let request = ServiceRequest(URL(literal: "http://127.0.0.1:1/"))
    #expect(await failure(request) == .unreachable("the connection was refused"))
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://host.example/", "http:///nothing", "relative"])
  func rejectsOtherSchemes(address: String) async throws {
    let url = try #require(URL(string: address))
    guard case .unusableAddress? = await failure(ServiceRequest(url)) else {
      Issue.record("\(address) was asked")
      return
    }
  }

  @Test func timesOutWithoutAnyData() async throws {
    let latch = Latch()
    try await StubServer.run { _ in
      await latch.hold()
      return .hangUp
    } _: { server in
      let fetcher = NetworkFetcher(idleTimeout: .milliseconds(200))
      await #expect(throws: HTTPFailure.timedOut) {
        try await fetcher.fetch(ServiceRequest(server.url))
      }
      await latch.open()
    }
  }

  @Test func cancellationEndsTheWait() async throws {
    let latch = Latch()
    try await StubServer.run { _ in
      await latch.hold()
      return .hangUp
    } _: { server in
      let task = Task { try await fetcher.fetch(ServiceRequest(server.url)) }
      await latch.waitFor(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await latch.open()
    }
  }

  /// Fetches and cancels side by side, so that the one meets the other sometimes earlier, sometimes
  /// later.
  private func cancelAtAnyMoment(_ request: ServiceRequest) async {
    for _ in 0..<100 {
      let task = Task { try await fetcher.fetch(request) }
      Task { task.cancel() }
      do {
        #expect(try await task.value.status == 200)
      } catch {
        #expect(error is CancellationError)
      }
    }
  }

  @Test func cancellationDuringARedirectEndsTheTask() async throws {
    try await StubServer.run { request in
      request.path == "/end" ? .json("1") : .html(status: 302, headers: ["Location": "/end"])
    } _: { server in
      await cancelAtAnyMoment(ServiceRequest(server.url))
    }
  }

  @Test func cancellationAtAnyMomentEndsTheTask() async throws {
    try await StubServer.run { _ in
      .json("1")
    } _: { server in
      await cancelAtAnyMoment(ServiceRequest(server.url))
    }
  }

  #if os(Linux)
    @Test func honorsTheProxyVariables() async throws {
      await #expect(processExitsWith: .success) {
        try await StubServer.run { _ in
          .json("through the proxy")
        } _: { server in
          setenv("http_proxy", server.url.absoluteString, 1)
          let request = ServiceRequest(URL(literal: "http://service.example/x"))
          let response = try await NetworkFetcher().fetch(request)
          precondition(response.body == Data("through the proxy".utf8))
        }
      }
    }
  #endif
}
