import Cities
import FaketrackFeatures
import Foundation
import Geodesy
import Locations
import Testing

@testable import FaketrackWeb

@Suite struct TrackingUpdateTests {
  private func json(_ update: some Encodable) throws -> [String: Any] {
    let data = try ScriptJSON.encode(update)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func theFieldsAreThoseThatTheScriptsRead() throws {
    let state = try Walks.state(photos: 3)
    let fields = try json(TrackingUpdate(state, generation: "e"))
    #expect(
      Set(fields.keys) == [
        "walk", "track", "phase", "texts", "legs", "actions", "isSearching", "playPause",
        "command", "speed", "hasFiles", "looksBack",
      ])
    #expect(TrackingParts(state).markup.count == 3)
    let texts = fields["texts"] as? [String: String]
    #expect(
      texts == [
        "phase": "Walking", "near": "", "photos": "3", "start": "Start again",
        "resume": "Continue", "withoutPhotos": "No photo was found near this position.",
        "highest": "",
        "lowest": "", "filesNote": "", "photoNews": "3 photos",
      ])
    #expect(fields["legs"] as? [Double] == [0])
    #expect(fields["track"] as? Int == 1)
    #expect(fields["walk"] as? String == "e-1")

    let walker = try json(WalkerUpdate(state))
    #expect(Set(walker.keys) == ["texts", "position", "meters"])
    #expect(
      walker["texts"] as? [String: String] == [
        "position": "300 m", "distance": "300 m", "time": "", "elapsed": "", "moving": "",
        "pace": "", "average": "", "elevation": "", "ascent": "",
      ])
    #expect(walker["meters"] as? Double == 300)
    #expect(walker["position"] as? [Double] == [52, 13.003])
  }

  @Test func aPlaceThatWasChosenBeforeTheWalkIsWhereItStarts() {
    var state = TrackingState(track: 1)
    state.apply(.placed(at: 700, nil))
    let texts = TrackingUpdate(state, generation: "e").texts
    #expect(texts["resume"] == "Start here" && texts["start"] == "From the start")
    #expect(TrackingUpdate(TrackingState(track: 1), generation: "e").texts["start"] == "Start")
  }

  @Test func photosOfAFastWalkAreAnnouncedInTens() throws {
    var state = try Walks.state(photos: 9)
    func news() -> String? { TrackingUpdate(state, generation: "e").texts["photoNews"] }
    #expect(news() == "9 photos")
    state.apply(.speedChanged(.max))
    #expect(news() == "")
    try Walks.add(10...19, to: &state)
    #expect(news() == "10 photos")
    state.apply(.finished(nil))
    #expect(news() == "19 photos")
  }

  @Test func aStateWithoutAFixHasNoPosition() {
    let update = TrackingUpdate(TrackingState(), generation: "e")
    let walker = WalkerUpdate(TrackingState())
    #expect(walker.position == nil && walker.course == nil && walker.meters == 0)
    #expect(update.phase == "idle" && update.texts["phase"] == "Ready")
    #expect(update.legs.isEmpty && update.track == nil)
    #expect(update.walk == "e-0")
  }

  @Test(arguments: [
    (TrackingState.Phase.idle, "idle", "Ready"), (.running, "running", "Walking"),
    (.paused, "paused", "Paused"), (.blocked, "blocked", "No permission"),
    (.finished, "ended", "Arrived"), (.stopped, "stopped", "Stopped"),
    (.failed(Failure(message: "no")), "ended", "Failed"),
  ])
  func phasesHaveANameAndWords(_ phase: TrackingState.Phase, name: String, words: String) {
    var state = TrackingState(track: 1)
    state.phase = phase
    let update = TrackingUpdate(state, generation: "e")
    #expect(update.phase == name && update.texts["phase"] == words)
  }

  @Test(arguments: [
    (AuthorizationStatus.notDetermined, "Asking"), (.denied, "No permission"),
    (.restricted, "No permission"), (.authorizedAlways, "Walking"),
    (.authorizedWhenInUse, "Walking"),
  ])
  func theLackOfPermissionCountsFirst(_ status: AuthorizationStatus, words: String) {
    var state = TrackingState(track: 1)
    state.phase = .running
    state.authorization = status
    #expect(TrackingUpdate(state, generation: "e").texts["phase"] == words)
  }

  @Test func aLostSignalIsSaid() {
    var state = TrackingState(track: 1)
    state.phase = .running
    state.apply(.updated([.unavailable]))
    #expect(TrackingUpdate(state, generation: "e").texts["phase"] == "Signal lost")
  }

  @Test func aFixIsRoundedToWhatAScreenShows() throws {
    var state = TrackingState(track: 1)
    let place = try Coordinate(latitude: 52.123_456_789, longitude: -13.987_654_321)
    state.fix = Fix(
      place, time: Date(timeIntervalSince1970: 1_777_622_759), elevation: 34.56, course: 89.7,
      distance: 12_345.678)
    state.legs = [0...12_345.678]
    let update = WalkerUpdate(state)
    #expect(update.position == [52.123_457, -13.987_654])
    #expect(update.course == 90 && update.meters == 12_345.7)
    #expect(update.texts["distance"] == "12.3 km" && update.texts["elevation"] == "35 m")
  }

  @Test func northStaysNorthWhenItIsRounded() throws {
    var state = TrackingState(track: 1)
    state.fix = Fix(try Coordinate(latitude: 52, longitude: 13), course: 359.7)
    #expect(WalkerUpdate(state).course == 0)
  }

  @Test func theTimeIsThatOfThePlace() throws {
    var state = TrackingState(track: 1)
    let place = try Coordinate(latitude: 52, longitude: 13)
    state.fix = Fix(place, time: Date(timeIntervalSince1970: 1_777_622_759))
    #expect(WalkerUpdate(state).texts["time"] == "08:05 UTC")
    let city = City(
      id: 7, name: "Werder", country: "DE", coordinate: place, timezone: "Europe/Berlin")
    state.city = NearbyCity(city: city, distance: 10)
    #expect(WalkerUpdate(state).texts["time"] == "10:05 CEST")
    var utc = TrackingState(track: 1, clocks: .utc)
    (utc.fix, utc.city) = (state.fix, state.city)
    #expect(WalkerUpdate(utc).texts["time"] == "08:05 UTC")
  }

  @Test func lengthsAreInTheUnitsThatAreRead() throws {
    var state = try Walks.state(photos: 12)
    state.fix?.elevation = 100
    let walker = WalkerUpdate(state, in: .imperial)
    #expect(walker.texts["distance"] == "0.7 mi" && walker.texts["elevation"] == "328 ft")
    #expect(walker.meters == 1_200)
    #expect(PhotoUpdate(state.photos, in: .imperial).cards[0].html.contains("328 ft"))
  }

  @Test func aStoppedWalkCanContinue() throws {
    var state = try Walks.state(photos: 3)
    state.apply(.stopped(nil))
    #expect(TrackingUpdate(state, generation: "e").phase == "stopped")
    state.apply(.finished(nil))
    #expect(TrackingUpdate(state, generation: "e").phase == "ended")
  }

  @Test func theNearestCityIsNamed() throws {
    var state = TrackingState(track: 1)
    let fix = try Walks.visit(1).fix
    let city = NearbyCity(
      city: City(id: 7, name: "Werder", coordinate: fix.coordinate), distance: 10)
    state.apply(.updated([.location(fix)], city: city))
    #expect(TrackingUpdate(state, generation: "e").texts["near"] == "Werder")
  }

  @Test(arguments: [("max", "max"), ("10", "10"), ("0.5", "0.5")])
  func theSpeedIsNamedAsTheFormSendsIt(_ name: String, field: String) throws {
    let state = TrackingState(track: 1, speed: try #require(ReplaySpeed(name: name)))
    #expect(TrackingUpdate(state, generation: "e").speed == field)
  }

  @Test func pinsAreFlat() throws {
    let state = try Walks.state(photos: 2)
    let photos = PhotoUpdate(state.photos)
    #expect(photos.pins == [1, 52, 13.001, 100, 2, 52, 13.002, 200])
    #expect(photos.images.count == 2)
    #expect(photos.cards.map(\.number) == [1, 2])
  }
}

@Suite struct PhotoThumbnailTests {
  @Test(arguments: [
    (
      "https://live.staticflickr.com/65535/1_ab_z.jpg", true,
      "https://live.staticflickr.com/65535/1_ab_s.jpg"
    ),
    ("https://live.staticflickr.com/65535/1_ab_z.jpg", false, ""),
    (
      "https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/A_1.jpg/800px-A_1.jpg", false,
      "https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/A_1.jpg/120px-A_1.jpg"
    ),
    ("https://page.faketrack.example/photos/sample/s1_z.jpg", false, "/photos/sample/s1_q.jpg"),
    ("ftp://photos.example/1.jpg", true, ""),
  ])
  func isSmallAndWithinTheTermsOfTheService(
    _ url: String, isOnCard: Bool, address: String
  ) throws {
    let url = try #require(URL(string: url))
    #expect(PhotoThumbnail.address(of: url, isOnCard: isOnCard) == address)
  }
}

@Suite struct WalkNoticeTests {
  private func notice(_ change: (inout TrackingState) -> Void) -> String {
    var state = TrackingState(track: 1)
    change(&state)
    return WalkCards.notice(WalkPresentation(state).notice).markup
  }

  @Test func allIsWellWithoutANotice() {
    #expect(notice { $0.phase = .running }.isEmpty)
    #expect(notice { $0.authorization = .authorizedAlways }.isEmpty)
    #expect(notice { $0.failure = "an old failure" }.isEmpty)
  }

  @Test(arguments: [
    (TrackingState.Phase.idle, false), (.running, true), (.paused, true), (.blocked, true),
    (.finished, false), (.stopped, false),
  ])
  func onlyAWalkAsks(_ phase: TrackingState.Phase, asks: Bool) {
    let markup = notice {
      $0.phase = phase
      $0.authorization = .notDetermined
    }
    #expect(markup.contains("May faketrack use your location?") == asks)
  }

  @Test(arguments: [
    (TrackingState.Phase.idle, "No permission", "then start a walk"),
    (.running, "No permission", "continues from here"),
    (.paused, "No permission", "continues from here"),
    (.blocked, "No permission", "continues from here"),
    (.finished, "Arrived", "then start a walk"), (.stopped, "Stopped", "then start a walk"),
  ])
  func aRefusalIsSaidWithOneRemedy(_ phase: TrackingState.Phase, words: String, hint: String) {
    var state = TrackingState(track: 1)
    state.phase = phase
    state.authorization = .denied
    let markup = WalkCards.notice(WalkPresentation(state).notice).markup
    #expect(WalkPresentation(state).status == words)
    #expect(markup.contains(hint))
    #expect(markup.components(separatedBy: "<button").count == 2)
    #expect(markup.contains("<button class=\"button primary\">Allow</button>"))
  }

  @Test func thePermissionIsAskedFor() {
    let markup = notice {
      $0.phase = .running
      $0.authorization = .notDetermined
    }
    #expect(markup.contains("May faketrack use your location?"))
    #expect(markup.contains("role=\"region\""))
    #expect(markup.contains("name=\"answer\" value=\"allow\""))
    #expect(markup.contains("name=\"answer\" value=\"deny\"") && markup.contains("Don’t allow"))
  }

  @Test(arguments: [AuthorizationStatus.denied, .restricted])
  func aRefusalCanBeTakenBack(_ status: AuthorizationStatus) {
    let markup = notice { $0.authorization = status }
    #expect(markup.contains("Location permission \(status.rawValue)"))
    #expect(markup.contains("value=\"allow\"") && !markup.contains("value=\"deny\""))
  }

  @Test func aFailureHasItsHintAndARetry() {
    let markup = notice {
      $0.phase = .failed(Failure(message: "the file <is> gone", hint: "Bring it back."))
    }
    #expect(markup.contains("The file &lt;is&gt; gone.") && markup.contains("Bring it back."))
    #expect(markup.contains("action=\"/tracking/start\"") && markup.contains("data-quiet"))
  }

  @Test func photosThatAreMissingCanBeSearchedAgainFromThere() throws {
    var state = try Walks.state(photos: 2)
    state.apply(.visited([try Walks.visit(12, hasPhoto: false, error: "Flickr is away")]))
    state.apply(.visited([try Walks.visit(13, hasPhoto: false, error: "Flickr is still away")]))
    let markup = WalkCards.notice(WalkPresentation(state).notice).markup
    #expect(markup.contains("No photos since 1.2 km"))
    #expect(markup.contains("Flickr is still away."))
    #expect(markup.contains("name=\"meters\" value=\"1200.0\""))
    state.apply(.visited([try Walks.visit(14)]))
    #expect(WalkCards.notice(WalkPresentation(state).notice).markup.isEmpty)
  }

  @Test func thePermissionCountsBeforeAFailure() {
    let markup = notice {
      $0.authorization = .denied
      $0.phase = .failed(Failure(message: "no"))
    }
    #expect(markup.contains("Location permission denied") && !markup.contains("The walk failed"))
  }
}
