import FaketrackServer
import FaketrackTestSupport
import Foundation
import Testing

/// The limits of a server over loopback; timeouts are in `DeadlineTests`.
@Suite struct LimitTests {
  private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits.withoutTimeouts
    change(&limits)
    return limits
  }

  private func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  // MARK: Size

  @Test(arguments: [
    (8_191, 0, 0, 200), (8_192, 0, 0, 414), (40_000, 0, 0, 414), (1_000_000, 0, 0, 414),
    (0, 1, 24_000, 200), (0, 1, 33_000, 431), (0, 1, 1_000_000, 431), (0, 90, 300, 200),
    (0, 90, 400, 431), (0, 99, 1, 200), (0, 100, 1, 431), (0, 10_000, 1, 431),
  ])
  func theHeadHasItsLimits(target: Int, fields: Int, length: Int, status: Int) async throws {
    try await HTTPServer.run(.echo()) { server in
      var head = "GET /\(letters(target)) HTTP/1.1\r\nHost: a\r\n"
      for _ in 0..<fields { head += "X: \(letters(length))\r\n" }
      // All of it is sent before the answer is read, which has to come through all the same.
      let received = try await RawConnection.run(to: server) { connection in
        try await connection.send(head + "\r\n")
        return try await connection.read(to: "\r\n\r\n")
      }
      #expect(received.hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  @Test func aLineWithoutEndIsAnswered() async throws {
    try await HTTPServer.run(.echo()) { server in
      let received = try await RawConnection.exchange(with: server, "GET /" + letters(5_000_000))
      #expect(received.hasPrefix("HTTP/1.1 414 "))
    }
  }

  @Test func trailersCountToo() async throws {
    try await HTTPServer.run(.echo(bodyLimit: 5)) { server in
      let trailers = String(repeating: "X: y\r\n", count: 100)
      let received = try await RawConnection.exchange(
        with: server,
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n")
      #expect(received.hasPrefix("HTTP/1.1 431 "))
    }
  }

  @Test func aBodyThatIsTooLongIsReadToTheEndOfTheAnswer() async throws {
    try await HTTPServer.run(.echo(bodyLimit: 1_000)) { server in
      for head in [
        "Content-Length: 5000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n4C4B40\r\n",
      ] {
        let received = try await RawConnection.exchange(
          with: server,
          "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + head + letters(5_000_000))
        #expect(received.hasPrefix("HTTP/1.1 200 ") && received.hasSuffix("(too long)\n"))
        #expect(received.contains("\r\nConnection: close\r\n"))
      }
    }
  }

  @Test func bodiesShareTheMemory() async throws {
    let latch = Latch()
    let site = Site(bodyLimit: { _ in 900 }) { _ in
      await latch.hold()
      return WebResponse(.ok)
    }
    try await HTTPServer.run(site, limits: limits { $0.bodies = 1_000 }) { server in
      let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n" + letters(900)
      try await RawConnection.run(to: server) { first in
        try await first.send(request)
        await latch.waitFor(1)
        // The second body does not fit beside the first, which is being answered.
        let second = try await RawConnection.exchange(with: server, request)
        #expect(second.hasPrefix("HTTP/1.1 503 ") && second.contains("\r\nRetry-After: 1\r\n"))
        await latch.open()
        _ = try await first.read(to: "\r\n\r\n")
      }
      let later = try await RawConnection.run(to: server) { connection in
        try await connection.send(request)
        return try await connection.read(to: "\r\n\r\n")
      }
      #expect(later.hasPrefix("HTTP/1.1 200 "), "an answer frees the memory of its body")
    }
  }

  // MARK: Number

  @Test func theLongestIdleConnectionIsClosed() async throws {
    try await HTTPServer.run(.echo(), limits: limits { $0.connections = 2 }) { server in
      try await RawConnection.run(to: server) { first in
        try await first.send(Self.request)
        _ = try await first.read(to: "of a: \n")
        try await RawConnection.run(to: server) { second in
          try await second.send(Self.request)
          _ = try await second.read(to: "of a: \n")
          try await RawConnection.run(to: server) { third in
            try await third.send(Self.request)
            _ = try await third.read(to: "of a: \n")
            try await second.send(Self.request)
            _ = try await second.read(to: "of a: \n")
          }
        }
        #expect(try await first.readToEnd().isEmpty)
      }
    }
  }

  @Test func connectionsInUseAreNotClosed() async throws {
    let latch = Latch()
    let site = Site(bodyLimit: { _ in 0 }) { _ in
      await latch.hold()
      return WebResponse(.ok)
    }
    try await HTTPServer.run(site, limits: limits { $0.connections = 1 }) { server in
      try await RawConnection.run(to: server) { first in
        try await first.send(Self.request)
        await latch.waitFor(1)
        for _ in 0..<3 {
          let second = try await RawConnection.exchange(with: server, Self.request)
          #expect(second.hasPrefix("HTTP/1.1 503 ") && second.contains("\r\nRetry-After: 1\r\n"))
        }
        await latch.open()
        _ = try await first.read(to: "\r\n\r\n")
      }
    }
  }

  @Test(arguments: ["", "GET / HTTP/1.1\r\nHost:"])
  func idleConnectionsDoNotBlockOthers(_ start: String) async throws {
    try await HTTPServer.run(.echo(), limits: limits { $0.connections = 10 }) { server in
      let idle = try await RawConnection.open(60, to: server, sending: start)
      for _ in 0..<5 {
        let received = try await RawConnection.exchange(
          with: server, "GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(received.hasSuffix("GET /end of a: \n"))
      }
      for channel in idle.prefix(50) { try await channel.closeFuture.get() }
      for channel in idle.suffix(10) { channel.close(promise: nil) }
    }
  }

  // MARK: Time

  @Test func missingInputTimesOut() async throws {
    let headers = limits { $0.headerTime = .milliseconds(50) }
    try await HTTPServer.run(.echo(), limits: headers) { server in
      let silence = try await RawConnection.run(to: server) { try await $0.readToEnd() }
      #expect(silence.isEmpty)
    }
    let bodies = limits { $0.bodyTime = .milliseconds(50) }
    try await HTTPServer.run(.echo(bodyLimit: 10), limits: bodies) { server in
      let body = try await RawConnection.exchange(
        with: server, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx")
      #expect(body.hasPrefix("HTTP/1.1 408 ") && body.contains("\r\nConnection: close\r\n"))
    }
  }

  @Test func anIdleConnectionTimesOut() async throws {
    let limits = limits { $0.idleTime = .milliseconds(50) }
    try await HTTPServer.run(.echo(), limits: limits) { server in
      let received = try await RawConnection.exchange(with: server, Self.request)
      #expect(received.hasSuffix("GET / of a: \n"))
    }
  }

  @Test func aMissingAnswerTimesOut() async throws {
    let latch = Latch()
    let limits = limits { $0.answerTime = .milliseconds(50) }
    try await HTTPServer.run(.stuck(latch), limits: limits) { server in
      let received = try await RawConnection.exchange(with: server, Self.request)
      #expect(received.hasPrefix("HTTP/1.1 503 ") && received.contains("\r\nRetry-After: 1\r\n"))
      // Returns once the answer was canceled.
      await latch.hold()
    }
  }
}

@Suite struct ListeningTests {
  @Test(arguments: ["", "nowhere.example", "300.1.1.1", "1.2.3", "0x7f.1", ":::", "localhost"])
  func onlyNumericAddressesAreListenedOn(_ host: String) async throws {
    await #expect {
      _ = try await HTTPServer(listeningOn: host, port: 0, site: .echo())
    } throws: { error in
      if case HTTPServer.ListenError.notAnAddress = error { true } else { false }
    }
  }

  @Test func aPortThatIsTakenIsAnError() async throws {
    try await HTTPServer.run(.echo()) { server in
      _ = await #expect {
        _ = try await HTTPServer(listeningOn: "127.0.0.1", port: server.port, site: .echo())
      } throws: { error in
        if case HTTPServer.ListenError.failed("Address already in use") = error {
          true
        } else {
          false
        }
      }
    }
  }

  @Test func itsPortIsFreeOnceItHasEnded() async throws {
    let port = try await HTTPServer.run(.echo()) { $0.port }
    let again = try await HTTPServer(listeningOn: "127.0.0.1", port: port, site: .echo())
    #expect(again.port == port)
    again.stop()
    await again.end()
  }

  @Test func listensOnIPv6() async throws {
    let server: HTTPServer
    do {
      server = try await HTTPServer(listeningOn: "::1", port: 0, site: .echo())
    } catch HTTPServer.ListenError.failed {
      // Some machines have none.
      return
    }
    #expect(server.port > 0)
    server.stop()
    await server.end()
  }
}
