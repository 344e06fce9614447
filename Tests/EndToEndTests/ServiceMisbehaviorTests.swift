import FaketrackCompression
import FaketrackTestSupport
import Foundation
import Testing

/// Services that violate the protocol: each run ends with the right exit code and an error that
/// describes the response.
///
/// Timeouts are tested with the clients, on a virtual clock.
@Suite struct ServiceMisbehaviorTests {
  private static let key = "0123456789abcdef-SECRET"
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: RawServer.Script
    /// The message after the name of the service.
    let words: String

    init(_ description: String, _ words: String, script: @escaping RawServer.Script) {
      testDescription = description
      self.words = words
      self.script = script
    }
  }

  private static let begun = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
  private static let zeros = Data(Gzip.compressed([UInt8](repeating: 0, count: 20 << 20)))

  /// The target of a request, with its query.
  private static func target(of header: String) -> Substring {
    header.split(separator: " ")[1]
  }

  static let cases = [
    Case("a redirect to another host", "answered HTTP 302: it redirects to another host: http://") {
      header, server in
      let port = server.port ?? 0
      return [
        .answer(
          status: "302 Found", headers: ["Location: http://localhost:\(port)\(target(of: header))"])
      ]
    },
    Case("a redirect to itself", "answered HTTP 301: it redirects more than five times: http://") {
      header, _ in
      [.answer(status: "301 Moved", headers: ["Location: \(target(of: header))"])]
    },
    Case("a body without an end", "sent more than ") { _, _ in
      [.send("\(begun)\r\n"), .sendForever("[[[[ 1,")]
    },
    Case("a small body that unpacks to a large one", "sent more than ") { _, _ in
      [.send("\(begun)Content-Encoding: gzip\r\n\r\n"), .send(zeros)]
    },
    Case("a long pause", "answered HTTP 429: it asks for a pause of 601 seconds") { _, _ in
      [.answer(status: "429 Too Many Requests", headers: ["Retry-After: 601"])]
    },
    Case("an endless pause", "answered HTTP 503: it asks for a pause of more than a year") { _, _ in
      [
        .answer(
          status: "503 Service Unavailable", headers: ["Retry-After: 99999999999999999999999"])
      ]
    },
    Case("a demand for a password", "answered HTTP 401") { _, _ in
      [.answer(status: "401 Unauthorized", headers: ["WWW-Authenticate: Basic realm=\"a\""])]
    },
  ]

  @Test(arguments: cases, ["flickr", "commons"])
  func aSearchFails(of misbehavior: Case, provider: String) async throws {
    let title = provider == "flickr" ? "Flickr" : "Wikimedia Commons"
    try await RawServer.run(misbehavior.script) { server in
      let run = try await home.run(
        ["replay", try home.track(12), "--photos", provider, "--format", "ndjson"],
        .init(environment: environment(server)))
      #expect(run.code == 69)
      #expect(run.lines.count == 12)
      #expect(
        try run.records.allSatisfy { $0.error?.hasPrefix("\(title) \(misbehavior.words)") == true })
      #expect(
        run.errors.contains("error: every photo search failed: \(title) \(misbehavior.words)"))
      #expect(!run.output.contains("SECRET") && !run.errors.contains("SECRET"))
      #expect(server.headers.allSatisfy { $0.contains("Host: 127.0.0.1") })
    }
  }

  @Test(arguments: cases) func aSummaryFails(of misbehavior: Case) async throws {
    try await RawServer.run(misbehavior.script) { server in
      let run = try await home.run(
        ["cities", "show", "2852458", "--format", "ndjson"],
        .init(environment: environment(server)))
      #expect(run.code == 0)
      let error = try run.object["error"] as? String
      #expect(error?.hasPrefix("Wikipedia \(misbehavior.words)") == true, "\(error ?? "none")")
    }
  }

  @Test(arguments: cases) func autoIsNotSwapped(after misbehavior: Case) async throws {
    try await RawServer.run(misbehavior.script) { server in
      var variables = environment(server)
      variables["FLICKR_API_KEY"] = nil
      let run = try await home.run(["replay", try home.track(3)], .init(environment: variables))
      #expect(run.code == 69)
      #expect(run.output.isEmpty)
      #expect(
        run.errors.contains(
          "error: every photo search failed: Wikimedia Commons \(misbehavior.words)"))
    }
  }

  @Test func aConnectionThatEndsWithinTheHeaderIsTriedAgain() async throws {
    try await RawServer.run({ _, _ in [.send("HTTP/1.1 200 OK\r\nX-A: b\r\n")] }) { server in
      let run = try await home.run(
        ["replay", try home.track(1), "--photos", "flickr", "--format", "ndjson"],
        .init(environment: environment(server)))
      #expect(run.code == 69)
      #expect(
        try run.records.map(\.error)
          == ["Flickr cannot be reached: the answer is cut off (4 attempts)"])
      #expect(server.headers.count == 4)
    }
  }

  private func environment(_ server: RawServer) -> [String: String] {
    [
      "FLICKR_API_KEY": Self.key, "FAKETRACK_FLICKR_URL": "\(server.url)rest/",
      "FAKETRACK_COMMONS_URL": "\(server.url)w/api.php", "FAKETRACK_WIKIPEDIA_URL": "\(server.url)",
    ]
  }
}
