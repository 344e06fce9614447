import Cities
import Geodesy
import Locations
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@Suite struct TrackingStateTests {
  private static let place = Coordinate(unchecked: 52, 13)
  private static let broken = Failure(message: "broken")

  private static func fix(_ distance: Double?) -> TrackingEvent {
    .updated([.location(Fix(place, distance: distance))])
  }

  private static func moved(_ distance: Double) -> TrackingEvent {
    .moved(
      to: TrackShape.Place(
        coordinate: Coordinate(unchecked: 53, 14), distance: distance, course: 90, speed: 1))
  }

  private static func state(after events: [TrackingEvent]) -> TrackingState {
    var state = TrackingState()
    for event in events { state.apply(event) }
    return state
  }

  @Test(
    arguments: [
      ([moved(150)], 150), ([moved(150), moved(140)], 150), ([moved(150), fix(200)], 200),
      ([fix(200), moved(150)], 200), ([.updated([.unavailable]), moved(150)], 100),
      ([.updated([.authorization(.denied)]), moved(150)], 100), ([.paused, moved(150)], 100),
      ([.stopped(nil), moved(150)], 100), ([.finished(nil), moved(150)], 150),
      ([moved(150), .started(at: 40), moved(150)], 40),
    ] as [([TrackingEvent], Double)])
  func theWalkerGoesOnFromALocation(events: [TrackingEvent], distance: Double) {
    let state = Self.state(after: [.started(at: 0), Self.fix(100)] + events)
    #expect(state.distance == distance)
    #expect(state.legs.last?.upperBound == distance)
    #expect(state.deliveredDistance <= distance)
  }

  @Test func theWalkerIsWhereTheNewestIs() {
    let state = Self.state(after: [.started(at: 0), Self.fix(100), Self.moved(150)])
    #expect(state.position == Coordinate(unchecked: 53, 14))
    #expect(state.course == 90)
    let later = Self.state(
      after: [.started(at: 0), Self.fix(100), Self.moved(150), Self.fix(200)])
    #expect(later.position == Self.place)
    #expect(later.course == nil)
  }

  @Test(
    arguments: [
      ([], .idle), ([.started(at: 0)], .running), ([.started(at: 0), .paused], .paused),
      ([.started(at: 0), .paused, .resumed], .running),
      ([.started(at: 0), .paused, .paused], .paused), ([.started(at: 0), .resumed], .running),
      ([.started(at: 0), .finished(nil)], .finished), ([.started(at: 0), .stopped(nil)], .stopped),
      ([.started(at: 0), .failed(Failure(message: "m"), nil)], .failed(Failure(message: "m"))),
      ([.paused], .idle), ([.resumed], .idle), ([.reset(track: 1)], .idle),
      ([.started(at: 0), .finished(nil), .paused], .finished),
      ([.started(at: 0), .blocked(nil)], .blocked), ([.answered(.denied)], .idle),
      ([.started(at: 0), .blocked(nil), .paused], .blocked),
      ([.started(at: 0), .blocked(nil), .started(at: 0)], .running),
      ([.started(at: 0), .stopped(nil), .resumed], .stopped),
      ([.started(at: 0), .paused, .stopped(nil)], .stopped),
      ([.started(at: 0), .failed(Failure(message: "m"), nil), .started(at: 0)], .running),
      ([.started(at: 0), .reset(track: 1)], .idle),
    ] as [([TrackingEvent], TrackingState.Phase)])
  func phasesFollowEvents(events: [TrackingEvent], phase: TrackingState.Phase) {
    let state = Self.state(after: events)
    #expect(state.phase == phase)
    #expect(state.isUnderWay == [.running, .paused, .blocked].contains(phase))
  }

  @Test func theWayIsDeliveredAsFarAsItsVisitsAre() {
    func fix(_ meters: Double) -> LocationUpdate { .location(Fix(Self.place, distance: meters)) }
    func visit(_ meters: Double) -> Visit {
      Visit(index: 0, fix: Fix(Self.place, distance: meters))
    }
    var state = Self.state(after: [
      .started(at: 500), .updated([fix(600), fix(700), fix(800)]),
    ])
    #expect(state.distance == 800)
    #expect(state.deliveredDistance == 500)
    state.apply(.visited([visit(600), visit(700)]))
    #expect(state.deliveredDistance == 700)
    state.apply(.visited([visit(800)]))
    #expect(state.deliveredDistance == 800)
    // Visits of the new leg are not delivered yet.
    state.apply(.started(at: 5_000))
    state.apply(.updated([fix(5_100)]))
    #expect(state.deliveredDistance == 5_000)
  }

  @Test func theNewestPermissionCounts() {
    let state = Self.state(after: [
      .started(at: 0), .updated([.authorization(.notDetermined)]),
      .updated([.authorization(.authorizedWhenInUse)]), .updated([.authorization(.denied)]),
    ])
    #expect(state.authorization == .denied)
    #expect(state.phase == .running)
  }

  @Test(
    arguments: [
      (nil, false), (.notDetermined, true), (.denied, true), (.restricted, true),
      (.authorizedWhenInUse, false), (.authorizedAlways, false),
    ] as [(AuthorizationStatus?, Bool)])
  func tellsWhetherThePermissionIsMissing(status: AuthorizationStatus?, isMissing: Bool) {
    var state = TrackingState()
    state.authorization = status
    #expect(state.lacksPermission == isMissing)
  }

  @Test func aFixEndsTheLossOfTheSignal() {
    let lost = Self.state(after: [.started(at: 0), Self.fix(0), .updated([.unavailable])])
    #expect(!lost.isAvailable)
    #expect(lost.locations == 1)
    var found = lost
    found.apply(Self.fix(250))
    #expect(found.isAvailable)
    #expect(found.locations == 2)
    #expect(found.distance == 250)
  }

  @Test func visitsAreCountedByWhatTheyBrought() {
    let fix = Fix(Self.place)
    let state = Self.state(after: [
      .started(at: 0), .visited([Visit(index: 0, fix: fix, photo: .plain("a"))]),
      .visited([Visit(index: 1, fix: fix)]), .visited([Visit(index: 2, fix: fix, error: "first")]),
      .visited([Visit(index: 3, fix: fix, error: "second")]),
    ])
    #expect(state.searched == 4)
    #expect(state.found == 1)
    #expect(state.failures == 2)
    #expect(state.failure == "second")
    #expect(state.photos.cards.map(\.visit.index) == [0])
    #expect(state.lastVisit?.index == 3)
  }

  @Test func aPhotoThatWasNotDownloadedIsFoundAndAFailure() {
    let visit = Visit(index: 0, fix: Fix(Self.place), photo: .plain("a"), error: "HTTP 404")
    let state = Self.state(after: [.started(at: 0), .visited([visit])])
    #expect(state.found == 1)
    #expect(state.failures == 1)
    #expect(state.photos.count == 1)
  }

  @Test func tellsSinceWhereSearchesFail() {
    func visit(_ index: Int, error: String?) -> TrackingEvent {
      .visited([
        Visit(
          index: index, fix: Fix(Self.place, distance: Double(index) * 100), error: error)
      ])
    }
    var state = TrackingState()
    let steps: [(error: String?, since: Double?)] = [
      (nil, nil), ("down", 100), ("down", 100), (nil, nil), (nil, nil), ("down", 500),
    ]
    for (index, step) in steps.enumerated() {
      state.apply(visit(index, error: step.error))
      #expect(state.failingSince == step.since)
    }
    #expect(state.failure == "down")
  }

  @Test func theLastVisitIsKeptWithoutItsPhoto() {
    let city = NearbyCity(
      city: City(id: 1, name: "Potsdam", coordinate: Self.place), distance: 12)
    let visit = Visit(index: 5, fix: Fix(Self.place, distance: 9), city: city, photo: .plain("a"))
    let state = Self.state(after: [.started(at: 0), .visited([visit])])
    #expect(state.lastVisit?.photo == nil)
    #expect(state.lastVisit?.fix == visit.fix)
    #expect(state.lastVisit?.city == city)
  }

  @Test func theCityIsThatOfTheNewestLocation() {
    func near(_ name: String) -> NearbyCity {
      NearbyCity(city: City(id: 1, name: name, coordinate: Self.place), distance: 12)
    }
    func fix(_ distance: Double) -> LocationUpdate {
      .location(Fix(Self.place, distance: distance))
    }
    var state = Self.state(after: [.started(at: 0), .updated([fix(0)], city: near("Potsdam"))])
    #expect(state.city == near("Potsdam"), "before anything is delivered")
    state.apply(.updated([.unavailable]))
    #expect(state.city == near("Potsdam"), "only a location changes it")
    state.apply(.updated([fix(100), fix(200)], city: near("Berlin")))
    state.apply(
      .visited([Visit(index: 0, fix: Fix(Self.place, distance: 0), city: near("Potsdam"))]))
    #expect(state.city == near("Berlin"), "what is delivered late does not")
    state.apply(.started(at: 500))
    #expect(state.city == near("Berlin"))
    state.apply(.updated([fix(600)]))
    #expect(state.city == nil, "no city is near enough")
  }

  // MARK: - Parts of the track

  @Test func aLegGrowsWithTheDistance() {
    let state = Self.state(after: [
      .started(at: 0), Self.fix(0), Self.fix(120), Self.fix(90), Self.fix(nil), Self.fix(240),
    ])
    #expect(state.legs == [0...240])
    #expect(state.locations == 5)
  }

  @Test func movingBeginsAnotherLeg() {
    let state = Self.state(after: [
      .started(at: 0), Self.fix(300), .stopped(nil), .started(at: 1_500), Self.fix(1_510),
      Self.fix(1_700),
    ])
    #expect(state.legs == [0...300, 1_500...1_700])
    #expect(state.distance == 1_700)
  }

  @Test func theDistanceIsThatOfTheStartUntilThereIsAFix() {
    #expect(TrackingState().distance == 0)
    #expect(Self.state(after: [.started(at: 700)]).distance == 700)
    #expect(Self.state(after: [.started(at: 700), Self.fix(701)]).distance == 701)
    #expect(Self.state(after: [.started(at: 0), Self.fix(nil)]).distance == 0)
  }

  @Test func theShortestLegsAreForgotten() {
    let count = TrackingState.legLimit * 3
    let starts = (0..<count).map { 4_000 + 3 * Double($0) }
    let legs: [ClosedRange<Double>] = [0...3_000] + starts.map { $0...$0 + 1 }
    let state = Self.state(
      after: legs.flatMap { [.started(at: $0.lowerBound), Self.fix($0.upperBound)] })
    #expect(state.legs.count == TrackingState.legLimit)
    #expect(state.legs.first == legs.first)
    #expect(state.legs.last == legs.last)
    #expect(state.walkedDistance == Double(3_000 + TrackingState.legLimit - 1))
  }

  @Test(
    arguments: [
      (TrackingState.Phase.idle, 0, "Photos appear here during the walk."), (.running, 0, "…"),
      (.running, 3, "No photo has been found yet."), (.stopped, 3, "No photo has been found yet."),
      (.finished, 3, "No photos were found."),
    ])
  func itIsSaidWhyThereAreNoPhotos(
    phase: TrackingState.Phase, searched: Int, text: String
  ) {
    var state = TrackingState()
    state.phase = phase
    state.searched = searched
    #expect(WalkPresentation(state).photosPlaceholder == text)
    var silent = TrackingState(searchesPhotos: false)
    silent.phase = phase
    #expect(WalkPresentation(silent).photosPlaceholder == "Photos are switched off.")
  }

  @Test(
    arguments: [
      ([0...300, 1_500...1_700], [0...300, 1_500...1_700], 500),
      ([1_500...1_700, 0...300], [1_500...1_700, 0...300], 500),
      ([0...300, 200...500, 900...900], [0...500, 900...900], 500),
      ([0...300, 100...200], [0...300, 100...200], 300),
      ([0...300, 300...400, 50...60], [0...400, 50...60], 400),
      ([500...500, 100...100], [100...100], 0),
    ] as [([ClosedRange<Double>], [ClosedRange<Double>], Double)])
  func whatWasWalkedTwiceCountsOnce(
    parts: [ClosedRange<Double>], legs: [ClosedRange<Double>], distance: Double
  ) {
    let state = Self.state(
      after: parts.flatMap { [.started(at: $0.lowerBound), Self.fix($0.upperBound)] })
    #expect(state.legs == legs)
    #expect(state.walkedDistance == distance)
  }

  @Test(
    arguments: [
      ([], .idle), ([.started(at: 0)], .stopped), ([.started(at: 0), .paused], .paused),
      ([.started(at: 0), .finished(nil)], .finished), ([.started(at: 0), .blocked(nil)], .blocked),
      ([.started(at: 0), .failed(broken, nil)], .stopped),
    ] as [([TrackingEvent], TrackingState.Phase)])
  func whoIsPlacedSomewhereRestsThere(events: [TrackingEvent], phase: TrackingState.Phase) {
    let place = TrackShape.Place(
      coordinate: Coordinate(unchecked: 53, 14), distance: 700, course: nil, speed: 1)
    let state = Self.state(after: events + [.placed(at: 700, place)])
    #expect(state.phase == phase)
    #expect(state.distance == 700)
    #expect(state.position == place.coordinate)
    #expect(state.walkedDistance == 0)
    #expect(state.canResume == (phase != .blocked))
  }

  @Test func lookingAfterTheArrivalIsNotWalking() throws {
    var state = Self.state(after: [.started(at: 0), Self.fix(100), .finished(PhotoCounts())])
    let arrived = state
    state.apply(.placed(at: 40, nil))
    #expect(state.phase == .finished && state.distance == 40 && state.looksBack)
    #expect(!state.isUnfinished && state.canResume)
    #expect(state.legs == arrived.legs && state.searches == arrived.searches)
    #expect(state.fix == arrived.fix && state.walkedDistance == 100)
    #expect(WalkPresentation(state).controls.map(\.title) == ["Start here", "Start again"])
    state.apply(.started(at: 40))
    #expect(state.phase == .running && state.look == nil && state.distance == 40)
  }

  @Test func whoIsPlacedSomewhereKeepsThePermissionAndTheSignal() {
    let events: [TrackingEvent] = [
      .started(at: 0), .updated([.authorization(.denied), .unavailable]), .blocked(nil),
    ]
    let state = Self.state(after: events + [.placed(at: 700, nil)])
    #expect(state.authorization == .denied && state.isRefused)
    #expect(!state.isAvailable)
    #expect(WalkPresentation(state).notice?.remedies == [.allow])
  }

  @Test func nobodySeesAWalkStopThatGoesOn() {
    var state = Self.state(after: [.started(at: 0), Self.fix(100)])
    state.isBeingReplaced = true
    state.apply(.stopped(PhotoCounts()))
    #expect(state.phase == .running && state.searches != nil)
    state.apply(.stopped(nil))
    #expect(state.phase == .stopped, "it was to go on once")
  }

  // MARK: - Restarting

  @Test func goingOnElsewhereKeepsWhatWasShown() {
    var state = TrackingState(track: 3, speed: .max)
    for event: TrackingEvent in [
      .reset(track: 3), .started(at: 0), .updated([.authorization(.denied)]), Self.fix(100),
      .visited([Visit(index: 0, fix: Fix(Self.place), photo: .plain("a"))]),
      .updated([.unavailable]),
      .visited([Visit(index: 1, fix: Fix(Self.place), error: "down")]), .finished(PhotoCounts()),
    ] { state.apply(event) }
    let before = state
    state.apply(.started(at: 500))
    #expect(state.walk == before.walk)
    #expect(state.track == 3)
    #expect(state.speed == .max)
    #expect(state.photos == before.photos)
    #expect(state.lastVisit == before.lastVisit)
    #expect(state.legs == [0...100, 500...500])
    #expect(state.authorization == nil)
    #expect(state.isAvailable)
    #expect(state.fix == nil)
    #expect([state.locations, state.searched, state.found, state.failures] == [0, 0, 0, 0])
    #expect(state.failure == nil && state.failingSince == nil && state.searches == nil)
  }

  @Test func aNewWalkBeginsWithNothing() {
    var state = TrackingState(track: 3, speed: .max)
    for event: TrackingEvent in [
      .started(at: 0), .updated([.authorization(.denied)]), Self.fix(100),
      .visited([Visit(index: 0, fix: Fix(Self.place), photo: .plain("a"))]), .reset(track: 4),
    ] { state.apply(event) }
    var fresh = TrackingState(track: 4, speed: .max)
    fresh.walk = 1
    #expect(state == fresh)
    state.apply(.reset(track: 4))
    #expect(state.walk == 2)
  }

  @Test func theEndTellsWhatWasSearched() {
    let counts = PhotoCounts()
    for end: TrackingEvent in [.finished(counts), .stopped(counts), .failed(Self.broken, counts)] {
      #expect(Self.state(after: [.started(at: 0), end]).searches == counts)
    }
    #expect(Self.state(after: [.started(at: 0), .finished(nil)]).searches == nil)
  }

  @Test func theSpeedStaysFromWalkToWalkButFullSpeedOnlyOnItsTrack() throws {
    let fast = try #require(ReplaySpeed(multiple: 100))
    for (speed, track, next) in [(fast, 2, fast), (.max, 1, .max), (.max, 2, .realTime)] {
      var state = TrackingState(track: 1)
      for event in [.speedChanged(speed), .reset(track: track), .started(at: 0)] as [TrackingEvent]
      {
        state.apply(event)
      }
      #expect(state.speed == next, "\(speed) on track \(track)")
    }
  }
}

@Suite struct PhotoLogTests {
  private func log(_ count: Int) -> PhotoLog {
    var log = PhotoLog()
    for number in 0..<count { log.record(TestTrack.visit(number)) }
    return log
  }

  @Test(arguments: [0, 1, 29, 30, 31, 1_000, 20_000, 22_500, 22_501, 50_000])
  func staysWithinItsBounds(_ count: Int) {
    let log = log(count)
    #expect(log.count == count)
    #expect(log.cards.map(\.number) == Array(max(0, count - 30)..<count).map { $0 + 1 })
    #expect(log.pins.count >= min(count, PhotoLog.pinLimit))
    #expect(log.pins.count <= PhotoLog.pinLimit + PhotoLog.pinLimit / 8)
    #expect(log.pins.map(\.number) == Array((count - log.pins.count + 1)..<(count + 1)))
  }

  @Test func visitsWithoutPhotosLeaveNoTrace() {
    var log = log(3)
    log.record(TestTrack.visit(3, hasPhoto: false))
    #expect(log == self.log(3))
  }

  @Test func additionsHoldEveryLaterPhotoOnce() throws {
    let log = log(100)
    for number in 0...100 {
      let additions = try #require(log.after(number))
      #expect(additions.pins.map(\.number) == Array(number..<100).map { $0 + 1 })
      #expect(additions.cards.map(\.number) == Array(max(70, number)..<100).map { $0 + 1 })
    }
  }

  @Test(arguments: [0, 1, 30, 31, 100, 500])
  func olderPhotosAreAtHand(_ count: Int) {
    var state = TrackingState(memory: 200)
    for number in 0..<count {
      // Half of the locations have a photo.
      state.apply(.visited([TestTrack.visit(number * 2), TestTrack.visit(1, hasPhoto: false)]))
    }
    let known = (1...max(1, count)).filter { state.card($0) != nil }
    for number in known {
      #expect(state.card(number)?.number == number)
      #expect(state.card(number)?.visit.index == (number - 1) * 2)
    }
    #expect(known.count >= min(count, 100) && known.count <= 200)
    #expect(state.cards(upTo: count).map(\.number) == state.photos.cards.map(\.number))
    #expect(state.cards(upTo: .max) == state.cards(upTo: count))
    for number in [0, -1, .min, count + 1, .max] { #expect(state.card(number) == nil) }
    #expect(state.cards(upTo: 0).isEmpty && state.cards(upTo: -5).isEmpty)
  }

  @Test func withoutMemoryTheNewestPhotosAreAtHand() {
    var state = TrackingState()
    for number in 0..<50 { state.apply(.visited([TestTrack.visit(number)])) }
    #expect(state.history.count == 0)
    #expect(state.card(50) != nil && state.card(21) != nil && state.card(20) == nil)
  }

  @Test func whatIsTooLongAgoOrNotYetIsNotTold() {
    let log = log(50_000)
    #expect(log.after(50_001) == nil)
    #expect(log.after(-1) == nil)
    #expect(log.after(.max) == nil)
    #expect(log.after(.min) == nil)
    #expect(log.after(10) == nil)
    #expect(log.after(40_000) != nil)
    #expect(PhotoLog().after(0) == PhotoLog())
  }

  @Test func aPinIsWhereThePhotoWasTakenIfThatIsKnown() {
    let taken = Coordinate(unchecked: 1, 2)
    var log = PhotoLog()
    var visit = TestTrack.visit(1)
    log.record(visit)
    visit.photo = .plain("b", at: taken)
    log.record(visit)
    #expect(log.pins.map(\.coordinate) == [visit.fix.coordinate, taken])
  }
}

@Suite struct VisitTests {
  @Test func thePhotoIsSoFarAwayIfItsPlaceIsKnown() {
    var visit = TestTrack.visit(0)
    #expect(visit.photoDistance == nil)
    let taken = visit.fix.coordinate.destination(distance: 321, bearing: 40)
    visit.photo = .plain("a", at: taken)
    #expect(visit.photoDistance.map { abs($0 - 321) < 0.001 } == true)
    visit.photo = nil
    #expect(visit.photoDistance == nil)
  }
}
