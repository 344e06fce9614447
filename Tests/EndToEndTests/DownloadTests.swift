import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Testing

/// `--download`: the photos are written to a folder, with credits.
@Suite struct DownloadTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func replay(_ server: StubServer, _ arguments: String...) async throws -> ExecutableRun {
    try await home.run(
      ["replay", "--photos", "commons"] + arguments,
      .init(environment: ["FAKETRACK_COMMONS_URL": "\(server.url)w/api.php"]))
  }

  private func images(_ server: StubServer) -> Int {
    server.requests.count { $0.path.hasPrefix(CommonsStub.imagePath) }
  }

  @Test func printsThePathsOfPhotosAndWritesCredits() async throws {
    try await StubServer.run(CommonsStub().callAsFunction) { server in
      let track = try home.track(12)
      let run = try await replay(server, track, "--download", "out/photos")
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.lines.count == 12)
      #expect(run.lines.first?.hasPrefix("out/photos/0000-") == true)
      #expect(run.lines.last?.hasPrefix("out/photos/0011-") == true)
      let files = home.names(in: "out/photos")
      #expect(files == (run.lines.map { String($0.dropFirst(11)) } + ["credits.csv"]))
      for file in run.lines {
        let image = try Data(contentsOf: home.url.appendingPathComponent(file))
        #expect(image.starts(with: [0xFF, 0xD8, 0xFF]) && image.count > 3)
      }
      let credits = home.text(of: "out/photos/credits.csv").split(separator: "\n")
      #expect(
        credits.first == "file,place,latitude,longitude,title,author,license,license_url,page")
      #expect(credits.count == 13)
      #expect(credits.dropFirst().allSatisfy { $0.contains("Potsdam") && $0.contains("Änne & ") })
      #expect(credits.dropFirst().allSatisfy { $0.contains("\"Photo, ") })
      #expect(images(server) == 12)

      let requests = server.requests.count
      let again = try await replay(server, track, "--download", "out/photos")
      #expect(again.output == run.output)
      #expect(server.requests.count == requests)
      #expect(home.text(of: "out/photos/credits.csv").split(separator: "\n").count == 13)
    }
  }

  @Test func goesOnWhereItWasAfterAKill() async throws {
    let (asked, never) = (Events(), Latch())
    let photos = Locked<[String]>([])
    let seen = Seen()
    let stub = CommonsStub { request in
      // A request may be repeated, so count the photos.
      if seen.isFirst(request.path) { await asked.happened() }
      // The fifth and later photos arrive only after the run has been killed; their requests may
      // come in another order.
      let isEarly = photos.withLock { $0.prefix(4).contains { $0.hasSuffix(request.path) } }
      if !isEarly { await never.hold() }
      return .jpeg(request.path)
    }
    let track = try home.track(12)
    try await StubServer.run(stub.callAsFunction) { server in
      let listed = try await replay(server, track)
      photos.withLock { $0 = listed.lines }
      let process = try home.start(
        ["replay", track, "--photos", "commons", "--download", "photos"],
        .init(environment: ["FAKETRACK_COMMONS_URL": "\(server.url)w/api.php"]))
      // Four are fetched concurrently, so the eighth is requested when the fourth has been stored.
      await asked.waitFor(8, orEndOf: process)
      process.signal(SIGKILL)
      let run = await process.result()
      #expect(run.code == 128 + 9, "\(run.errors)")
      await never.open()
      #expect(home.names(in: "photos").count { $0.hasSuffix(".jpg") } == 4)
    }
    // A kill during a write leaves these.
    try home.file("photos/.faketrack.part", Data("half".utf8))
    let table = home.url.appendingPathComponent("photos/credits.csv")
    try Data((home.text(of: "photos/credits.csv") + "0004-").utf8).write(to: table)
    try await StubServer.run(CommonsStub().callAsFunction) { server in
      let run = try await replay(server, track, "--download", "photos")
      #expect(run.code == 0)
      #expect(run.lines.count == 12)
      let credits = home.text(of: "photos/credits.csv").split(separator: "\n").dropFirst()
      #expect(Set(credits.map { $0.prefix { $0 != "," } }).count == 12)
      #expect(credits.count == 12)
    }
  }

  @Test func aPhotoThatCannotBeHadIsToldAndTheRunGoesOn() async throws {
    let seen = Seen()
    let stub = CommonsStub { request in
      seen.number(ofNew: request.path).map { $0 % 3 == 2 } ?? false
        ? .html("<h1>Gone</h1>", status: 404) : .jpeg(request.path)
    }
    try await StubServer.run(stub.callAsFunction) { server in
      let track = try home.track(12)
      let run = try await replay(server, track, "--download", "photos", "--format", "ndjson")
      #expect(run.code == 0)
      #expect(run.lines.count == 12)
      let failed = run.lines.filter {
        $0.contains(#""error":"the photo's server answered HTTP 404""#)
      }
      #expect(failed.count == 4)
      #expect(home.names(in: "photos").count == 9)
      #expect(run.errors.contains("12 photos, 4 not downloaded"))

      let paths = try await replay(server, track, "--download", "photos")
      #expect(paths.lines.count == 12)
      #expect(home.names(in: "photos").count == 13)
    }
  }

  @Test func photosThatAllCannotBeHadAreAFailure() async throws {
    let stub = CommonsStub { _ in .html("<h1>Gone</h1>", status: 404) }
    try await StubServer.run(stub.callAsFunction) { server in
      let run = try await replay(server, try home.track(20), "--download", "photos")
      #expect(run.code == 69)
      #expect(run.output.isEmpty)
      #expect(run.errors.contains("error: no photo could be downloaded"))
      // When the eighth has failed, three more are in progress.
      #expect((8...11).contains(images(server)))
      #expect(home.names(in: "photos") == ["credits.csv"])
    }
  }

  @Test func aDirectoryThatCannotBeMadeEndsTheRunBeforeAnyCall() async throws {
    try Data().write(to: home.url.appendingPathComponent("file"))
    try await StubServer.run(CommonsStub().callAsFunction) { server in
      let run = try await replay(server, try home.track(3), "--download", "file/photos")
      #expect(run.code == 1)
      #expect(run.errors.contains("error: file: is a file, not a folder"))
      #expect(run.errors.contains("hint: "))
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [("sample", "made up"), ("none", "needs a source of photos")])
  func photosThatDoNotExistCannotBeKept(source: String, reason: String) async throws {
    let run = try await home.run(
      "replay", try home.track(3), "--download", "photos",
      environment: ["FAKETRACK_PHOTOS": source])
    #expect(run.code == 64)
    #expect(run.errors.contains(reason) && run.errors.contains("--photos commons"))
    #expect(home.names(in: "photos").isEmpty)
  }

  @Test func theSampleDoesNotTakeOverWherePhotosAreKept() async throws {
    let run = try await home.run(
      "replay", try home.track(1), "--download", "photos",
      environment: ["FAKETRACK_COMMONS_URL": "\(try Port.closed())"])
    #expect(run.code == 69)
    #expect(run.errors.contains("Wikimedia Commons cannot be reached"))
  }
}
