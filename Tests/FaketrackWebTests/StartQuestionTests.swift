import FaketrackFeatures
import FaketrackServer
import Foundation
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct StartQuestionTests {
  static let commons = PhotoSourceSummary(title: "Wikimedia Commons")

  /// A website with two tracks; the walk of the first one has three photos and 300 m.
  private func walking(
    _ walks: TestWalks = TestWalks(), photos: PhotoSourceSummary = PhotoSourceSummary()
  ) throws -> Website {
    let website = Website.make(
      walks, tracks: [Walks.track(name: "a.gpx"), Walks.track(name: "b.gpx")], photos: photos,
      speed: .realTime)
    let entry = website.tracking.catalog.entry(1)
    var walk = try Walks.state(photos: 3)
    walk.entry = entry
    website.tracking.store.update { $0 = walk }
    return website
  }

  @Test(arguments: ["track=2", "track=1", ""])
  func anUnfinishedWalkIsNotLostByOneClick(_ form: String) async throws {
    let walks = TestWalks()
    let website = try walking(walks)
    let response = await website.post("/tracking/start", form, headers: ["Accept": "text/html"])
    #expect(response.status == .seeOther)
    let address = try #require(response["Location"])
    #expect(address == (form.isEmpty ? "/?ask=start" : "/?ask=start&\(form)"))
    #expect(website.tracking.state.phase == .running && website.tracking.state.photos.count == 3)
    let page = try await website.page(address)
    #expect(page.contains("This discards the unfinished walk of a.gpx: 300 m and 3 photos."))
    #expect(page.contains("name=\"confirmed\"") && page.contains("href=\"/tracking\">Keep walking"))

    let byScript = await website.postByScript("/tracking/start", form)
    #expect(byScript.status == .conflict)
    #expect(try byScript.text.hasPrefix("<section class=\"card notice\""))
    #expect(walks.made.isEmpty)

    _ = await website.post("/tracking/start", form + "&confirmed=1")
    #expect(walks.made.map(\.track.name) == [form == "track=2" ? "b.gpx" : "a.gpx"])
    await website.tracking.send(.stop)
  }

  @Test func aStoppedWalkIsAskedAboutAndAnArrivedOneIsNot() async throws {
    let website = try walking()
    website.tracking.store.update { $0.apply(.stopped(nil)) }
    #expect(await website.postByScript("/tracking/start").status == .conflict)
    #expect(await website.postByScript("/tracking/resume").status == .noContent)
    website.tracking.store.update { $0.apply(.finished(nil)) }
    #expect(await website.postByScript("/tracking/start").status == .noContent)
    await website.tracking.send(.stop)
  }

  @Test func aPhotoServiceIsNamedOnceBeforeItLearnsPositions() async throws {
    let walks = TestWalks()
    let website = Website.make(walks, photos: Self.commons)
    for action in ["start", "resume"] {
      let asked = await website.postByScript("/tracking/\(action)")
      #expect(asked.status == .conflict)
      #expect(try asked.text.contains("Photo search sends positions to Wikimedia Commons."))
      #expect(asked["Set-Cookie"] == nil)
    }
    #expect(walks.made.isEmpty)
    let page = try await website.page("/?ask=start&track=1")
    #expect(page.contains("Photo search sends positions") && page.contains(">Not now</a>"))

    let agreed = await website.postByScript("/tracking/start", "confirmed=1")
    let cookie = try #require(agreed["Set-Cookie"]?.split(separator: ";").first.map(String.init))
    #expect(cookie == "faketrack-photos=Wikimedia%20Commons")
    await website.tracking.wait { !$0.isUnderWay }
    let headers: WebHeaders = ["Cookie": cookie, "X-Faketrack": "1"]
    #expect(await website.post("/tracking/start", headers: headers).status == .noContent)
    #expect(walks.made.count == 2)
    await website.tracking.wait { !$0.isUnderWay }
    let other: WebHeaders = ["Cookie": "faketrack-photos=Flickr", "X-Faketrack": "1"]
    #expect(await website.post("/tracking/start", headers: other).status == .conflict)
  }

  @Test func programsOtherThanBrowsersAreNotAsked() async throws {
    let walks = TestWalks()
    let website = try walking(walks, photos: Self.commons)
    #expect(await website.post("/tracking/start", "track=2")["Location"] == "/tracking")
    #expect(walks.made.map(\.track.name) == ["b.gpx"])
    await website.tracking.send(.stop)
  }

  @Test(arguments: [
    PhotoSourceSummary(), PhotoSourceSummary(title: "the built-in sample", isSample: true),
  ])
  func photosFromThisMachineAreNotAskedAbout(_ photos: PhotoSourceSummary) async throws {
    let website = Website.make(photos: photos)
    #expect(await website.postByScript("/tracking/start").status == .noContent)
    #expect(try await !website.page("/?ask=start").contains("Photo search"))
    await website.tracking.send(.stop)
  }

  @Test(arguments: ["ask=stop", "ask=", "ask=start&track=9"])
  func aQuestionThatHasNoAnswerIsNotAsked(_ query: String) async throws {
    let website = Website.make(tracks: [], photos: Self.commons)
    #expect(try await !website.page("/?\(query)").contains("name=\"confirmed\""))
  }
}
