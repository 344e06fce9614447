import FaketrackTestSupport
import Foundation
import GRDB
import Testing

/// Files of earlier versions are used, rebuilt, or refused with the way to go on.
///
/// `home-0.1` is of version 0.1.0; the files named `without-sources` are of the version before
/// records had `photo.source`.
@Suite struct UpgradeTests {
  private let home: TemporaryHome
  private static let folder = Repository.root.appendingPathComponent("Tests/EndToEndTests/Upgrade")

  init() throws {
    home = try TemporaryHome()
    for name in ["a.gpx", "b.gpx"] {
      try home.file(
        "walks/" + name, Data(contentsOf: Self.folder.appendingPathComponent("walk.gpx")))
    }
  }

  private func copy(_ name: String, to url: URL) throws {
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent(name), to: url)
  }

  /// A home has the store, imported cities and a thumbnail.
  @Test(arguments: ["home-0.1", "home-without-sources"])
  func aHomeIsUsed(name: String) async throws {
    try copy(name, to: home.store)
    let doctor = try await home.run(
      "doctor", "--format", "ndjson", "--port", "\(try Port.free())")
    #expect(doctor.code == 0)
    #expect(doctor.errors.contains(" 0 warnings, 0 problems;"), "\(doctor.output)")
    #expect(doctor.output.contains("undamaged, 2 favorites\""))
    #expect(doctor.output.contains("2 cities, imported on "))
    #expect(doctor.output.contains("1 small version kept"))
    let favorites = try await home.run("favorites", "list", "--format", "ndjson")
    #expect(try favorites.objects.map { $0["name"] as? String } == ["Hurzuf", "Novinki"])
    let search = try await home.run("cities", "search", "nov", "--format", "ndjson")
    #expect(try search.objects.map { $0["id"] as? Int } == [519_188])
    #expect(try await home.run("favorites", "remove", "Hurzuf").code == 0)
  }

  @Test func storedSearchesAreUsed() async throws {
    try copy("home-without-sources", to: home.store)
    try await StubServer.run(FlickrStub().callAsFunction) { server in
      // As if they had just been made, at the address of this stub.
      let database = try DatabaseQueue(path: home.database.path)
      try await database.write { database in
        try database.execute(
          sql: "UPDATE search SET keptAt = ?, key = replace(key, ?, ?)",
          arguments: [
            Date().timeIntervalSince1970, "http://127.0.0.1:37225/", server.url.absoluteString,
          ])
      }
      let environment = ["FLICKR_API_KEY": "k", "FAKETRACK_FLICKR_URL": "\(server.url)"]
      let run = try await home.run(
        ["replay", "walks/a.gpx", "--format", "ndjson"], .init(environment: environment))
      #expect(run.code == 0)
      #expect(server.requests.isEmpty)
      let photos = try run.objects.map { $0["photo"] as? [String: Any] }
      #expect(photos.count == 3 && photos.allSatisfy { $0?["source"] as? String == "flickr" })
    }
  }

  @Test func aGoldenFileIsUsed() async throws {
    let golden = home.url.appendingPathComponent("golden.ndjson")
    try copy("golden-without-sources.ndjson", to: golden)
    let run = try await home.run("check", "walks/a.gpx", "--matches", "golden.ndjson,1")
    #expect(run.code == 0, "\(run.output)")
  }

  @Test func anOutputIsNotResumed() async throws {
    let old = home.url.appendingPathComponent("old.ndjson")
    try copy("walks-without-sources.ndjson", to: old)
    let run = try await home.run(
      "replay", "walks", "--photos", "sample", "--format", "ndjson", "--resume", "old.ndjson")
    #expect(run.code == 65)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.hasSuffix(
        """
        error: old.ndjson:1: written by an earlier version, without elapsed
        hint: Replay all tracks into a new file, without --resume.

        """))
  }
}
