import FaketrackTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `--verbose`, `--log` and `--log-level`, on every command that talks to a service.
@Suite struct ServiceOptionTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(3))
  }

  private static let items = #"[{"id":684,"listId":1,"name":"Item 684"}]"#
  private static let cities = #"[{"_id":7,"name":"Here","coord":{"lat":52.0,"lon":13.0}}]"#

  /// Responds like each of the services.
  private static let services: StubServer.Handler = { request in
    switch request.path {
    case "/items.json": .answer(body: Data(items.utf8))
    case "/cities.json": .answer(body: Data(cities.utf8))
    case "/w/api.php": await CommonsStub()(request)
    default: await WikipediaStub()(request)
    }
  }

  private func options(_ server: StubServer) -> ExecutableProcess.Options {
    .init(
      environment: [
        "FAKETRACK_WIKIPEDIA_URL": "\(server.url)",
        "FAKETRACK_COMMONS_URL": "\(server.url)w/api.php",
      ])
  }

  /// The levels of the records in the log.
  private func levels() throws -> [String?] {
    try home.text(of: "log").split(separator: "\n").map { line in
      let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return record?["level"] as? String
    }
  }

  @Test(
    arguments: [
      ("lists SERVERitems.json", "127.0.0.1"), ("cities import SERVERcities.json", "127.0.0.1"),
      ("cities show 2852458", "Wikipedia"),
      ("replay walk.gpx --photos commons", "Wikimedia Commons"),
    ])
  func everyCommandTellsItsCalls(command: String, service: String) async throws {
    try await StubServer.run(Self.services) { server in
      let words = command.replacing("SERVER", with: "\(server.url)").split(separator: " ")
      let run = try await home.run(
        words.map(String.init) + ["--verbose", "--log", "log"], options(server))
      #expect(run.code == 0)
      let calls = run.errorLines.filter { $0.hasPrefix("call: ") }
      #expect(!calls.isEmpty && calls.count == server.requests.count)
      #expect(calls.allSatisfy { $0.hasPrefix("call: \(service) http://127.0.0.1:") })
      #expect(try levels() == calls.map { _ in "debug" })
    }
  }

  @Test func thePageTellsItsCalls() async throws {
    try await StubServer.run(Self.services) { server in
      let process = try home.start(
        ["serve", "--port", "0", "--photos", "none", "--verbose", "--log", "log"],
        options(server))
      try await withCleanup {
        try await process.output.waitFor("\n")
        let address = process.output.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let page = try #require(URL(string: "\(address)cities/2852458"))
        _ = try await URLSession.shared.data(from: page)
        try await process.errors.waitFor("call: Wikipedia ")
      } cleanup: {
        process.signal(SIGINT)
        _ = await process.result()
      }
      #expect(try levels().contains("debug"))
    }
  }

  @Test func withoutTheOptionsNothingIsTold() async throws {
    try await StubServer.run(Self.services) { server in
      let run = try await home.run("lists", "\(server.url)items.json")
      #expect(run.errors == "1 item in 1 list\n")
    }
  }

  @Test(
    arguments: [
      (nil, ["debug", "warning"]), ("debug", ["debug", "warning"]), ("info", ["warning"]),
      ("warning", ["warning"]), ("error", []),
    ] as [(String?, [String])])
  func theLogGetsWhatIsSevereEnough(level: String?, logged: [String]) async throws {
    try Data("not a database, and long enough to be looked at as one".utf8).write(to: home.database)
    try await StubServer.run(Self.services) { server in
      let run = try await home.run(
        ["lists", "\(server.url)items.json", "--log", "log"]
          + (level.map { ["--log-level", $0] } ?? []))
      #expect(run.code == 0)
      #expect(Set(try levels()) == Set(logged))
      // Regardless of the log, stderr shows the error.
      #expect(!run.warnings.isEmpty)
    }
  }
}
