import FaketrackFeatures
import FaketrackServer
import FaketrackTestSupport
import Foundation
import Locations
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct HomePageTests {
  @Test func showsTheTracksWithTheirLength() async throws {
    let website = Website.make(tracks: [
      Walks.track(kilometers: 1, name: "short.gpx"), Walks.track(kilometers: 12, name: "long.gpx"),
    ])
    let page = try await website.page("/")
    #expect(page.contains("short.gpx") && page.contains("1.0 km"))
    #expect(page.contains("long.gpx") && page.contains("12.0 km"))
    #expect(page.components(separatedBy: "class=\"thumbnail\"").count == 3)
    #expect(!page.contains("data-waiting"))
    #expect(page.contains("<input type=\"hidden\" name=\"track\" value=\"2\">"))
  }

  @Test func theFirstAnswerDoesNotWaitForTracksThatAreStillBeingRead() async throws {
    let file = OpenFile()
    let website = Website.make(
      tracks: [file.track(name: "slow.gpx"), Walks.track(name: "next.gpx")], loadTimeout: .zero)
    let first = try await website.page("/")
    let part = try #require(
      first.firstMatch(of: /<div data-part="tracks"[^>]*>(.*)<\/div><details/))
    #expect(part.1.contains("slow.gpx") && part.1.contains("next.gpx"))
    #expect(part.1.contains("data-waiting") && part.1.contains("class=\"bar short\""))
    #expect(part.1.contains("<noscript><a class=\"button\" href=\"/?wait=1\">"))

    let rest = Task { try await website.page("/?part=tracks") }
    let whole = Task { try await website.page("/?wait=1") }
    try file.finish(Walks.gpx(kilometers: 2))
    let tracks = try await rest.value
    #expect(tracks.contains("2.0 km") && tracks.contains("1.0 km"))
    #expect(!tracks.contains("data-waiting") && !tracks.contains("<html"))
    #expect(try await whole.value.contains("2.0 km"))
    withExtendedLifetime(file) {}
  }

  @Test func aTrackThatIsStillBeingReadCanBeStarted() async throws {
    let file = OpenFile()
    let website = Website.make(tracks: [file.track(name: "slow.gpx")], loadTimeout: .zero)
    #expect(try await website.page("/").contains("aria-label=\"Start slow.gpx\""))
    try file.finish("<gpx/>")
    #expect(try await website.page("/?wait=1").contains("class=\"wrong\""))
    withExtendedLifetime(file) {}
  }

  @Test func theCardOfATrackShowsItsFailure() async throws {
    let website = Website.make(tracks: [
      Walks.track(gpx: "plain text", name: "notes.txt"), Walks.track(name: "good.gpx"),
    ])
    let page = try await website.page("/")
    #expect(page.contains("<p class=\"wrong\">"))
    #expect(!page.contains("aria-label=\"Start notes.txt\""))
    #expect(page.contains("aria-label=\"Start good.gpx\""))
  }

  @Test func aTrackIsRemovedUnlessItsWalkIsUnfinished() async throws {
    let website = Website.make(
      tracks: [Walks.track(name: "a.gpx"), Walks.track(name: "b.gpx")], speed: .realTime)
    _ = try await website.page("/")
    await website.tracking.send(.start(track: 1))
    let during = try await website.page("/")
    #expect(!during.contains("Remove a.gpx") && during.contains("Remove b.gpx"))
    _ = await website.post("/tracks/1/remove")
    #expect(website.tracking.catalog.entries.count == 2)
    await website.tracking.send(.stop)
    _ = await website.post("/tracks/1/remove")
    #expect(try await !website.page("/").contains("a.gpx"))
    #expect(try await website.page("/tracking").contains("b.gpx"), "the next one is chosen")
    _ = await website.post("/tracks/2/remove")
    #expect(try await website.page("/").contains("No track yet"))
    #expect(try await website.page("/tracking").contains("There is no track to walk yet."))
    #expect(await website.upload(Array(Walks.gpx(kilometers: 1).utf8)).status == .seeOther)
    #expect(website.tracking.state.track == 3)
  }

  @Test func theCardOfTheWalkedTrackShowsItsNewestPhoto() async throws {
    let website = Website.make(tracks: [Walks.track(name: "a.gpx"), Walks.track(name: "b.gpx")])
    #expect(try await !website.page("/").contains("<img"))
    await website.tracking.walk()
    let cards = try await website.page("/").components(separatedBy: "<li class=\"card track\"")
    #expect(cards.map { $0.components(separatedBy: "<img").count - 1 } == [0, 1, 0])
    let credit = try #require(cards[1].firstMatch(of: /<p class="credit">(.*?)<\/p>/))
    #expect(credit.1.contains("<a "), "the author")
    #expect(cards[1].contains(Quantity.count(website.tracking.state.photos.count, "photo")))
  }

  @Test func theNewestUploadIsFirstAndNewUntilItIsWalked() async throws {
    let website = Website.make(tracks: [Walks.track(name: "a.gpx"), Walks.track(name: "b.gpx")])
    for name in ["c.gpx", "d.gpx"] {
      _ = await website.upload(
        Array(Walks.gpx(kilometers: 1).utf8),
        disposition: "form-data; name=\"file\"; filename=\"\(name)\"")
    }
    func cards() async throws -> [Substring] {
      try await website.page("/").split(separator: "<li class=\"card track\"").dropFirst().map(
        \.self)
    }
    let before = try await cards()
    for (card, name) in zip(before, ["d.gpx", "c.gpx", "a.gpx", "b.gpx"]) {
      #expect(card.contains("<h2>\(name)</h2>"))
      #expect(card.contains(">New</span>") == ["c.gpx", "d.gpx"].contains(name))
    }
    await website.tracking.send(.start(track: 4))
    await website.tracking.wait { !$0.isUnderWay }
    #expect(try await cards().map { $0.contains(">New</span>") } == [false, true, false, false])
  }

  @Test func countsTheWalksAndTheirLength() async throws {
    let website = Website.make(tracks: [
      Walks.track(kilometers: 1, name: "a.gpx"), Walks.track(kilometers: 12, name: "b.gpx"),
    ])
    #expect(try await website.page("/").contains("role=\"status\">2 walks · 13.0 km</p>"))
  }

  @Test func theWalkIsOnTopWithItsControl() async throws {
    let website = Website.make(speed: .realTime)
    #expect(try await !website.page("/").contains("card running"))
    await website.tracking.send(.start(track: 1))
    let running = try await website.page("/")
    #expect(running.contains("card running") && running.contains("action=\"/tracking/pause\""))
    await website.tracking.send(.pause)
    let paused = try await website.page("/")
    #expect(paused.contains(">Paused</p>") && paused.contains("action=\"/tracking/resume\""))
    await website.tracking.send(.stop)
  }

  @Test func withoutTracksOneIsAskedForAFile() async throws {
    let page = try await Website.make(tracks: []).page("/")
    #expect(page.contains("No track yet: drop a GPX file here to walk it."))
    #expect(page.contains("data-drop") && page.contains("enctype=\"multipart/form-data\""))
    #expect(!page.contains("data-waiting"))
  }

  @Test func theTrackThatIsWalkedIsWatchedAndNotStarted() async throws {
    let website = Website.make(
      tracks: [Walks.track(name: "a.gpx"), Walks.track(name: "b.gpx")], speed: .realTime)
    await website.tracking.send(.start(track: 2))
    let during = try await website.page("/")
    #expect(during.contains("href=\"/tracking\">Watch</a>"))
    #expect(during.contains("Watch b.gpx") && !during.contains("Start b.gpx"))
    #expect(during.contains("Start a.gpx"))
    await website.tracking.send(.stop)
    let after = try await website.page("/")
    #expect(!after.contains(">Watch</a>") && after.contains("Start b.gpx"))
  }

  @Test(arguments: [
    (PhotoSourceSummary(title: "Flickr", hasFlickrKey: true), "Flickr"),
    (PhotoSourceSummary(title: "Wikimedia Commons", hasFlickrKey: true), "Wikimedia Commons"),
    (PhotoSourceSummary(title: "Wikimedia Commons"), "Wikimedia Commons; Flickr needs a key"),
    (PhotoSourceSummary(title: "the built-in sample", isSample: true), "Generated samples"),
    (PhotoSourceSummary(isOwn: true), "Your own"),
    (PhotoSourceSummary(isSample: true, hasFlickrKey: true), "Generated samples"),
    (PhotoSourceSummary(), "None"), (PhotoSourceSummary(hasFlickrKey: true), "None"),
  ])
  func namesTheSourceOfPhotos(_ photos: PhotoSourceSummary, words: String) async throws {
    #expect(photos.words == words)
    #expect(try await Website.make(photos: photos).page("/").contains("<dd>\(words)</dd>"))
  }

  @Test(arguments: [
    (AuthorizationStatus.authorizedWhenInUse, "Allowed", "deny", "Deny"),
    (.authorizedAlways, "Allowed", "deny", "Deny"),
    (.notDetermined, "Not asked yet", "allow", "Allow"), (.denied, "Denied", "allow", "Allow"),
    (.restricted, "Restricted", "allow", "Allow"),
  ])
  func showsThePermissionAndChangesIt(
    _ permission: AuthorizationStatus, words: String, answer: String, button: String
  ) async throws {
    let page = try await Website.make(permission: permission).page("/")
    let fact = try #require(page.firstMatch(of: /<dd>([^<]*)<form[^>]*permission">(.*?)<\/form>/))
    #expect(fact.1 == words)
    #expect(fact.2.contains("value=\"\(answer)\"") && fact.2.contains(">\(button)</button>"))
  }

  @Test func aPermissionThatWasGivenIsShown() async throws {
    let website = Website.make(tracks: [], permission: .denied)
    #expect(try await website.page("/").contains("<dd>Denied"))
    _ = await website.post("/tracking/permission", "answer=allow")
    #expect(try await website.page("/").contains("<dd>Allowed"))
  }

  @Test(arguments: [([] as [Int], "0 cities"), ([1], "1 city"), ([1, 2], "2 cities")])
  func countsTheFavorites(_ ids: [Int], words: String) async throws {
    let page = try await Website.make(favorites: StubFavorites(Set(ids))).page("/")
    #expect(page.contains("<a href=\"/cities?favorites=1\">\(words)</a>"))
  }

  @Test func favoritesThatCannotBeReadAreNoReasonToFail() async throws {
    let website = Website.make(favorites: StubFavorites(isBroken: true))
    let response = await website.get("/")
    #expect(response.status == .ok)
    let page = try response.text
    #expect(page.contains(StoreIsBroken().failure.message) && page.contains("walk.gpx"))
  }

  @Test func tellsWhichIndexIsInUse() async throws {
    var dependencies = Dependencies.make()
    for (isImported, words) in [(false, "built in"), (true, "imported")] {
      dependencies.hasImportedIndex = isImported
      let page = try await Website(dependencies, listeningOn: "127.0.0.1").page("/?wait=1")
      #expect(page.contains("<span class=\"muted\">\(words)</span>"))
    }
  }

  @Test func summarizesAShape() throws {
    let plain = try Walks.shape(Walks.gpx(kilometers: 1))
    #expect(plain.summary().hasPrefix("1.0 km"))
    #expect(plain.summary().hasSuffix("21 points"))
    let timed = try Walks.shape(
      """
      <gpx><trk><trkseg><trkpt lat="52" lon="13"><time>2026-05-01T08:00:00Z</time></trkpt>
      <trkpt lat="52.001" lon="13"><time>2026-05-01T08:02:00Z</time></trkpt></trkseg></trk></gpx>
      """)
    #expect(timed.summary() == "111 m · 2 min · 2 points")
    #expect(timed.facts() == "111 m · 2 min")
    let single = try Walks.shape(
      "<gpx><trk><trkseg><trkpt lat=\"52\" lon=\"13\"/></trkseg></trk></gpx>")
    #expect(single.summary() == "0 m · 1 point")
  }
}
