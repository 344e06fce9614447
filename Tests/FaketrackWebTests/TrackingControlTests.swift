import Cities
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
    #expect(website.tracking.state.phase == .finished)
    #expect(walks.made.count == 1, "who has arrived only looks")
    _ = await website.postByScript("/tracking/resume")
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
    #expect(try await website.page("/tracking").contains("data-phase=\"stopped\""))
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
    await website.tracking.walk()
    _ = await website.post("/tracking/position", "meters=\(meters)&resume=1")
    let length = await website.tracking.catalog.shape(of: 1)?.length
    #expect(walks.made.map(\.start) == [nil] + (start.map { [$0] } ?? []))
    if start == nil { #expect(website.tracking.state.distance == length) }
    await website.tracking.send(.stop)
  }

  @Test func aProgramGetsAnswersInJSON() async throws {
    let website = Website.make()
    func post(_ address: String, _ form: String) async throws -> (Int, [String: Any]) {
      let response = await website.post(
        address, form, headers: ["Accept": "application/json", "Origin": "http://127.0.0.1:8080"])
      let data = Data(try response.bytes)
      return (
        Int(response.status.code),
        data.isEmpty ? [:] : try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
      )
    }
    let (started, state) = try await post("/tracking/start", "track=1")
    #expect(started == 200 && state["phase"] as? String == "running")
    for (address, form, status, reason) in [
      ("/tracking/permission", "answer=maybe", 400, "answer is allow or deny."),
      ("/tracking/speed", "speed=fast", 400, "speed is max or a number from 0.1 to 1000."),
      ("/nowhere", "", 404, "Not Found"),
    ] {
      let (code, answer) = try await post(address, form)
      #expect(code == status && answer as? [String: String] == ["error": reason])
    }
    #expect(try await post("/units", "units=imperial").0 == 204)
    await website.tracking.send(.stop)
  }

  @Test(arguments: [
    ("answer=allow", AuthorizationStatus.authorizedWhenInUse), ("answer=deny", .denied),
    ("", .notDetermined), ("answer=maybe", .notDetermined),
  ])
  func theAnswerGoesToTheWalk(_ form: String, status: AuthorizationStatus) async throws {
    let walks = TestWalks(authorization: [.change(to: .notDetermined, at: .start)])
    let website = Website.make(walks, permission: .notDetermined)
    let response = await website.post("/tracking/permission", form)
    #expect(response.status == (status == .notDetermined ? .badRequest : .seeOther))
    #expect(website.tracking.state.permission == status)
    #expect(walks.made.isEmpty, "no walk is begun")
    _ = await website.post("/tracking/start", "track=1")
    #expect(walks.made.map(\.answer) == [status == .notDetermined ? nil : status])
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
    let website = Website.make(TestWalks(authorization: [.change(to: .denied, at: .start)]))
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
    #expect(page.contains("data-text=\"photos\">11</dd>"))
    #expect(page.contains("data-text=\"phase\" role=\"status\">Arrived</p>"))
    #expect(page.components(separatedBy: "<li class=\"card photo sample\"").count == 12)
    let numbers = page.matches(of: /id="photo-(\d+)"/).compactMap { Int($0.1) }
    #expect(numbers == Array((1...11).reversed()), "the newest first")
  }

  @Test func noMoreThanThirtyPhotosAreShown() async throws {
    let website = Website.make(tracks: [Walks.track(kilometers: 5)])
    await website.tracking.walk()
    let page = try await website.page("/tracking")
    #expect(page.components(separatedBy: "<li class=\"card photo sample\"").count == 31)
    #expect(page.contains("data-text=\"photos\">51</dd>"))
    #expect(page.contains("href=\"/tracking?photos=21\">Older photos"))
  }

  @Test func olderPhotosAreShownOnDemand() async throws {
    let website = Website.make(tracks: [Walks.track(kilometers: 5)], memory: 100)
    await website.tracking.walk()
    for address in ["/tracking?photos=21", "/tracking?photos=21&part=photos"] {
      let page = try await website.page(address)
      let numbers = page.matches(of: /id="photo-(\d+)"/).compactMap { Int($0.1) }
      #expect(numbers == Array((1...21).reversed()))
      #expect(page.contains("href=\"/tracking\">Newest photos"))
      #expect(page.contains("data-page=\"older\" href=\"/tracking?photos=0\" hidden"))
    }
    let photo = try await website.page("/tracking?photos=3&part=photo")
    #expect(photo.contains("id=\"photo-3\"") && !photo.contains("photo-2"))
    for number in ["0", "52", "x", "-1", "99999999999999999999"] {
      #expect(await website.get("/tracking?photos=\(number)&part=photo").status == .notFound)
      #expect(await website.get("/tracking?photos=\(number)").status == .ok)
    }
  }

  @Test func theEndTellsWhatTheWalkCameTo() async throws {
    let website = Website.make(memory: 100)
    #expect(try await !website.page("/tracking").contains("class=\"poster"))
    await website.tracking.walk()
    let page = try await website.page("/tracking")
    #expect(page.contains("<section class=\"poster plain\" aria-label=\"Arrived\">"))
    #expect(page.contains("<dt>Distance</dt><dd>1.0<small> km</small></dd>"))
    #expect(page.contains("data-view=\"poster\""))
    for file in WalkFile.all {
      #expect(page.contains("href=\"\(file.address)\" download>\(file.title)</a>"))
    }
  }

  @Test(
    arguments: [
      ("walk.ndjson", "application/x-ndjson", 11), ("walk.csv", "text/csv; charset=utf-8", 12),
      ("walk.geojson", "application/geo+json", 13), ("credits.csv", "text/csv; charset=utf-8", 12),
    ])
  func theWalkCanBeKept(name: String, type: String, lines: Int) async throws {
    let website = Website.make(memory: 100)
    await website.tracking.walk()
    let response = await website.get("/tracking/\(name)")
    #expect(response.headers["Content-Type"] == type)
    #expect(
      response.headers["Content-Disposition"] == "attachment; filename=\"\(name)\"")
    #expect(try await response.streamedText().split(separator: "\n").count == lines)
  }

  @Test func theLocationsOfAllPartsAreCountedThrough() async throws {
    let website = Website.make(memory: 100)
    await website.tracking.walk()
    await website.tracking.send(.move(to: 800))
    await website.tracking.send(.resume)
    await website.tracking.wait { !$0.isUnderWay }
    let csv = try await website.get("/tracking/walk.csv").streamedText()
    let lines = csv.split(separator: "\n")
    #expect(
      lines.dropFirst().map { $0.prefix { $0 != "," } } == (0..<lines.count - 1).map { "\($0)" })
    #expect(lines.count > 12)
    let gpx = try await website.get("/tracking/walk.gpx").streamedText()
    #expect(gpx.components(separatedBy: "<trkpt ").count == lines.count)
    #expect(
      gpx.components(separatedBy: "<trkseg>").count == 3, "nobody walked from one part to the other"
    )
  }

  @Test func aFileOfALongWalkSaysWhereItBegins() async throws {
    let website = Website.make(tracks: [Walks.track(kilometers: 20)], memory: 64)
    await website.tracking.walk()
    let count = website.tracking.state.history.count
    let kept = count - website.tracking.state.history.forgotten
    #expect(kept < count)
    let csv = try await website.get("/tracking/walk.csv").streamedText()
    let indices = csv.split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } }
    #expect(indices == (count - kept..<count).map { "\($0)" })
    #expect(
      try await website.page("/tracking").contains("The files hold the last \(kept) locations."))
  }

  @Test func withoutASourceNoPhotosAreAwaited() async throws {
    var state = TrackingState(track: 1, searchesPhotos: false)
    state.apply(.reset(track: 1))
    state.apply(.started(at: 0))
    let update = TrackingUpdate(state, generation: "e")
    #expect(!update.isSearching && update.texts["withoutPhotos"] == "Photos are switched off.")
  }

  @Test func theUnitsAreRememberedByTheBrowser() async throws {
    let website = Website.make()
    await website.tracking.walk()
    let response = await website.post("/units", "units=imperial")
    #expect(response.status == .seeOther && response.headers["Location"] == "/tracking")
    let cookie = try #require(response.headers["Set-Cookie"])
    #expect(cookie == "faketrack-units=imperial; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly")
    let page = try await website.get(
      "/tracking", headers: ["Cookie": "a=b; faketrack-units=imperial"]
    ).text
    #expect(page.contains("of 0.6 mi") && page.contains("data-units=\"imperial\""))
    #expect(try await website.page("/tracking").contains("of 1.0 km"))
    let name = "faketrack-units"
    for cookie in ["\(name)=parsecs", name, "=", "\(name)=imperial=metric", "units=imperial"] {
      let page = try await website.get("/tracking", headers: ["Cookie": "\(cookie)"]).text
      #expect(page.contains("data-units=\"metric\""))
    }
    #expect(await website.post("/units", "units=parsecs").status == .badRequest)
  }

  @Test func howLargeACityIsCanBeChosen() async throws {
    let cities = CityNames(NearestCityCursor(.world, within: 100_000, minimumPopulation: 15_000))
    let website = Website.make(cities: cities)
    await website.tracking.walk()
    let first = try await website.page("/tracking")
    #expect(first.contains("value=\"15000\" aria-pressed=\"true\">15,000 people</button>"))
    #expect(first.contains("value=\"0\" aria-pressed=\"false\">Towns</button>"))
    let response = await website.post("/tracking/cities", "population=100000")
    #expect(response.status == .seeOther && response.headers["Location"] == "/tracking")
    #expect(cities.minimumPopulation == 100_000)
    let page = try await website.page("/tracking")
    #expect(page.contains("value=\"100000\" aria-pressed=\"true\">Cities</button>"))
    for wrong in ["population=-1", "population=many", "people=5"] {
      #expect(await website.post("/tracking/cities", wrong).status == .badRequest)
    }
    #expect(try await !Website.make().page("/tracking").contains("name=\"population\""))
  }

  @Test func theMapKnowsItsTrackAndTiles() async throws {
    let tiles = try #require(
      TileTemplate("https://tiles.example/{z}/{x}/{y}.png", attribution: "© Tiles"))
    let page = try await Website.make(tiles: tiles).page("/tracking")
    #expect(page.contains("data-track=\"1\""))
    #expect(page.contains("data-tiles=\"https://tiles.example/{z}/{x}/{y}.png\""))
    #expect(page.contains("<span data-tiles-credit hidden>© Tiles</span>"))
  }

  @Test(arguments: [
    (TrackingState.Phase.idle, ["start"]), (.running, ["pause", "stop"]),
    (.paused, ["resume", "stop"]), (.finished, ["start"]), (.stopped, ["resume", "start"]),
    (.failed(Failure(message: "no")), ["start"]), (.blocked, ["stop"]),
  ])
  func onlyTheButtonsThatApplyAreShown(
    _ phase: TrackingState.Phase, shown: [String]
  ) async throws {
    var state = TrackingState(track: 1)
    state.phase = phase
    let page = try await page(of: state)
    let buttons = page.matches(of: /data-action="([a-z]+)" data-quiet( hidden)?>/)
    #expect(buttons.map { String($0.1) } == ["pause", "resume", "start", "stop"])
    #expect(buttons.filter { $0.2 == nil }.map { String($0.1) } == [shown[0]])
    // The others are in the menu.
    let others = page.matches(of: /data-secondary="([a-z]+)" data-quiet( hidden)?>/)
    #expect(others.map { String($0.1) } == ["start", "stop"])
    #expect(others.filter { $0.2 == nil }.map { String($0.1) } == Array(shown.dropFirst()))
    let start = phase == .idle ? "Start" : "Start again"
    #expect(page.contains("<span data-text=\"start\">\(start)</span>"))
  }

  @Test(arguments: [("max", 14), ("25", 14), ("7", 15), ("0.5", 15)])
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
    #expect(try await page(of: state).contains("data-view=\"cover\""))
    state.phase = .running
    #expect(try await page(of: state).contains("data-skeletons>"))
    #expect(try await page(of: state).contains("data-view=\"map\""))
    state.authorization = .denied
    #expect(try await page(of: state).contains("data-skeletons hidden"))
  }

  private func page(of state: TrackingState) async throws -> String {
    let catalog = TrackCatalog([Walks.track()])
    _ = await catalog.shape(of: 1)
    var state = state
    state.entry = catalog.entries.first
    return TrackingPage(units: .metric).html(state, generation: "e")
      .markup
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
