import FaketrackTestSupport
import Foundation
import GRDB
import Testing

/// The store between runs: shared by processes, and never the cause of a failed run.
@Suite struct StoreTests {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
  }

  private func replay(
    _ server: StubServer, _ arguments: String..., store: String? = nil, limit: Int? = nil
  ) async throws -> ExecutableRun {
    var environment = ["FAKETRACK_FLICKR_URL": "\(server.url)", "FLICKR_API_KEY": "key"]
    environment["FAKETRACK_HOME"] = store
    return try await home.run(
      ["replay"] + arguments, .init(environment: environment, fileSizeLimit: limit))
  }

  @Test(arguments: [100, 20_000])
  func aDamagedStoreIsAWarning(size: Int) async throws {
    let garbage = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    try garbage.write(to: home.database)
    try await StubServer.run(FlickrStub().callAsFunction) { server in
      let run = try await replay(server, try home.track(12))
      #expect(run.code == 0)
      #expect(run.lines.count == 12)
      #expect((1...2).contains(run.warnings.count), "\(run.errors)")
      #expect(run.errors.contains("not a database"))
      #expect(try Data(contentsOf: home.database) == garbage)
    }
  }

  @Test func aStoreOfWhichAPartIsDamagedIsAWarning() async throws {
    let track = try home.track(12)
    try await StubServer.run(FlickrStub(photosPerPage: 100).callAsFunction) { server in
      let whole = try await replay(server, track)
      // A process that ends may leave what it wrote in the log beside the file.
      let database = try DatabaseQueue(path: home.database.path)
      _ = try await database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      try database.close()
      // Like a failing disk: the header is there, much of the rest is missing.
      let file = try FileHandle(forWritingTo: home.database)
      let size = try file.seekToEnd()
      try #require(size > 20_000)
      for offset in stride(from: UInt64(4_096), to: size, by: 4_096) {
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 512))
      }
      try file.close()
      let run = try await replay(server, track)
      #expect(run.code == 0)
      #expect(run.output == whole.output)
      #expect((1...2).contains(run.warnings.count), "\(run.errors)")
    }
  }

  @Test func aStoreThatCannotBeMadeIsAWarning() async throws {
    try Data().write(to: home.url.appendingPathComponent("file"))
    let store = home.url.appendingPathComponent("file/store").path
    try await StubServer.run(FlickrStub().callAsFunction) { server in
      let run = try await replay(server, try home.track(12), store: store)
      #expect(run.code == 0)
      #expect(run.lines.count == 12)
      #expect((1...2).contains(run.warnings.count), "\(run.errors)")
    }
  }

  @Test func aStoreThatIsFullIsAWarning() async throws {
    let track = try home.track(40)
    try await StubServer.run(FlickrStub(photosPerPage: 250).callAsFunction) { server in
      let run = try await replay(server, track, limit: 256)
      #expect(run.code == 0)
      #expect(run.lines.count == 40)
      #expect((1...2).contains(run.warnings.count), "\(run.errors)")
      // The stored data is intact, and the store works again once there is space.
      let again = try await replay(server, track)
      #expect(again.output == run.output)
      #expect(again.warnings.isEmpty)
      let calls = server.requests.count
      _ = try await replay(server, track)
      #expect(server.requests.count == calls)
    }
  }

  @Test func twoRunsAtOnceShareOneStore() async throws {
    let track = try home.track(40)
    let stub = FlickrStub(photosPerPage: 100, delay: .milliseconds(5))
    try await StubServer.run(stub.callAsFunction) { server in
      async let one = replay(server, track)
      async let other = replay(server, track)
      let runs = try await [one, other]
      #expect(runs.map(\.code) == [0, 0])
      #expect(Set(runs.map(\.output)).count == 1)
      #expect(runs.flatMap(\.warnings).isEmpty)
      let calls = server.requests.count
      #expect(calls <= 2 * server.flickrPlaces.count)
      _ = try await replay(server, track)
      #expect(server.requests.count == calls)
    }
  }

  @Test func processesShareTheBudgetOfAnHour() async throws {
    // Adding a favorite creates the store.
    _ = try await home.run("favorites", "add", "2852458")
    try await DatabaseQueue(path: home.database.path).write { database in
      // All but three calls of the hour were made just now.
      try database.execute(
        sql: """
          WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 3597)
          INSERT INTO call (service, madeAt) SELECT 'Flickr', ? FROM number
          """, arguments: [Date().timeIntervalSince1970])
    }
    let track = try home.track(40)
    let (stub, asked) = (FlickrStub(photosPerPage: 60), Events())
    let handler: StubServer.Handler = { request in
      await asked.happened()
      return await stub(request)
    }
    try await StubServer.run(handler) { server in
      let processes = try (0..<2).map { _ in
        try home.start(
          ["replay", track, "--verbose", "--refresh"],
          .init(
            environment: ["FAKETRACK_FLICKR_URL": "\(server.url)", "FLICKR_API_KEY": "key"]))
      }
      for process in processes {
        try await process.errors.waitFor("budget of calls is used up")
      }
      await asked.waitFor(3, orEndOf: processes[0])
      var runs: [ExecutableRun] = []
      for process in processes {
        process.signal(SIGINT)
        runs.append(await process.result())
      }
      #expect(runs.map(\.code) == [130, 130])
      #expect(server.requests.count == 3)
      #expect(runs.flatMap(\.warnings).isEmpty)
    }
  }
}
