import FaketrackFeatures
import FaketrackServer
import Foundation
import Locations
import Testing

@testable import FaketrackWeb

@MainActor
@Suite struct TrackingControlTests {
  @Test func aWalkIsControlledByForms() async throws {
    let walks = TestWalks()
    let website = Website.make(walks)
    _ = await website.post("/tracking/start", "track=1")
    await website.tracking.wait { !$0.isUnderWay }
    #expect(website.tracking.state.phase == .finished)
    #expect(website.tracking.state.photos.count == 11)
    _ = await website.postByScript("/tracking/position", "meters=700")
    #expect(walks.made.last?.start == 700)
    await website.tracking.wait { !$0.isUnderWay }
    #expect(website.tracking.state.photos.count > 11)
    _ = await website.postByScript("/tracking/speed", "speed=25")
    #expect(website.tracking.state.speed == ReplaySpeed(multiple: 25))
  }

  @Test func pauseResumeAndStop() async throws {
    let website = Website.make(speed: .realTime)
    _ = await website.post("/tracking/start", "track=1")
    #expect(website.tracking.state.phase == .running)
    _ = await website.post("/tracking/pause")
    #expect(website.tracking.state.phase == .paused)
    #expect(try await website.page("/tracking").contains("data-phase=\"paused\""))
    _ = await website.post("/tracking/resume")
    #expect(website.tracking.state.phase == .running)
    _ = await website.post("/tracking/stop")
    #expect(website.tracking.state.phase == .stopped)
    #expect(try await website.page("/tracking").contains("data-phase=\"ended\""))
  }

  @Test(arguments: [("track=2", 2), ("track=9", 1), ("", 1), ("track=x", 1), ("track=-1", 1)])
  func startWalksTheTrackThatIsAskedForOrTheChosenOne(_ form: String, track: Int) async throws {
    let walks = TestWalks()
    let website = Website.make(
      walks, tracks: [Walks.track(name: "a.gpx"), Walks.track(name: "b.gpx")])
    _ = await website.post("/tracking/start", form)
    #expect(website.tracking.state.track == track)
    #expect(walks.made.map(\.track.name) == [track == 1 ? "a.gpx" : "b.gpx"])
    await website.tracking.send(.stop)
  }

  @Test(
    arguments: [("500", 500.0), ("0", 0), ("1e300", nil), ("950.5", 950.5)] as [(String, Double?)])
  func noPositionIsBeyondTheEnd(_ meters: String, start: Double?) async throws {
    let walks = TestWalks()
    let website = Website.make(walks)
    _ = await website.post("/tracking/position", "meters=\(meters)")
    let length = await website.tracking.catalog.shape(of: 1)?.length
    #expect(walks.made.map(\.start) == [start ?? length])
    await website.tracking.send(.stop)
  }

  @Test(arguments: [
    ("answer=allow", AuthorizationStatus.authorizedWhenInUse), ("answer=deny", .denied),
    ("", .denied), ("answer=maybe", .denied),
  ])
  func theAnswerGoesToTheWalk(_ form: String, status: AuthorizationStatus) async throws {
    let walks = TestWalks(authorization: [.initially(.notDetermined)])
    let website = Website.make(walks, permission: .notDetermined)
    _ = await website.post("/tracking/permission", form)
    #expect(website.tracking.permission == status)
    #expect(walks.made.isEmpty, "no walk is begun")
    _ = await website.post("/tracking/start", "track=1")
    #expect(walks.made.map(\.answer) == [status])
    await website.tracking.send(.stop)
  }

  @Test(arguments: [("/", "/"), ("/tracking", "/tracking"), (nil, "/tracking")])
  func anAnswerLeadsBackToWhereItWasGiven(_ page: String?, location: String) async throws {
    let website = Website.make(permission: .denied)
    var headers: WebHeaders = [:]
    headers["Referer"] = page.map { "http://\(Website.host)\($0)" }
    let response = await website.post("/tracking/permission", "answer=allow", headers: headers)
    #expect(response.status == .seeOther)
    #expect(response["Location"] == location)
  }

  @Test func thePermissionCanBeTakenBackAndGivenAgain() async throws {
    let website = Website.make(speed: .realTime)
    await website.tracking.send(.start(track: nil))
    _ = await website.post("/tracking/permission", "answer=deny")
    let denied = try await website.page("/tracking")
    #expect(denied.contains("No permission") && denied.contains("data-phase=\"blocked\""))
    #expect(try await website.page("/").contains(">Watch</a>"), "it is still under way")
    _ = await website.post("/tracking/permission", "answer=allow")
    #expect(website.tracking.state.phase == .running)
    await website.tracking.send(.stop)
  }

  @Test func aDeniedWalkSaysSoAndCanBeAllowed() async throws {
    let website = Website.make(TestWalks(authorization: [.initially(.denied)]))
    await website.tracking.send(.start(track: nil))
    await website.tracking.wait { $0.phase == .blocked }
    let denied = try await website.page("/tracking")
    #expect(denied.contains("Location permission denied") && denied.contains("No permission"))
    _ = await website.post("/tracking/permission", "answer=allow")
    await website.tracking.wait { !$0.isUnderWay }
    #expect(website.tracking.state.photos.count == 11)
    #expect(try await !website.page("/tracking").contains("Location permission"))
  }

  @Test func aWalkThatCannotBeginSaysWhyAndOffersARetry() async throws {
    let website = Website.make(TestWalks(fails: true))
    _ = await website.post("/tracking/start", "track=1")
    #expect(website.tracking.state.phase.isFailed)
    let page = try await website.page("/tracking")
    #expect(page.contains("The walk failed") && page.contains("CannotWalk"))
    #expect(page.contains("action=\"/tracking/start\""))
  }
}

@MainActor
@Suite struct TrackingPageTests {
  @Test func theFirstAnswerShowsTheWalk() async throws {
    let website = Website.make()
    await website.tracking.walk()
    let page = try await website.page("/tracking")
    #expect(page.contains("<title>Tracking · faketrack</title>"))
    #expect(page.contains("<path class=\"track\"") && page.contains("<path class=\"walked\""))
    #expect(page.contains("data-text=\"photos\">11</span>"))
    #expect(page.contains("data-text=\"phase\" role=\"status\">Arrived</p>"))
    #expect(page.components(separatedBy: "<li class=\"card photo\"").count == 12)
    let numbers = page.matches(of: /id="photo-(\d+)"/).compactMap { Int($0.1) }
    #expect(numbers == Array((1...11).reversed()), "the newest first")
  }

  @Test func noMoreThanThirtyPhotosAreShown() async throws {
    let website = Website.make(tracks: [Walks.track(kilometers: 5)])
    await website.tracking.walk()
    let page = try await website.page("/tracking")
    #expect(page.components(separatedBy: "<li class=\"card photo\"").count == 31)
    #expect(page.contains("data-text=\"photos\">51</span>"))
  }

  @Test func theMapKnowsItsTrackAndTiles() async throws {
    let tiles = try #require(
      TileTemplate("https://tiles.example/{z}/{x}/{y}.png", attribution: "© Tiles"))
    let page = try await Website.make(tiles: tiles).page("/tracking")
    #expect(page.contains("data-track=\"1\""))
    #expect(page.contains("data-tiles=\"https://tiles.example/{z}/{x}/{y}.png\""))
    #expect(page.contains("<span>© Tiles</span>"))
  }

  @Test(arguments: [
    (TrackingState.Phase.idle, ["start"]), (.running, ["pause", "stop"]),
    (.paused, ["resume", "stop"]), (.finished, ["start"]), (.stopped, ["start"]),
    (.failed(Failure(message: "no")), ["start"]), (.blocked, ["stop"]),
  ])
  func onlyTheButtonsThatApplyAreShown(
    _ phase: TrackingState.Phase, shown: [String]
  ) async throws {
    var state = TrackingState(track: 1)
    state.phase = phase
    let page = try await page(of: state)
    let buttons = page.matches(of: /data-action="([a-z]+)" data-quiet( hidden)?>/)
    #expect(buttons.map { String($0.1) } == ["start", "pause", "resume", "stop"])
    #expect(buttons.filter { $0.2 == nil }.map { String($0.1) } == shown)
    let isFirst = phase == .idle
    #expect(page.contains(isFirst ? "<span>Start</span>" : "<span>Start again</span>"))
  }

  @Test(arguments: [("max", 8), ("25", 8), ("7", 9), ("0.5", 9)])
  func theSpeedIsAmongTheChoices(_ name: String, choices: Int) async throws {
    let speed = try #require(ReplaySpeed(name: name))
    let page = try await page(of: TrackingState(track: 1, speed: speed))
    let options = page.matches(of: /<option value="([^"]*)"( selected)?>([^<]*)</)
    #expect(options.count == choices)
    let selected = options.filter { $0.2 != nil }
    #expect(selected.map { String($0.1) } == [name])
    #expect(selected.map { String($0.3) } == [name == "max" ? "max" : "×\(name)"])
  }

  @Test func photosThatAreOnTheirWayAreSkeletons() async throws {
    var state = TrackingState(track: 1)
    #expect(try await page(of: state).contains("data-skeletons hidden"))
    #expect(try await page(of: state).contains("data-empty>"))
    state.phase = .running
    #expect(try await page(of: state).contains("data-skeletons>"))
    #expect(try await page(of: state).contains("data-empty hidden"))
    state.authorization = .denied
    #expect(try await page(of: state).contains("data-skeletons hidden"))
  }

  private func page(of state: TrackingState) async throws -> String {
    let catalog = TrackCatalog([Walks.track()])
    let shape = try #require(await catalog.shape(of: 1))
    let track = try #require(catalog.entries.first)
    return TrackingPage.html(
      state, TrackingUpdate(state, era: "e"), WalkerUpdate(state), track: track, shape: shape,
      tiles: nil
    ).markup
  }

  @Test func withoutATrackOneIsSentHome() async throws {
    let page = try await Website.make(tracks: []).page("/tracking")
    #expect(page.contains("There is no track to walk yet.") && page.contains("href=\"/\""))
    #expect(!page.contains("class=\"map\""))
  }

  @Test func aTrackThatCannotBeReadIsNoTrack() async throws {
    let website = Website.make(tracks: [Walks.track(gpx: "<gpx/>", name: "empty.gpx")])
    #expect(try await website.page("/tracking").contains("There is no track to walk yet."))
  }
}
