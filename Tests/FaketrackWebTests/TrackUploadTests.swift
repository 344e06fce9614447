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
    ("", "no file was sent"), ("<html></html>", "web page"), ("{}", "JSON"),
    ("<gpx/>", "nothing to walk"), ("<gpx><trk><trkseg/></trk></gpx>", "nothing to walk"),
    ("<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>", "document type"),
    ("<gpx><trk>", "ends in the middle"), ("plain text", "plain text"),
  ])
  func whatIsNoTrackIsRefusedWithAReason(_ content: String, reason: String) async throws {
    let website = Website.make()
    let response = await website.upload(Array(content.utf8))
    #expect(response.status.code == 422)
    let page = try response.text
    #expect(page.contains("That file cannot be walked"))
    #expect(page.lowercased().contains(reason.lowercased()))
    #expect(page.contains("walk.gpx"), "the other tracks are still offered")
    #expect(names(of: website) == ["walk.gpx"])
    #expect(website.tracking.state.track == 1)
  }

  @Test func compressedFilesAreRefusedUnread() async throws {
    let website = Website.make(tracks: [])
    let response = await website.upload([0x1F, 0x8B, 0x08, 0, 0])
    #expect(response.status.code == 422)
    #expect(try response.text.contains("Walk.gpx is compressed."))
  }

  @Test func aFileBeyondTheLimitIsNotTakenIn() async throws {
    let website = Website.make(tracks: [])
    let response = await website.upload([UInt8](repeating: 0x20, count: TrackUpload.limit))
    #expect(response.status == .contentTooLarge)
    #expect(try response.text.contains("more than 32 MB"))
  }

  @Test func aFormWithoutAFileIsRefused() async throws {
    let website = Website.make(tracks: [])
    let response = await website.post("/tracks", "file=walk.gpx")
    #expect(response.status.code == 422)
    #expect(try response.text.contains("No file was sent."))
  }

  @Test func onlyTheNewestUploadsStay() async throws {
    let website = Website.make()
    for number in 1...5 {
      _ = await website.upload(
        Array(Walks.gpx(kilometers: 0.5).utf8),
        disposition: "form-data; name=\"file\"; filename=\"/tmp/\(number).gpx\"")
    }
    #expect(names(of: website) == ["walk.gpx", "3.gpx", "4.gpx", "5.gpx"])
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
