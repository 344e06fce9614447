import FaketrackTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `--control`, `--step` and `--script`: a walk that a program steers.
@Suite struct ControlTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    try home.file("walk.gpx", Track.north(21))
  }

  /// The client of a walk.
  private struct Client {
    let address: URL

    func ask(
      _ method: String, _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> (status: Int, answer: [String: Any]) {
      var request = URLRequest(url: address.appendingPathComponent(path))
      request.httpMethod = method
      request.httpBody = body.map { Data($0.utf8) }
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      let session = URLSession(configuration: .ephemeral)
      defer { session.invalidateAndCancel() }
      let (data, response) = try await session.data(for: request)
      let answer = try #require(
        try JSONSerialization.jsonObject(with: data) as? [String: Any])
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, answer)
    }

    @discardableResult
    func order(_ command: String) async throws -> (status: Int, answer: [String: Any]) {
      try await ask("POST", "commands", #"{"command": "\#(command)"}"#)
    }
  }

  /// Runs the body with the client of a walk, which it ends, and returns the run.
  @discardableResult
  private func steer(
    _ arguments: String..., ends: Bool = true, body: (Client) async throws -> Void
  ) async throws -> ExecutableRun {
    let process = try home.start(
      arguments + ["--photos", "none", "--control", "127.0.0.1:0"])
    try await process.errors.waitFor("control: http://")
    try await process.errors.waitFor("\n")
    let line = try #require(
      process.errors.text.split(separator: "\n").first { $0.hasPrefix("control: ") })
    let client = Client(address: try #require(URL(string: String(line.dropFirst(9)))))
    try await withCleanup {
      try await body(client)
    } cleanup: {
      if ends { process.signal(SIGTERM) }
      _ = await process.result()
    }
    return await process.result()
  }

  @Test func aWalkGoesAsFarAsItIsTold() async throws {
    let run = try await steer(
      "replay", "walk.gpx", "-f", "ndjson", "--step", "--no-cities", ends: false
    ) { walk in
      var (status, state) = try await walk.ask("GET", "state")
      #expect(status == 200)
      #expect(state["state"] as? String == "paused")
      (status, state) = try await walk.order("walk to 1km")
      #expect(status == 200)
      #expect(state["distance"] as? Double == 1_000)
      (status, state) = try await walk.order("advance 100m")
      #expect(state["distance"] as? Double == 1_100)
      (status, state) = try await walk.order("deny")
      #expect(state["permission"] as? String == "denied")
      (status, state) = try await walk.order("walk to 100km")
      #expect(status == 409)
      #expect((state["error"] as? String)?.hasPrefix("the track ends before that, at 3") == true)
      (status, state) = try await walk.order("stop")
      #expect(status == 200)
    }
    #expect(run.code == 0)
    #expect(run.output.split(separator: "\n").count == 11)
  }

  @Test func everyCommandIsTaken() async throws {
    try await steer("replay", "walk.gpx", "--step") { walk in
      for command in [
        "advance 10s", "pause", "speed 100x", "speed 50x over 0.1s", "speed max", "outage 30s",
        "outage", "outage end", "accuracy reduced", "accuracy full", "teleport 52.5,13.4",
        "teleport 52.5, 13.4", "return", "teleport 500m", "deny", "allow", "restricted",
        "authorized", "not-determined", "walk to 20min", "resume", "track walk.gpx",
        "walk to end",
      ] {
        let (status, state) = try await walk.order(command)
        #expect(status == 200, "\(command): \(state)")
      }
    }
  }

  @Test func whatIsNoCommandIsToldWhatOneIs() async throws {
    try await steer("replay", "walk.gpx", "--step") { walk in
      var (status, answer) = try await walk.order("fly")
      #expect(status == 400)
      #expect((answer["error"] as? String)?.contains("commands are walk, advance, pause") == true)
      (status, answer) = try await walk.order("walk 3km")
      #expect(answer["error"] as? String == "Not a command: walk 3km; write walk to 1km|10min|end.")
      for body in [
        "", "walk to 1km", "[]", "{}", #"{"command": 3}"#, String(repeating: " ", count: 9_999),
      ] {
        #expect(try await walk.ask("POST", "commands", body).status == 400)
      }
      #expect(try await walk.ask("POST", "state").status == 405)
      #expect(try await walk.ask("GET", "commands").status == 405)
      #expect(try await walk.ask("GET", "").status == 404)
      (status, answer) = try await walk.order("track none.gpx")
      #expect(status == 409)
      #expect((answer["error"] as? String)?.hasPrefix("none.gpx") == true)
    }
  }

  @Test func pagesCannotSteer() async throws {
    try await steer("replay", "walk.gpx", "--step") { walk in
      let origin = ["Origin": "http://127.0.0.1:1"]
      for (method, path) in [("POST", "commands"), ("GET", "state")] {
        let status = try await walk.ask(
          method, path, method == "POST" ? "{}" : nil, headers: origin
        ).status
        #expect(status == 403)
      }
    }
  }

  @Test func aWalkAtItsPaceIsSteered() async throws {
    try await steer("replay", "walk.gpx", "--speed", "100") { walk in
      let (_, state) = try await walk.order("walk to 50m")
      #expect(state["distance"] as? Double == 50)
      #expect(state["state"] as? String == "paused")
      async let way = walk.order("walk to 1900m")
      var (_, running) = try await walk.ask("GET", "state")
      while running["state"] as? String != "running" {
        (_, running) = try await walk.ask("GET", "state")
      }
      try await walk.order("pause")
      let (status, answer) = try await way
      #expect(status == 409)
      #expect((answer["error"] as? String)?.hasPrefix("another command stopped the walk") == true)
    }
  }

  @Test func thePageShowsWhatItsWalkIsTold() async throws {
    let process = try home.start(
      ["serve", "walk.gpx", "--port", "0", "--photos", "none", "--control", "127.0.0.1:0"])
    try await process.output.waitFor("\n")
    try await process.errors.waitFor("control: http://")
    let line = try #require(
      process.errors.text.split(separator: "\n").first { $0.hasPrefix("control: ") })
    let walk = Client(address: try #require(URL(string: String(line.dropFirst(9)))))
    try await withCleanup {
      var (status, state) = try await walk.order("walk to 300m")
      #expect(status == 200)
      #expect(state["distance"] as? Double == 300)
      #expect(state["state"] as? String == "paused")
      (status, state) = try await walk.order("teleport 1km")
      #expect(status == 200)
      #expect((state["distance"] as? Double).map { abs($0 - 1_000) < 2 } == true)
      (status, state) = try await walk.order("walk to 1200m")
      #expect(state["distance"] as? Double == 1_200)
      (status, state) = try await walk.order("deny")
      #expect(state["permission"] as? String == "denied")
      (status, state) = try await walk.order("walk to 1300m")
      #expect(status == 409)
      #expect(state["error"] as? String == "the permission is missing. Grant it with allow.")
      try await walk.order("allow")
      (status, state) = try await walk.order("walk to 1300m")
      #expect(state["distance"] as? Double == 1_300)
      (status, state) = try await walk.order("track walk.gpx")
      #expect(status == 200)
      (status, state) = try await walk.order("advance 10s")
      #expect(state["elapsed"] as? Double == 10)
    } cleanup: {
      process.signal(SIGINT)
      _ = await process.result()
    }
  }

  @Test func aSocketIsForTheUserAloneAndGoneAtTheEnd() async throws {
    let path = home.path("walk.sock")
    let process = try home.start(
      ["replay", "walk.gpx", "--photos", "none", "--step", "--control", "unix:walk.sock"])
    try await process.errors.waitFor("walking: ")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
    #expect(attributes[.type] as? FileAttributeType == .typeSocket)
    process.signal(SIGTERM)
    _ = await process.result()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aFileInThePlaceOfTheSocketIsKept() async throws {
    try home.file("walk.sock", "mine")
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "--step", "--control", "unix:walk.sock")
    #expect(run.code == 1)
    #expect(
      run.errorLines.contains(
        "error: --control cannot listen at unix:walk.sock: address already in use"))
    #expect(home.text(of: "walk.sock") == "mine")
  }

  @Test(arguments: [
    (["--step"], "--step waits for commands: add --control"),
    (["--control", "0.0.0.0:80"], "expected an address of this machine"),
    (["--control", "unix:"], "expected an address of this machine"),
    (["--control", "127.0.0.1:0", "-f", "html"], "--control steers the track of a file"),
  ])
  func refusesWhatDoesNotGoTogether(arguments: [String], words: String) async throws {
    let run = try await home.run(["replay", "walk.gpx", "--photos", "none"] + arguments)
    #expect(run.code == 64)
    #expect(run.errors.contains(words))
  }

  @Test func aScriptTellsWhatHappensOnTheWay() async throws {
    try home.file(
      "script",
      """
      # the way to work
      200m denied
      400m authorized
      600m outage 100s
      1km teleport 52.5,13.4
      1.2km return
      1.5km accuracy reduced
      100m speed 1000x
      1.8km speed max
      """)
    let run = try await home.run(
      "replay", "walk.gpx", "--photos", "none", "-f", "ndjson", "--events", "--no-cities",
      "--script", "script")
    #expect(run.code == 0)
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.compactMap { $0.firstMatch(of: #/"event":"([a-z-]+)"/#)?.1 }
        == ["denied", "authorized", "signal-lost", "signal-restored"])
    #expect(lines.filter { $0.contains(#""longitude":13.4,"#) }.count == 2)
  }
}
