import FaketrackServer
import FaketrackTestSupport
import Foundation
import Testing

/// The framing of responses, over loopback.
@Suite struct ResponseTests {
  private static let closing = "Host: a\r\nConnection: close\r\n\r\n"

  private func site(_ response: WebResponse) -> Site {
    Site(bodyLimit: { _ in 0 }) { _ in response }
  }

  private func answer(
    _ response: WebResponse, to start: String = "GET / HTTP/1.1"
  ) async throws -> (head: String, body: String) {
    try await HTTPServer.run(site(response)) { server in
      let received = try await RawConnection.exchange(
        with: server, start + "\r\n" + Self.closing)
      let end = try #require(received.range(of: "\r\n\r\n"))
      return (String(received[..<end.lowerBound]) + "\r\n", String(received[end.upperBound...]))
    }
  }

  @Test func aWholeAnswerHasItsLength() async throws {
    let (head, body) = try await answer(
      WebResponse(.notFound, headers: ["X-Test": "y"], body: .bytes(Array("hello".utf8))))
    #expect(head.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
    #expect(head.contains("\r\nX-Test: y\r\n") && head.contains("\r\nContent-Length: 5\r\n"))
    #expect(body == "hello")
  }

  @Test(arguments: [WebResponse.Status.noContent, .notModified])
  func someAnswersHaveNoBody(_ status: WebResponse.Status) async throws {
    let (head, body) = try await answer(WebResponse(status, body: .bytes([1, 2, 3])))
    #expect(!head.contains("Content-Length") && !head.contains("Transfer-Encoding"))
    #expect(body.isEmpty)
  }

  @Test func theAnswerToHeadHasTheLengthAndNoBody() async throws {
    let whole = try await answer(
      WebResponse(.ok, body: .bytes(Array("hello".utf8))), to: "HEAD / HTTP/1.1")
    #expect(whole.head.contains("\r\nContent-Length: 5\r\n") && whole.body.isEmpty)
    let known = try await answer(
      WebResponse(.ok, headers: ["Content-Length": "7"]), to: "HEAD / HTTP/1.1")
    #expect(known.head.contains("\r\nContent-Length: 7\r\n") && known.body.isEmpty)
    let count = EndlessPieces.Count()
    let stream = try await answer(
      WebResponse(.ok, body: .stream(EndlessPieces(size: 1, count: count))), to: "HEAD / HTTP/1.1")
    #expect(stream.head.hasPrefix("HTTP/1.1 200 OK\r\n") && stream.body.isEmpty)
    #expect(count.value == 0)
  }

  @Test func aLargeAnswerArrivesWhole() async throws {
    try await HTTPServer.run(.sending(3_000_001)) { server in
      let received = try await RawConnection.exchange(
        with: server, "GET / HTTP/1.1\r\n" + Self.closing)
      let body = try #require(received.components(separatedBy: "\r\n\r\n").last)
      #expect(body.utf8.count == 3_000_001 && body.utf8.allSatisfy { $0 == UInt8(ascii: "a") })
    }
  }

  private func pieces(
    _ texts: [String], error: (any Error)? = nil
  ) -> AsyncThrowingStream<[UInt8], any Error> {
    AsyncThrowingStream { continuation in
      for text in texts { continuation.yield(Array(text.utf8)) }
      continuation.finish(throwing: error)
    }
  }

  @Test func aStreamComesInChunks() async throws {
    let (head, body) = try await answer(WebResponse(.ok, body: .stream(pieces(["ab", "cde"]))))
    #expect(head.contains("\r\nTransfer-Encoding: chunked\r\n") && !head.contains("Content-Length"))
    #expect(body == "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n")
  }

  @Test func aStreamToHTTP10IsNotChunked() async throws {
    let (head, body) = try await answer(
      WebResponse(.ok, body: .stream(pieces(["ab", "cde"]))), to: "GET / HTTP/1.0")
    #expect(!head.contains("Transfer-Encoding") && head.contains("\r\nConnection: close\r\n"))
    #expect(body == "abcde")
  }

  @Test func anErrorCutsAStreamOff() async throws {
    let (_, chunks) = try await answer(
      WebResponse(.ok, body: .stream(pieces(["ab"], error: CancellationError()))))
    #expect(chunks == "2\r\nab\r\n")
    let (head, body) = try await answer(
      WebResponse(
        .ok, headers: ["Content-Length": "100"],
        body: .stream(pieces(["ab"], error: CancellationError()))))
    #expect(head.contains("\r\nContent-Length: 100\r\n") && !head.contains("chunked"))
    #expect(body == "ab")
  }

  @Test func anErrorInsteadOfAnAnswerEndsTheConnection() async throws {
    let site = Site(bodyLimit: { _ in 0 }) { _ in throw CancellationError() }
    try await HTTPServer.run(site) { server in
      let received = try await RawConnection.exchange(
        with: server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(received.isEmpty)
    }
  }

  @Test func aLineBreakCannotGetIntoTheHead() async throws {
    try await HTTPServer.run(site(WebResponse(.ok, headers: ["X": "a\r\nSet-Cookie: b"]))) {
      server in
      let received = try await RawConnection.exchange(
        with: server, "GET / HTTP/1.1\r\n" + Self.closing)
      #expect(!received.contains("Set-Cookie"))
    }
  }

  @Test func disconnectingCancelsTheAnswer() async throws {
    let latch = Latch()
    var limits = ServerLimits.withoutTimeouts
    limits.closingTime = .milliseconds(50)
    try await HTTPServer.run(.stuck(latch), limits: limits) { server in
      try await RawConnection.run(to: server) { connection in
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await latch.waitFor(1)
      }
      // Returns once the answer was canceled.
      await latch.hold()
    }
  }

  @Test func disconnectingCancelsTheStream() async throws {
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let site = Site.streaming {
      let (pieces, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
      continuation.onTermination = { _ in end.finish() }
      continuation.yield([UInt8(ascii: "a")])
      return pieces
    }
    try await HTTPServer.run(site) { server in
      try await RawConnection.run(to: server) { connection in
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try await connection.read(to: "1\r\na\r\n")
      }
      for await _ in ends {}
    }
  }

  @Test func stoppingEndsStreams() async throws {
    try await HTTPServer.run(
      .streaming { AsyncThrowingStream { $0.yield([UInt8(ascii: "a")]) } }
    ) { server in
      try await RawConnection.run(to: server) { connection in
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try await connection.read(to: "1\r\na\r\n")
        server.stop()
        await server.end()
        #expect(try await connection.readToEnd().isEmpty)
      }
    }
  }
}
