import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@Suite struct PhotoFolderTests {
  private let directory = TemporaryDirectory()
  private let clock = RecordingClock()

  private func fetcher(_ answers: Result<ServiceResponse, HTTPFailure>...) -> ScriptedFetcher {
    ScriptedFetcher(clock: clock, answers: answers)
  }

  private func folder(_ fetcher: ScriptedFetcher) -> PhotoFolder {
    PhotoFolder(directory.path, fetcher, clock)
  }

  private func failure(_ work: () async throws -> Void) async -> ServiceError? {
    do {
      try await work()
      return nil
    } catch {
      return error as? ServiceError
    }
  }

  @Test func downloadsAPhotoAndCreditsIt() async throws {
    let fetcher = fetcher(.success(.image("pixels")))
    let path = try await folder(fetcher).download(.photographed("77", index: 7))
    #expect(path == "\(directory.path)/0007-77.jpg")
    #expect(directory.names == ["0007-77.jpg", "credits.csv"])
    #expect(directory.text(of: "0007-77.jpg") == "pixels")
    #expect(
      directory.text(of: "credits.csv")
        == PhotoCredits.header + "0007-77.jpg,,52.4,13.06,Title,Owner,,,\n")
    #expect(fetcher.requests.map(\.redactedURL) == ["https://images.example/77.jpg"])
    #expect(fetcher.requests.map { $0.headers["User-Agent"] } == ["tester/1"])
  }

  @Test func aVisitWithoutAPhotoLeavesNothing() async throws {
    let fetcher = fetcher(.success(.image("pixels")))
    #expect(try await folder(fetcher).download(.photographed(nil)) == nil)
    #expect(fetcher.requests.isEmpty)
    #expect(directory.names.isEmpty)
  }

  @Test(arguments: [
    (0, "a", "jpg", "0000-a.jpg"), (12_345, "a", "JPG", "12345-a.jpg"),
    (1, "../../etc/passwd", "jpg", "0001-______etc_passwd.jpg"),
    (1, "a\0b\n\u{1B}[2Jc", "jpg", "0001-a_b___2Jc.jpg"), (1, "", "jpg", "0001-.jpg"),
    (1, "ä😀é", "", "0001-___.jpg"), (1, "a,\"b", "png", "0001-a__b.png"),
    (1, "x", "php", "0001-x.jpg"), (1, "con.part", "webp", "0001-con_part.webp"),
    (
      3, String(repeating: "9", count: 300), "gif", "0003-\(String(repeating: "9", count: 100)).gif"
    ),
  ])
  func namesAreSafe(index: Int, id: String, ending: String, name: String) {
    let url = URL(literal: "https://images.example/").appendingPathComponent("x.\(ending)")
    #expect(PhotoFolder.name(for: index, id: id, url: url) == name)
  }

  @Test func aHostileIdStaysInTheDirectory() async throws {
    let visit = try Visit.photographed("../../../tmp/x", index: 2, at: "https://i.example/a.jpg")
    let path = try #require(await folder(fetcher(.success(.image("pixels")))).download(visit))
    #expect(URL(fileURLWithPath: path).deletingLastPathComponent().path == directory.path)
    #expect(directory.names == ["0002-_________tmp_x.jpg", "credits.csv"])
  }

  @Test func whatIsThereIsNotFetchedAgain() async throws {
    let visit = try Visit.photographed("1")
    let fetcher = fetcher(.success(.image("first")), .success(.image("second")))
    let paths = try await [folder(fetcher).download(visit), folder(fetcher).download(visit)]
    #expect(Set(paths).count == 1)
    #expect(fetcher.requests.count == 1)
    #expect(directory.text(of: "0000-1.jpg") == "first")
    #expect(directory.text(of: "credits.csv")?.split(separator: "\n").count == 2)
  }

  @Test func anEmptyFileThatIsThereIsReplaced() async throws {
    try directory.write("", to: "0000-1.jpg")
    _ = try await folder(fetcher(.success(.image("pixels")))).download(.photographed("1"))
    #expect(directory.text(of: "0000-1.jpg") == "pixels")
  }

  @Test func aRepeatedPhotoIsFetchedOnce() async throws {
    let fetcher = fetcher(.success(.image("first")), .success(.image("second")))
    let folder = folder(fetcher)
    for index in 0..<3 { _ = try await folder.download(.photographed("1", index: index)) }
    #expect(fetcher.requests.count == 1)
    #expect(directory.text(of: "0002-1.jpg") == "first")
    #expect(directory.text(of: "credits.csv")?.split(separator: "\n").count == 4)
  }

  @Test(arguments: [
    "0000-1.jpg,,52.4,13.06,Ti", "0", "0000-1.jpg", "0000-1.jpg,,1,2,t,o,,,\n0001-2.jp", "\n",
  ])
  func goesOnAfterAKill(tornTable: String) async throws {
    _ = try await folder(fetcher(.success(.image("one")))).download(.photographed("1"))
    try directory.write(PhotoCredits.header + tornTable, to: "credits.csv")
    try directory.write("half of the pix", to: ".faketrack.part")
    let fetcher = fetcher(.success(.image("pixels")))
    let folder = folder(fetcher)
    for index in 0..<2 {
      _ = try await folder.download(.photographed("\(index + 1)", index: index))
    }
    #expect(directory.names == ["0000-1.jpg", "0001-2.jpg", "credits.csv"])
    #expect(directory.text(of: "0001-2.jpg") == "pixels")
    #expect(directory.text(of: ".faketrack.part") == nil)
    #expect(fetcher.requests.map(\.redactedURL) == ["https://images.example/2.jpg"])
    let lines = try #require(directory.text(of: "credits.csv")).split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != "," } } == ["file", "0000-1.jpg", "0001-2.jpg"])
    #expect(lines.allSatisfy { $0.count { $0 == "," } == 8 })
  }

  @Test func textBehindTheLastLineOfATableStays() async throws {
    try directory.write(PhotoCredits.header + "0000-1.jpg,x\nmy notes", to: "credits.csv")
    let folder = folder(fetcher(.success(.image("pixels"))))
    _ = try await folder.download(.photographed("2", index: 1))
    #expect(
      directory.text(of: "credits.csv")
        == PhotoCredits.header + "0000-1.jpg,x\nmy notes\n0001-2.jpg,,52.4,13.06,Title,Owner,,,\n")
  }

  @Test func aPhotoThatWasChangedIsKeptAndNoted() async throws {
    let notes = Locked<[String]>([])
    let fetcher = fetcher(.success(.image("pixels")))
    for change in [nil, "turned"] {
      if let change { try directory.write(change, to: "0000-1.jpg") }
      let folder = PhotoFolder(
        directory.path,
        fetching: PhotoFolder.client(
          userAgent: "tester/1", in: ServiceEnvironment(fetcher: fetcher, clock: clock))
      ) { note in notes.withLock { $0.append(note) } }
      _ = try await folder.download(.photographed("1"))
    }
    #expect(directory.text(of: "0000-1.jpg") == "turned")
    #expect(
      notes.withLock(\.self) == [
        "note: kept \(directory.path)/0000-1.jpg, which was changed since faketrack wrote it"
      ])
  }

  @Test(arguments: ["their notes", "name,license\na,b\nc,d", "\n", "file,place\n"])
  func aTableOfSomeoneElseIsRefused(theirs: String) async throws {
    try directory.write(theirs, to: "credits.csv")
    let failure = await #expect(throws: Failure.self) {
      try await folder(fetcher()).open()
    }
    #expect(failure?.message.hasSuffix("a file that faketrack has not written") == true)
    #expect(directory.text(of: "credits.csv") == theirs)
  }

  @Test(arguments: ["symbolic", "hard"]) func aTableThatIsALinkIsRefused(kind: String) async throws
  {
    try directory.write(PhotoCredits.header + "torn", to: "other")
    let (path, other) = ("\(directory.path)/credits.csv", "\(directory.path)/other")
    #expect((kind == "hard" ? link(other, path) : symlink(other, path)) == 0)
    let failure = await #expect(throws: Failure.self) {
      try await folder(fetcher()).open()
    }
    #expect(failure?.message.contains("credits.csv: can't write to a ") == true)
    #expect(directory.text(of: "other") == PhotoCredits.header + "torn")
  }

  @Test func aTableThatIsAPipeIsRefused() async throws {
    try directory.write("", to: "other")
    let path = "\(directory.path)/credits.csv"
    #expect(mkfifo(path, 0o600) == 0)
    await #expect(throws: FileError(path: path, code: FileError.notAFile)) {
      try await folder(fetcher()).open()
    }
  }

  @Test(arguments: ["", "file,pla"])
  func aTableWithoutAWholeHeaderGetsOne(torn: String) async throws {
    try directory.write(torn, to: "credits.csv")
    try await folder(fetcher(.success(.image("pixels")))).open()
    #expect(directory.text(of: "credits.csv") == PhotoCredits.header)
  }

  @Test(
    arguments: [
      .success(.image("<html>no</html>", type: "text/html")),
      .success(.image(#"{"error":1}"#, type: "application/json")),
      .success(.image("<Error/>", type: "application/xml")), .success(.image("")),
      .success(.text("<html>", status: 502)), .success(.text("", status: 429)),
      .failure(.unreachable("the connection was lost")), .failure(.timedOut),
    ] as [Result<ServiceResponse, HTTPFailure>])
  func whatIsNoImageIsTriedAgain(answer: Result<ServiceResponse, HTTPFailure>) async throws {
    let fetcher = fetcher(answer, answer, answer, .success(.image("pixels")))
    #expect(try await folder(fetcher).download(.photographed("1")) != nil)
    #expect(directory.text(of: "0000-1.jpg") == "pixels")
    let pauses = clock.sleeps.map { $0 / .milliseconds(1) }
    #expect(pauses.count == 3)
    for (pause, least) in zip(pauses, [250.0, 500, 1_000]) {
      #expect((least...least * 1.25).contains(pause))
    }
  }

  @Test(arguments: ["image/jpeg", "IMAGE/PNG", "application/octet-stream", "binary/octet-stream"])
  func acceptsWhatImageServersSay(type: String) async throws {
    let fetcher = fetcher(.success(.image("pixels", type: type)))
    #expect(try await folder(fetcher).download(.photographed("1")) != nil)
    #expect(fetcher.requests.count == 1)
  }

  @Test func aPauseThatTheServerAsksForIsMade() async throws {
    let busy = ServiceResponse.text("", status: 429, headers: ["Retry-After": "7"])
    let fetcher = fetcher(.success(busy), .success(.image("pixels")))
    _ = try await folder(fetcher).download(.photographed("1"))
    #expect(fetcher.times == [.zero, .seconds(7)])
  }

  @Test(arguments: [(404, 1), (403, 1), (410, 1), (500, 4), (429, 4)])
  func aPhotoThatCannotBeHadIsAnError(status: Int, tries: Int) async throws {
    let fetcher = fetcher(.success(.text("no", status: status)))
    let folder = folder(fetcher)
    let error = await failure { _ = try await folder.download(.photographed("1")) }
    #expect(error?.reason == .status(status))
    #expect(error?.description.hasPrefix("the photo's server answered HTTP \(status)") == true)
    #expect(fetcher.requests.count == tries)
    #expect(directory.names == ["credits.csv"])
    #expect(directory.text(of: "credits.csv") == PhotoCredits.header)
  }

  @Test func givesUpAfterEightInARow() async throws {
    let fetcher = fetcher(.success(.text("no", status: 404)))
    let folder = folder(fetcher)
    for index in 0..<12 {
      let error = await failure {
        _ = try await folder.download(.photographed("\(index)", index: index))
      }
      #expect(error != nil)
    }
    #expect(fetcher.requests.count == 8)
  }

  @Test func aPhotoThatIsThereNeitherCountsNorIsRefused() async throws {
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      number == 0 ? .image("pixels") : .text("no", status: 404)
    }
    let folder = folder(fetcher)
    _ = try await folder.download(.photographed("a"))
    for index in 1..<12 {
      // After each failure, the first photo again, under the number of this location.
      _ = try? await folder.download(.photographed("\(index)", index: 2 * index))
      let again = try Visit.photographed("a", index: 2 * index + 1)
      #expect(try await folder.download(again) != nil)
    }
    #expect(fetcher.requests.count == 1 + 8)
  }

  @Test func aPhotoIsFetchedOnceHoweverLateItIsKept() async throws {
    let fetcher = fetcher(.success(.image("pixels")))
    let folder = folder(fetcher)
    try await folder.open()
    let visits = [try Visit.photographed("a"), try .photographed("a", index: 1)]
    var downloads: [PhotoDownload] = []
    for visit in visits {
      let photo = try #require(visit.photo)
      downloads.append(try await folder.fetch(photo, for: visit.index))
    }
    for (visit, download) in zip(visits, downloads) {
      #expect(try await folder.keep(download, of: visit) != nil)
    }
    #expect(fetcher.requests.count == 1)
    #expect(directory.names == ["0000-a.jpg", "0001-a.jpg", "credits.csv"])
  }

  @Test func oneThatComesBeginsTheCountAnew() async throws {
    let fetcher = ScriptedFetcher(clock: clock) { _, number in
      number == 7 ? .image("pixels") : .text("no", status: 404)
    }
    let folder = folder(fetcher)
    for index in 0..<20 { _ = try? await folder.download(.photographed("\(index)", index: index)) }
    #expect(fetcher.requests.count == 16)
    #expect(directory.names == ["0007-7.jpg", "credits.csv"])
  }
}

@Suite struct PhotoFolderNameTests {
  @Test(arguments: [
    ("walk-1_a.gpx", "walk-1_a.gpx"), ("w/a.gpx", "w%2Fa.gpx"), ("..", "%2E."),
    (".hidden", "%2Ehidden"), ("a%2Fb", "a%252Fb"), ("ä\n", "%C3%A4%0A"),
  ])
  func theNameOfATrackIsOneOfAFolder(track: String, name: String) {
    #expect(PhotoFolder.name(ofTrack: track) == name)
  }

  @Test func longNamesStayApart() {
    let long = String(repeating: "/verylong", count: 100)
    let names = [long, long + "1", long + "2"].map(PhotoFolder.name(ofTrack:))
    #expect(Set(names).count == 3)
    #expect(names.allSatisfy { $0.utf8.count <= 200 })
    #expect(PhotoFolder.name(ofTrack: long) == names[0])
  }
}
