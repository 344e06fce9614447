import FaketrackCompression
import FaketrackFeatures
import FaketrackServer
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct TrackUploadTests {
  private func names(of website: Website) -> [String] {
    website.tracking.catalog.entries.map(\.name)
  }

  @Test func aTrackIsOfferedAndCanBeWalked() async throws {
    let website = Website.make(tracks: [])
    let response = await website.upload(Array(Walks.gpx(kilometers: 1).utf8))
    #expect(response.status == .seeOther)
    #expect(response["Location"] == "/")
    #expect(try await website.page("/").contains("1.0 km"))
    #expect(await website.post("/tracking/start", "track=1").status == .seeOther)
    await website.tracking.wait { !$0.isUnderWay }
    #expect(website.tracking.state.photos.count == 11)
  }

  @Test func aTrackThatIsDroppedIsChosen() async throws {
    let website = Website.make()
    _ = await website.upload(Array(Walks.gpx(kilometers: 3).utf8))
    #expect(website.tracking.state.track == 2)
    #expect(try await website.page("/tracking").contains("of 3.0 km"))
  }

  @Test func duringAWalkTheTrackThatIsWalkedStaysChosen() async throws {
    let website = Website.make(speed: .realTime)
    await website.tracking.send(.start(track: nil))
    _ = await website.upload(Array(Walks.gpx(kilometers: 3).utf8))
    #expect(website.tracking.state.track == 1)
    #expect(names(of: website).count == 2)
    await website.tracking.send(.stop)
  }

  @Test(arguments: [
    ("", "walk.gpx: this is an empty file"), ("<html></html>", "web page"), ("{}", "JSON"),
    ("\u{89}PNG\r\n\u{1A}\n", "a PNG image"), ("\u{1}\u{2}\u{3}\u{4}\u{FE}", "binary data"),
    ("<gpx/>", "nothing to walk"), ("<gpx><trk><trkseg/></trk></gpx>", "nothing to walk"),
    ("<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>", "document type"),
    ("<gpx><trk>", "ends in the middle"), ("plain text", "plain text"),
  ])
  func otherFilesAreRefusedWithAReason(_ content: String, reason: String) async throws {
    let website = Website.make()
    // Of each character one byte, so that any byte can be written.
    let response = await website.upload(content.unicodeScalars.map { UInt8($0.value) })
    #expect(response.status.code == 422)
    let page = try response.text
    #expect(page.contains("Can&#39;t use this file"))
    #expect(page.lowercased().contains(reason.lowercased()))
    #expect(page.contains("walk.gpx"), "the other tracks are still offered")
    #expect(names(of: website) == ["walk.gpx"])
    #expect(website.tracking.state.track == 1)
  }

  @Test(arguments: ["walk.gpx.gz", "walk.gpx"])
  func aCompressedTrackCanBeWalked(name: String) async throws {
    let website = Website.make(tracks: [])
    let response = await website.upload(
      Gzip.compressed(Array(Walks.gpx(kilometers: 1).utf8)),
      disposition: "form-data; name=\"file\"; filename=\"\(name)\"")
    #expect(response.status == .seeOther)
    #expect(try await website.page("/").contains("1.0 km"))
    await website.tracking.walk()
    #expect(website.tracking.state.photos.count == 11)
  }

  @Test(
    arguments: [
      ([0x1F, 0x8B, 0x08, 0, 0], "ends in the middle"), ([0x1F, 0x8B, 0xFF, 0, 0], "damaged"),
      (Gzip.compressed(Array("plain text".utf8)), "plain text (gzipped)"),
      (Gzip.compressed([]), "empty"), (Gzip.compressed(Array("<gpx/>".utf8)), "nothing to walk"),
    ] as [([UInt8], String)])
  func otherCompressedFilesAreRefused(_ bytes: [UInt8], reason: String) async throws {
    let website = Website.make(tracks: [])
    let response = await website.upload(bytes)
    #expect(response.status.code == 422)
    #expect(try response.text.contains(reason))
    #expect(names(of: website).isEmpty)
  }

  @Test func filesThatUnpackBeyondTheLimitAreNotRead() async throws {
    let website = Website.make(tracks: [])
    let megabyte = Gzip.compressed([UInt8](repeating: 0x20, count: 1 << 20))
    let count = TrackUpload.unpackedLimit >> 20
    let response = await website.upload(Array(repeatElement(megabyte, count: count + 1).joined()))
    #expect(response.status.code == 422)
    #expect(try response.text.contains("walk.gpx unpacks to more than 256 MB."))
    #expect(try response.text.contains("on the command line of faketrack serve."))
  }

  @Test(arguments: [false, true])
  func aTrackThatBreaksOffIsWalkedAsFarAsItGoes(isCompressed: Bool) async throws {
    let website = Website.make(tracks: [])
    let whole = Array(Walks.gpx(kilometers: 30).utf8)
    let bytes = isCompressed ? Gzip.compressed(whole) : whole
    let response = await website.upload(Array(bytes.prefix(bytes.count * 2 / 3)))
    #expect(response.status == .seeOther)
    let page = try await website.page("/")
    #expect(page.contains("<p class=\"wrong\">walk.gpx"))
    #expect(page.contains("ends in the middle. It can be walked as far as it goes."))
    #expect(page.contains("aria-label=\"Start walk.gpx\""))
  }

  @Test(
    arguments: [
      ["Sec-Fetch-Mode": "navigate"], ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"],
    ] as [WebHeaders])
  func aBrowserIsSentHomeToReadWhatIsWrong(headers: WebHeaders) async throws {
    let website = Website.make()
    let response = await website.upload(Array("plain text".utf8), headers: headers)
    #expect(response.status == .seeOther)
    #expect(response["Location"] == "/")
    let cookie = try #require(response["Set-Cookie"]?.split(separator: ";").first)
    let own: WebHeaders = ["Cookie": "a=b; \(cookie)"]
    #expect(await website.send("HEAD", "/", headers: own).status == .ok)
    let part = await website.get("/?part=tracks", headers: own)
    #expect(try !part.text.contains("Can&#39;t use this file"))
    #expect(try await !website.page("/").contains("Can&#39;t use this file"), "other browsers")
    let page = try await website.get("/", headers: own).text
    #expect(page.contains("Can&#39;t use this file") && page.contains("plain text"))
    #expect(page.contains("href=\"/#file\">Choose another file</a>"))
    let again = try await website.get("/", headers: own).text
    #expect(!again.contains("Can&#39;t use this file"), "said once")
  }

  @Test func aGoodFileIsNotShownWithTheFaultOfAnEarlierOne() async throws {
    let website = Website.make()
    let bad = await website.upload(
      Array("plain text".utf8), headers: ["Sec-Fetch-Mode": "navigate"])
    let cookie = try #require(bad["Set-Cookie"]?.split(separator: ";").first)
    let own: WebHeaders = ["Cookie": String(cookie)]
    _ = await website.upload(Array(Walks.gpx(kilometers: 1).utf8), headers: own)
    #expect(try await !website.get("/", headers: own).text.contains("Can&#39;t use this file"))
  }

  @Test func aScriptGetsWhatIsWrongAndNoPage() async throws {
    let website = Website.make()
    let refused = await website.upload(Array("{}".utf8), headers: ["X-Faketrack": "1"])
    #expect(refused.status.code == 422)
    #expect(try refused.text.hasPrefix("<section class=\"card notice error\""))
    #expect(try await !website.page("/").contains("Can&#39;t use this file"))
    let taken = await website.upload(
      Array(Walks.gpx(kilometers: 1).utf8), headers: ["X-Faketrack": "1"])
    #expect(taken.status == .noContent)
    #expect(names(of: website) == ["walk.gpx", "walk.gpx"])
  }

  @Test func aFileBeyondTheLimitIsNotTakenIn() async throws {
    let website = Website.make(tracks: [])
    let response = await website.upload([UInt8](repeating: 0x20, count: TrackUpload.limit))
    #expect(response.status == .payloadTooLarge)
    #expect(try response.text.contains("more than 32 MB"))
  }

  @Test func aFormWithoutAFileIsRefused() async throws {
    let website = Website.make(tracks: [])
    for response in [
      await website.post("/tracks", "file=walk.gpx"),
      await website.upload([], disposition: "form-data; name=\"file\"; filename=\"\""),
    ] {
      #expect(response.status.code == 422)
      #expect(try response.text.contains("No file was sent."))
    }
  }

  /// Sends a form of several files, as a browser without scripts does.
  private func upload(_ files: [(name: String, text: String)], to website: Website) async
    -> WebResponse
  {
    let parts = files.map { file in
      "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n\r\n"
        + file.text + "\r\n"
    }
    return await website.post(
      "/tracks", parts.joined() + "--XX--\r\n",
      headers: ["Content-Type": "multipart/form-data; boundary=XX"])
  }

  @Test func severalFilesOfAFormAreAdded() async throws {
    let website = Website.make(tracks: [])
    let track = Walks.gpx(kilometers: 1)
    let response = await upload([("a.gpx", track), ("b.gpx", track)], to: website)
    #expect(response.status == .seeOther)
    #expect(names(of: website) == ["a.gpx", "b.gpx"])
  }

  @Test func aBadFileOfAFormDoesNotStopTheOthers() async throws {
    let website = Website.make(tracks: [])
    let track = Walks.gpx(kilometers: 1)
    let response = await upload(
      [("a.gpx", track), ("bad.gpx", "{}"), ("b.gpx", track)], to: website)
    #expect(response.status.code == 422)
    let page = try response.text
    #expect(page.contains("1 of 3 files was not added: bad.gpx: this is JSON"))
    #expect(names(of: website) == ["a.gpx", "b.gpx"])
  }

  @Test func onlyTheNewestUploadsStay() async throws {
    let website = Website.make()
    let count = TrackCatalog.additionLimit
    for number in 1...count + 2 {
      _ = await website.upload(
        Array(Walks.gpx(kilometers: 0.5).utf8),
        disposition: "form-data; name=\"file\"; filename=\"/tmp/\(number).gpx\"")
    }
    let names = names(of: website)
    #expect(names.count == count + 1 && names.first == "walk.gpx")
    #expect(names[1] == "3.gpx" && names.last == "\(count + 2).gpx")
  }

  @Test(arguments: [
    ("filename=\"north; then south.gpx\"", "north; then south.gpx"),
    ("filename=\"the \\\"long\\\" one.gpx\"", "the \"long\" one.gpx"),
    ("filename=\"C:\\walks\\a;b.gpx\"", "a;b.gpx"),
    ("filename=\"x\"; filename*=UTF-8''F%C3%B6hr%3B1.gpx", "Föhr;1.gpx"),
  ])
  func theWholeNameIsShown(_ parameter: String, name: String) async throws {
    let website = Website.make(tracks: [])
    let response = await website.upload(
      Array(Walks.gpx(kilometers: 1).utf8), disposition: "form-data; name=\"file\"; \(parameter)")
    #expect(response.status == .seeOther)
    #expect(names(of: website) == [name])
    #expect(try await website.page("/").contains(HTML.escaped(name)))
  }

  @Test(arguments: [
    ("walk.gpx", "walk.gpx"), ("/home/a/walk.gpx", "walk.gpx"), ("C:\\a\\walk.gpx", "walk.gpx"),
    ("", "track.gpx"), ("///", "track.gpx"), ("..", ".."),
    (String(repeating: "a", count: 200), String(repeating: "a", count: 80)),
  ])
  func showsTheLastNameOfAPath(_ path: String, name: String) {
    #expect(TrackUpload.shownName(of: path) == name)
  }
}
