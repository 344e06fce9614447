import FlyingFox
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct TrackUploadTests {
  private func upload(
    _ content: [UInt8], name: String = "walk.gpx", to website: Website
  ) async -> HTTPResponse {
    let head = "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n"
    return await website.send(
      .POST, "/tracks",
      headers: [
        HTTPHeader("Origin"): "http://127.0.0.1:8080",
        .contentType: "multipart/form-data; boundary=XX",
      ],
      body: Data(Array(head.utf8) + content + Array("\r\n--XX--\r\n".utf8)))
  }

  @Test func aTrackIsOfferedAndCanBeWalked() async throws {
    let website = try Website.make(tracks: [])
    let response = await upload(Array(Walks.gpx(kilometers: 1).utf8), to: website)
    #expect(response.statusCode == .seeOther)
    #expect(try await website.get("/").text.contains("1.0 km"))
    _ = await website.post("/tracking/start", "track=1")
    await website.session.wait { !$0.isUnderWay }
    #expect(website.session.photos.count == 11)
  }

  @Test(arguments: [
    ("", "no file was sent"), ("<html></html>", "web page"),
    ("{}", "JSON"), ("<gpx/>", "nothing to walk"),
    ("<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx/>", "document type"),
    ("<gpx><trk>", "ends in the middle"), ("plain text", "plain text"),
  ])
  func whatIsNoTrackIsRefusedWithAReason(_ content: String, reason: String) async throws {
    let website = try Website.make(tracks: [])
    let response = await upload(Array(content.utf8), to: website)
    #expect(response.statusCode.code == 422)
    let page = try await response.text
    #expect(page.contains("That file cannot be walked"))
    #expect(page.lowercased().contains(reason.lowercased()))
    #expect(website.library.entries.isEmpty)
  }

  @Test func compressedFilesAreRefusedUnread() async throws {
    let website = try Website.make(tracks: [])
    let response = await upload([0x1F, 0x8B, 0x08, 0, 0], to: website)
    #expect(try await response.text.contains("compressed"))
  }

  @Test func aFileBeyondTheLimitIsNotTakenIn() async throws {
    let website = try Website.make(tracks: [])
    let response = await upload(
      [UInt8](repeating: 0x20, count: TrackUpload.limit), to: website)
    #expect(try await response.text.contains("more than 32 MB"))
  }

  @Test func onlyTheNewestUploadsAreKept() async throws {
    let website = try Website.make()
    for number in 1...5 {
      _ = await upload(
        Array(Walks.gpx(kilometers: 0.5).utf8), name: "/tmp/\(number).gpx", to: website)
    }
    #expect(
      website.library.entries.map(\.track.name) == ["walk.gpx", "3.gpx", "4.gpx", "5.gpx"])
  }
}
