import FaketrackServer
import Foundation
import Testing

/// The parsing of requests, over loopback.
@Suite struct RequestTests {
  private static let host = "Host: a\r\n"

  private func status(_ answer: String) -> Substring {
    answer.prefix { $0 != "\r\n" }
  }

  @Test(arguments: [
    ("GET /a?b=c HTTP/1.1\r\nHost: a\r\n", "GET /a?b=c of a: \n"),
    ("GET / HTTP/1.1\r\nhOST:  a  \r\n", "GET / of a: \n"),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n", "GET / of a: \n"),
    ("GET http://b:8080/c?d HTTP/1.1\r\nHost: a\r\n", "GET /c?d of b:8080: \n"),
    ("GET HTTP://b HTTP/1.1\r\nHost: a\r\n", "GET / of b: \n"),
    ("GET http://b?c HTTP/1.1\r\nHost: a\r\n", "GET /?c of b: \n"),
    ("GET http://b/ HTTP/1.0\r\n", "GET / of b: \n"), ("GET / HTTP/1.0\r\n", "GET / of none: \n"),
    ("OPTIONS * HTTP/1.1\r\nHost: a\r\n", "OPTIONS * of a: \n"),
    ("CONNECT b:80 HTTP/1.1\r\nHost: a\r\n", "CONNECT b:80 of a: \n"),
    ("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n", "GET / of a: \n"),
  ])
  func aValidRequestIsAnswered(_ head: String, answer: String) async throws {
    try await HTTPServer.run(.echo()) { server in
      let received = try await RawConnection.exchange(
        with: server, head + "Connection: close\r\n\r\n")
      #expect(status(received) == "HTTP/1.1 200 OK")
      #expect(received.contains("\r\nConnection: close\r\n"))
      #expect(received.hasSuffix("\r\n\r\n" + answer))
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
    ("GET http://a/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http:///b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http://b@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\u{1}c\r\n\r\n", 400),
    ("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400), ("hello\r\n\r\n", 400),
    ("\u{16}\u{3}\u{1}\u{0}\u{1}\r\n\r\n", 400), ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /\r\n\r\n", 505), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505), ("GET / HTTP/3\r\nHost: a\r\n\r\n", 505),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nx", 400),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ),
    ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nx", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n", 400),
    (
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx", 400
    ),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: tea\r\n\r\nx", 417),
  ])
  func anInvalidRequestEndsTheConnection(_ request: String, status code: Int) async throws {
    let log = RequestLog()
    try await HTTPServer.run(.echo(bodyLimit: 100, log: log)) { server in
      let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"
      let received = try await RawConnection.exchange(with: server, request + next)
      #expect(status(received).hasPrefix("HTTP/1.1 \(code) "))
      #expect(received.contains("\r\nConnection: close\r\n"))
      #expect(received.components(separatedBy: "Content-Type:").count == 2, "one answer")
      #expect(log.count == 0)
    }
  }

  @Test func ignoresRequestsAfterConnectionClose() async throws {
    let log = RequestLog()
    try await HTTPServer.run(.echo(log: log)) { server in
      let received = try await RawConnection.exchange(
        with: server,
        """
        GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r
        GET /2 HTTP/1.1\r\nHost: a\r\n\r\n
        """)
      #expect(received.hasSuffix("GET /1 of a: \n"))
      #expect(log.count == 1)
    }
  }

  @Test func aConnectionIsKeptForTheNextRequest() async throws {
    try await HTTPServer.run(.echo()) { server in
      try await RawConnection.run(to: server) { connection in
        for number in 1...3 {
          try await connection.send("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
          let answer = try await connection.read(to: "of a: \n")
          #expect(answer.contains("GET /\(number) ") && !answer.contains("Connection:"))
        }
        // HTTP/1.0 requires it to be requested and confirmed.
        try await connection.send("GET /4 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let answer = try await connection.read(to: "of none: \n")
        #expect(answer.contains("\r\nConnection: keep-alive\r\n"))
        try await connection.send("GET /5 HTTP/1.0\r\n\r\n")
        #expect(try await connection.readToEnd().contains("\r\nConnection: close\r\n"))
      }
    }
  }

  @Test func requestsSentAheadAreAnsweredInOrder() async throws {
    try await HTTPServer.run(.echo(bodyLimit: 10)) { server in
      var requests = ""
      for number in 1...200 {
        requests += "POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
      }
      requests += "GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      let received = try await RawConnection.exchange(with: server, requests)
      let answers = received.matches(of: /(?:POST|GET) (\/\w+) of a: (.*)\n/)
      #expect(answers.map { String($0.1) } == (1...200).map { "/\($0)" } + ["/end"])
      #expect(answers.dropLast().allSatisfy { $0.2 == "{}" })
    }
  }

  @Test func anInvalidRequestAfterAValidOneGetsItsAnswerInItsTurn() async throws {
    try await HTTPServer.run(.echo()) { server in
      let received = try await RawConnection.exchange(
        with: server, "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n")
      let second = try #require(received.range(of: "HTTP/1.1 400 "))
      let first = try #require(received.range(of: "GET /1 of a: \n"))
      #expect(first.upperBound == second.lowerBound)
    }
  }

  @Test func aClientThatClosedItsSideGetsTheAnswer() async throws {
    try await HTTPServer.run(.echo()) { server in
      try await RawConnection.run(to: server) { connection in
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.finish()
        #expect(try await connection.readToEnd().hasSuffix("GET / of a: \n"))
      }
      try await RawConnection.run(to: server) { connection in
        try await connection.send("GET / HTTP/1.1\r\nHost:")
        connection.finish()
        #expect(try await connection.readToEnd().hasPrefix("HTTP/1.1 400 "))
      }
      try await RawConnection.run(to: server) { connection in
        connection.finish()
        let received = try await connection.readToEnd()
        #expect(received.isEmpty)
      }
    }
  }
}

@Suite struct RequestBodyTests {
  private static let head = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"

  @Test(arguments: [
    ("Content-Length: 5\r\n\r\nhello", "hello"), ("Content-Length: 0\r\n\r\n", ""), ("\r\n", ""),
    (
      "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n003;x=\"y\"\r\nllo\r\n0\r\nX: y\r\n\r\n",
      "hello"
    ),
    ("transfer-encoding: CHUNKED\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "hello"),
    ("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""),
    ("Content-Length: 6\r\n\r\nhello!", "(too long)"),
    ("Content-Length: 18446744073709551615\r\n\r\n", "(too long)"),
    ("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", "(too long)"),
  ])
  func theSiteGetsTheBodyUpToItsLimit(_ rest: String, body: String) async throws {
    try await HTTPServer.run(.echo(bodyLimit: 5)) { server in
      let received = try await RawConnection.exchange(with: server, Self.head + rest)
      #expect(received.hasSuffix("POST / of a: \(body)\n"))
    }
  }

  @Test func anUnexpectedBodyEndsTheConnection() async throws {
    try await HTTPServer.run(.echo()) { server in
      let received = try await RawConnection.exchange(
        with: server, "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nstart")
      #expect(received.contains("\r\nConnection: close\r\n"))
      #expect(received.hasSuffix("GET / of a: (too long)\n"))
    }
  }

  @Test(arguments: [
    ("100-continue", 5, true), ("100-Continue", 5, true), ("100-continue", 6, false),
  ])
  func answersExpectContinueIfTheBodyIsAccepted(
    _ expectation: String, count: Int, isWanted: Bool
  ) async throws {
    try await HTTPServer.run(.echo(bodyLimit: 5)) { server in
      try await RawConnection.run(to: server) { connection in
        try await connection.send(
          Self.head + "Expect: \(expectation)\r\nContent-Length: \(count)\r\n\r\n")
        if isWanted {
          #expect(try await connection.read(to: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
          try await connection.send("hello")
        }
        let answer = try await connection.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.hasSuffix(isWanted ? "hello\n" : "(too long)\n"))
      }
    }
  }

  @Test func ignoresExpectContinueInHTTP10() async throws {
    try await HTTPServer.run(.echo(bodyLimit: 5)) { server in
      let received = try await RawConnection.exchange(
        with: server,
        "POST / HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello")
      #expect(received.hasPrefix("HTTP/1.1 200 "))
    }
  }
}
