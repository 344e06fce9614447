import FaketrackTestSupport
import Foundation
import GRDB
import Testing

/// `faketrack doctor`, on healthy and on broken homes.
@Suite struct DoctorTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func run(
    _ environment: [String: String] = [:], port: UInt16? = nil, format: String = "ndjson"
  ) async throws -> ExecutableRun {
    let arguments = ["doctor", "--format", format, "--port", "\(try port ?? Port.free())"]
    return try await home.run(arguments, .init(environment: environment))
  }

  /// Expects one check that is not ok, and returns its text and its hint.
  private func onlyFinding(
    _ check: String, _ state: String, in run: ExecutableRun,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (text: String, hint: String) {
    #expect(run.code == (state == "problem" ? 1 : 0), sourceLocation: sourceLocation)
    let findings = try run.objects.filter { $0["state"] as? String != "ok" }
    #expect(findings.count == 1, "\(run.output)", sourceLocation: sourceLocation)
    let finding = try #require(findings.first, sourceLocation: sourceLocation)
    #expect(finding["check"] as? String == check, sourceLocation: sourceLocation)
    #expect(finding["state"] as? String == state, sourceLocation: sourceLocation)
    return (finding["text"] as? String ?? "", finding["hint"] as? String ?? "")
  }

  @Test func aHealthyHomeIsFine() async throws {
    let run = try await run(format: "text")
    #expect(run.code == 0)
    #expect(run.errors == "13 checks, 0 warnings, 0 problems; no service was called\n")
    #expect(run.lines.allSatisfy { $0.hasPrefix("ok       ") }, "\(run.output)")
    #expect(run.lines.first?.hasPrefix("ok       home        \(home.store.path), ") == true)
    #expect(run.output.contains("\nok       store       none yet\n"))
    #expect(run.output.contains("\nok       cities      234,908 cities, built in, as of 20"))
    #expect(home.names(in: "home").isEmpty)
  }

  @Test func namesTheDecoderOfHEIC() async throws {
    func text(_ environment: [String: String]) async throws -> String? {
      let findings = try await run(environment).objects
      return findings.first { $0["check"] as? String == "heic" }?["text"] as? String
    }
    let stub = try HEICStub(in: home, picture: [])
    #expect(try await text(stub.environment) == stub.path)
    #expect(
      try await text(["PATH": home.path("none")])
        == "no decoder; with libheif-examples or libvips-tools, pages show HEIC photos")
  }

  @Test func aHomeThatIsNotThereYetIsFineAndNotMade() async throws {
    let run = try await run(["FAKETRACK_HOME": home.path("a/b")])
    #expect(run.code == 0)
    #expect(run.output.contains("created by the first command that stores something"))
    #expect(home.names(in: "a").isEmpty)
  }

  @Test func aHomeThatIsAFileIsAProblem() async throws {
    try home.file("file", "")
    let run = try await run(["FAKETRACK_HOME": home.path("file")])
    let findings = try run.objects.filter { $0["state"] as? String == "problem" }
    #expect(run.code == 1)
    #expect(findings.first?["text"] as? String == "\(home.path("file")) is not a folder")
    #expect(
      findings.first?["hint"] as? String
        == "Make it writable, or name another folder with FAKETRACK_HOME.")
  }

  /// Root may write where permissions forbid it, but not here.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
  func aHomeThatIsReadOnlyIsAProblem() async throws {
    let finding = try onlyFinding("home", "problem", in: try await run(["FAKETRACK_HOME": "/proc"]))
    #expect(finding.text.hasPrefix("/proc cannot be written: "))
    let inside = try await run(["FAKETRACK_HOME": "/proc/faketrack"])
    #expect(
      try onlyFinding("home", "problem", in: inside).text
        == "/proc/faketrack cannot be made: nothing can be written in /proc")
  }

  @Test func aDamagedStoreIsAProblem() async throws {
    let garbage = Data(repeating: 0x5A, count: 20_000)
    try garbage.write(to: home.database)
    let finding = try onlyFinding("store", "problem", in: try await run())
    #expect(finding.text == "\(home.database.path): file is not a database")
    #expect(finding.hint.hasPrefix("Rename the file to start afresh"))
    #expect(try Data(contentsOf: home.database) == garbage)
  }

  @Test func aStoreOfALaterVersionIsAProblem() async throws {
    _ = try await home.run("favorites", "add", "2852458")
    #expect(try await run().output.contains("undamaged, 1 favorite\""))
    let database = try DatabaseQueue(path: home.database.path)
    try await database.write { database in
      try database.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('later')")
    }
    try database.close()
    let finding = try onlyFinding("store", "problem", in: try await run())
    #expect(finding.text.hasSuffix(": a later version of faketrack has written it"))
    #expect(finding.hint == "Use that version, or name another folder with FAKETRACK_HOME.")
  }

  /// The offset of the version, and of a byte that only the checksum covers.
  @Test(arguments: [(8, "has format 250, this version reads format 5"), (100, "is damaged: ")])
  func anUnusableIndexIsAProblem(offset: Int, words: String) async throws {
    try home.file("c.json", #"[{"_id":7,"name":"Here","coord":{"lat":52.0,"lon":13.0}}]"#)
    _ = try await home.run("cities", "import", "c.json")
    let imported = try await run()
    #expect(imported.code == 0)
    #expect(imported.output.contains("1 city, imported on "))
    let url = home.store.appendingPathComponent("cities.index")
    var index = try Data(contentsOf: url)
    index[offset] ^= 0xFF
    try index.write(to: url)
    let finding = try onlyFinding("cities", "problem", in: try await run())
    #expect(finding.text.contains(words))
    #expect(finding.hint.contains("faketrack cities reset"))
  }

  @Test func aBusyPortIsAWarning() async throws {
    try await StubServer.run({ _ in .html(status: 404) }) { server in
      let port = try #require(server.url.port.flatMap { UInt16(exactly: $0) })
      let finding = try onlyFinding("page", "warning", in: try await run(port: port))
      #expect(finding.text.hasPrefix("cannot listen on 127.0.0.1:\(port): "))
      #expect(finding.hint.contains("--port 0"))
    }
  }

  @Test func aBadProxyIsAProblemAndSecretsAreNotShown() async throws {
    let run = try await run([
      "https_proxy": "http://me:hidden@proxy.example:port", "FLICKR_API_KEY": "hidden",
      "FAKETRACK_COMMONS_URL": "http://me:hidden@127.0.0.1:9/hidden",
    ])
    #expect(run.code == 1)
    #expect(run.output.contains("https_proxy is not the address of a proxy"))
    #expect(run.output.contains("FAKETRACK_COMMONS_URL leads to 127.0.0.1:9"))
    #expect(!(run.output + run.errors).contains("hidden"))
  }

  @Test func anUnknownPhotoSourceIsAProblem() async throws {
    let finding = try onlyFinding("photos", "problem", in: try await run(["FAKETRACK_PHOTOS": "x"]))
    #expect(finding.text == "FAKETRACK_PHOTOS is \"x\", which is not a photo source")
  }
}
