import Cities
import FaketrackTestSupport
import Geodesy
import Locations
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@MainActor @Suite struct TrackingViewModelTests {
  @Test func beginsWithTheFirstTrackAndWalksNothing() {
    let factory = WalkFactory()
    let model = factory.model(
      [TestTrack.file("a"), TestTrack.file("b")], speed: .realTime, permission: .notDetermined)
    var expected = TrackingState(track: 1, speed: .realTime)
    expected.entry = model.catalog.entries.first
    #expect(model.state == expected)
    #expect(model.state.permission == .notDetermined)
    #expect(factory.requests.isEmpty)
  }

  @Test func walksToTheEndWithAPhotoForEvery100Meters() async throws {
    let factory = WalkFactory()
    let log = VisitLog()
    let model = factory.model { log.append($0) }
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(model.state.phase == .finished)
    #expect(model.state.walk == 1)
    #expect(model.state.photos.count == 21)
    #expect(model.state.searches?.found == 21)
    #expect(model.state.distance > 1_900)
    #expect(log.visits.map(\.index) == Array(0..<21))
    #expect(model.state.permission == .authorizedWhenInUse)
  }

  @Test func asksForTheTrackTheSpeedAndTheStart() async throws {
    let factory = WalkFactory()
    let model = factory.model([
      TestTrack.file(TestTrack.gpx(kilometers: 1), name: "a.gpx"),
      TestTrack.file(TestTrack.gpx(kilometers: 1), name: "b.gpx"),
    ])
    await model.send(.start(track: 2))
    try await model.waitForEnd()
    await model.send(.setSpeed(.max))
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    await model.send(.move(to: 400))
    await model.send(.resume)
    try await model.waitForEnd()
    #expect(factory.requests.map(\.track.name) == ["b.gpx", "b.gpx", "b.gpx"])
    #expect(factory.requests.map(\.start) == [nil, nil, 400])
    #expect(factory.requests.map(\.speed) == [.max, .max, .max])
    #expect(factory.requests.map(\.answer) == [nil, nil, nil])
  }

  @Test func choosingShowsATrackWithoutWalkingIt() async throws {
    let factory = WalkFactory()
    let model = factory.model([TestTrack.file("a"), TestTrack.file("b")])
    await model.send(.choose(track: 2))
    #expect(model.state.track == 2)
    #expect(model.state.phase == .idle)
    #expect(model.state.walk == 1)
    await model.send(.choose(track: 2))
    #expect(model.state.walk == 1, "it is chosen already")
    #expect(factory.requests.isEmpty)
  }

  @Test func choosingAnotherTrackTakesThePhotosOfTheLastOneAway() async throws {
    let file = TestTrack.file(TestTrack.gpx(kilometers: 1))
    let model = WalkFactory().model([file, file])
    await model.send(.start(track: 1))
    try await model.waitForEnd()
    #expect(model.state.photos.count == 11)
    await model.send(.choose(track: 1))
    #expect(model.state.photos.count == 11, "the same track stays as it is")
    await model.send(.choose(track: 2))
    #expect(model.state.photos.count == 0)
    #expect(model.state.legs.isEmpty)
  }

  @Test func duringAWalkNoOtherTrackIsChosen() async throws {
    let file = TestTrack.file(TestTrack.gpx(kilometers: 1))
    let model = WalkFactory().model([file, file], speed: .realTime)
    await model.send(.start(track: 1))
    await model.send(.choose(track: 2))
    #expect(model.state.track == 1)
    #expect(model.state.phase == .running)
    await model.send(.stop)
  }

  @Test func startWithoutATrackDoesNothing() async throws {
    let factory = WalkFactory()
    let model = factory.model([])
    var before = model.state
    for action in [.start(track: nil), .move(to: 3), .pause, .resume, .stop]
      as [TrackingViewModel.Action]
    {
      await model.send(action)
    }
    before.command = 5
    #expect(model.state == before)
    #expect(before.track == nil)
    #expect(factory.requests.isEmpty)
    try await model.waitForEnd()
  }

  @Test func aTrackThatDoesNotExistIsNotWalked() async throws {
    let factory = WalkFactory()
    let model = factory.model()
    await model.send(.start(track: 99))
    #expect(model.state.phase == .idle)
    #expect(factory.requests.isEmpty)
  }

  @Test func aNewWalkBeginsWithoutPhotos() async throws {
    let factory = WalkFactory()
    let model = factory.model()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    let photos = model.state.photos
    await model.send(.start(track: nil))
    #expect(model.state.walk == 2)
    try await model.waitForEnd()
    #expect(model.state.photos.count == photos.count)
    #expect(model.state.legs.count == 1)
  }

  @Test func movingKeepsThePhotosAndGoesOnFromThere() async throws {
    let factory = WalkFactory()
    let model = factory.model()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    let photos = model.state.photos.count
    await model.send(.move(to: 1_500))
    #expect(model.state.phase == .finished)
    #expect(model.state.photos.count == photos)
    await model.send(.resume)
    try await model.waitForEnd()
    #expect(model.state.walk == 1)
    #expect(factory.requests.map(\.start) == [nil, 1_500])
    #expect((photos + 1...photos + 6).contains(model.state.photos.count))
    #expect(model.state.legs.map(\.lowerBound) == [0, 1_500])
  }

  @Test func movingBeforeTheStartGoesToTheStart() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    try await #require(factory.newest).advance(to: .meters(350))
    await model.send(.move(to: -50))
    #expect(factory.requests.map(\.start) == [nil, 0])
    #expect(model.state.phase == .running)
    await model.send(.stop)
  }

  @Test func aPausedWalkStaysPausedWhereItIsMovedTo() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime, readsShapes: true)
    let place = try #require(await model.catalog.shape(of: 1)?.place(atDistance: 1_200))
    await model.send(.start(track: nil))
    try await #require(factory.newest).advance(to: .meters(350))
    await model.store.first { $0.searched == 4 }
    await model.send(.pause)
    let photos = model.state.photos.count
    for meters in [600.0, 1_200] {
      await model.send(.move(to: meters))
      #expect(model.state.phase == .paused)
      #expect(model.state.distance == meters)
    }
    #expect(model.state.position == place.coordinate)
    await #expect(throws: AdvanceError.self) {
      try await #require(factory.newest).advance(to: .end)
    }
    #expect(model.state.locations == 0)
    #expect(model.state.photos.count == photos, "nothing is searched on the way")
    await model.send(.resume)
    try await #require(factory.newest).advance(to: .end)
    try await model.waitForEnd()
    #expect(factory.requests.map(\.start) == [nil, 600, 1_200])
    #expect(model.state.walkedDistance < 1_200)
  }

  @Test func aStoppedWalkGoesOnWhereItWasStopped() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    try await #require(factory.newest).advance(to: .meters(350))
    _ = await model.store.first { $0.searched == 4 }
    await model.send(.stop)
    let distance = model.state.distance
    #expect(model.state.canResume)
    await model.send(.resume)
    #expect(model.state.phase == .running)
    #expect(factory.requests.map(\.start) == [nil, distance])
    await model.send(.stop)
    #expect(model.state.walk == 1, "it is the same walk")
  }

  @Test func aPausedWalkThatWasDeniedAtItsStartStaysPaused() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    await model.send(.pause)
    await model.send(.answer(.denied))
    #expect(model.state.phase == .blocked)
    for action in [.pause, .resume] as [TrackingViewModel.Action] {
      await model.send(action)
      #expect(model.state.phase == .blocked)
    }
    await model.send(.answer(.authorizedWhenInUse))
    #expect(model.state.phase == .paused)
    await model.send(.resume)
    #expect(model.state.phase == .running)
    await model.send(.pause)
    #expect(model.state.phase == .paused)
    await model.send(.stop)
    #expect(model.state.phase == .stopped)
  }

  @Test func aBlockedWalkRestsWhereItIsMovedTo() async throws {
    for answers in [[], [AuthorizationStatus.denied]] {
      let factory = WalkFactory(
        authorization: [.change(to: answers.isEmpty ? .denied : .authorizedWhenInUse, at: .start)])
      let model = factory.model(speed: .realTime)
      await model.send(.start(track: nil))
      for answer in answers { await model.send(.answer(answer)) }
      _ = await model.store.first { $0.phase == .blocked }
      await model.send(.move(to: 700))
      #expect(model.state.phase == .blocked && model.state.distance == 700)
      #expect(WalkPresentation(model.state).notice?.remedies == [.allow])
      await model.send(.answer(.authorizedWhenInUse))
      #expect(factory.requests.last?.start == 700)
      #expect(model.state.phase == .running)
      await model.send(.stop)
    }
  }

  @Test func theSameAnswerDisturbsNoWalk() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    await model.send(.answer(.authorizedWhenInUse))
    await model.send(.answer(.authorizedWhenInUse))
    #expect(factory.requests.count == 1)
    await model.send(.stop)
  }

  @Test func nobodySeesAWalkStopThatIsMoved() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    let phases = Task {
      var phases: [TrackingState.Phase] = []
      for await state in model.states() {
        if phases.last != state.phase { phases.append(state.phase) }
        if state.phase == .stopped { break }
      }
      return phases
    }
    await model.send(.start(track: nil))
    for meters in [300.0, 700, 100] { await model.send(.move(to: meters)) }
    await model.send(.stop)
    #expect(await phases.value.filter { $0 != .idle } == [.running, .stopped])
  }

  @Test func whatWasOnItsWayIsSearchedAgain() async throws {
    let held = Latch()
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime) { visits in
      guard visits.contains(where: { $0.index > 1 }) else { return visits.count }
      await held.open()
      // Until the walk is stopped.
      try? await Task.sleep(for: .seconds(3_600))
      return 0
    }
    await model.send(.start(track: nil))
    try await #require(factory.newest).advance(to: .meters(450))
    await held.hold()
    let delivered = model.state.deliveredDistance
    #expect(delivered < model.state.distance)
    await model.send(.stop)
    await model.send(.resume)
    #expect(factory.requests.map(\.start) == [nil, delivered])
    await model.send(.stop)
  }

  @Test func whoHasArrivedStartsAgainRatherThanGoesOn() async throws {
    let factory = WalkFactory()
    let model = factory.model()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    await model.send(.resume)
    #expect(factory.requests.count == 1)
    #expect(model.state.phase == .finished)
  }

  @Test func aPausedWalkStaysWhereItIs() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    let provider = try #require(factory.newest)
    try await provider.advance(to: .meters(350))
    #expect(model.state.locations == 4)
    await model.send(.pause)
    #expect(model.state.phase == .paused)
    await #expect(throws: AdvanceError.self) { try await provider.advance(to: .end) }
    #expect(model.state.locations == 4)
    await model.send(.resume)
    #expect(model.state.phase == .running)
    try await provider.advance(to: .end)
    try await model.waitForEnd()
    #expect(model.state.searched == 21)
  }

  @Test func controlsReachThePaceOnlyDuringAWalk() async throws {
    let pace = RecordingPace()
    let model = TrackingViewModel(
      catalog: TrackCatalog([TestTrack.file("a")], readsShapes: false), speed: .realTime,
      permission: .authorizedWhenInUse,
      makeWalk: { _ in
        Walk(
          locations: TestTrack.provider(TestTrack.kilometers(2), speed: .realTime), pace: pace)
      })
    let ten = try #require(ReplaySpeed(multiple: 10))
    await model.send(.pause)
    await model.send(.setSpeed(ten))
    #expect(pace.changes.isEmpty)
    #expect(model.state.speed == ten, "it is the speed of the next walk")
    await model.send(.start(track: nil))
    for action in [.pause, .setSpeed(.max), .resume] as [TrackingViewModel.Action] {
      await model.send(action)
    }
    #expect(pace.changes == ["pause", "max", "resume"])
    #expect(model.state.speed == .max)
    await model.send(.stop)
    await model.send(.resume)
    #expect(pace.changes.count == 3)
  }

  @Test func aCityThatIsTooSmallGivesWayToALargerOneAtOnce() async throws {
    let cities = CityNames(NearestCityCursor(try TestIndex.make(), within: 100_000))
    let model = TrackingViewModel(
      catalog: TrackCatalog([TestTrack.file("a")], readsShapes: false), speed: .max,
      permission: .authorizedWhenInUse, cities: cities,
      makeWalk: { _ in
        Walk(
          locations: TestTrack.provider(TestTrack.kilometers(2), speed: .max), cities: cities)
      })
    #expect(model.state.minimumPopulation == 0)
    await model.send(.setMinPopulation(0))
    #expect(model.state.city == nil, "nobody is anywhere yet")
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    let town = try #require(model.state.city?.city)
    #expect(town.name != "Berlin")
    await model.send(.setMinPopulation(CitySize.bigCity.minimumPopulation))
    #expect(model.state.city?.city.name == "Berlin")
    #expect(model.state.minimumPopulation == 1_000_000)
    await model.send(.setMinPopulation(0))
    #expect(model.state.city?.city == town)
  }

  @Test func theWalkerIsFollowedBetweenTwoLocations() async throws {
    let pace = RecordingPace()
    let model = TrackingViewModel(
      catalog: TrackCatalog([TestTrack.file(TestTrack.gpx(kilometers: 2), name: "a.gpx")]),
      speed: .realTime, permission: .authorizedWhenInUse,
      makeWalk: { _ in
        Walk(
          locations: TestTrack.provider(TestTrack.kilometers(2), speed: .realTime), pace: pace)
      })
    await model.send(.start(track: nil))
    for seconds in [10.0, 20, 60] {
      pace.elapsed = .seconds(seconds)
      let state = await model.store.first { abs($0.distance - 1.3 * seconds) < 0.1 }
      #expect(abs((state.walker?.speed ?? 0) - 1.3) < 0.7)
      #expect(state.legs == [0...state.distance])
      #expect(state.locations == 1)
    }
    await model.send(.stop)
    #expect(model.state.distance > 77, "who stops is where they are")
  }

  @Test func theEndIsTheEnd() async throws {
    let factory = WalkFactory()
    let track = TestTrack.file(TestTrack.gpx(kilometers: 1.95), name: "a.gpx")
    let model = factory.model([track], readsShapes: true)
    let length = try #require(await model.catalog.shape(of: 1)?.length)
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(model.state.distance == length)
  }

  @Test func aSpeedThatIsChangedOnTheWayIsKeptForTheNextWalk() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    await model.send(.setSpeed(.max))
    try await model.waitForEnd()
    #expect(model.state.phase == .finished)
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(factory.requests.map(\.speed) == [.realTime, .max])
  }

  @Test func aStoppedWalkStartsAnew() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    try await #require(factory.newest).advance(to: .meters(350))
    #expect(model.state.locations == 4)
    await model.send(.stop)
    #expect(model.state.phase == .stopped)
    #expect(model.state.searches != nil)
    await model.send(.start(track: nil))
    #expect(model.state.phase == .running)
    try await #require(factory.newest).advance(to: .end)
    try await model.waitForEnd()
    #expect(model.state.phase == .finished)
    #expect(model.state.searched == 21)
    #expect(factory.requests.count == 2)
  }

  @Test func whatWasShownStaysWhenTheWalkIsStopped() async throws {
    let model = WalkFactory().model(speed: .realTime)
    await model.send(.start(track: nil))
    await model.store.first { $0.searched == 1 }
    let shown = model.state
    await model.send(.stop)
    #expect(model.state.photos == shown.photos)
    #expect(model.state.lastVisit == shown.lastVisit)
    #expect(model.state.distance == shown.distance)
    #expect(!model.state.isUnderWay)
  }

  @Test func stoppingTwiceIsNoHarm() async throws {
    let model = WalkFactory().model(speed: .realTime)
    await model.send(.stop)
    #expect(model.state.phase == .idle)
    await model.send(.start(track: nil))
    await model.send(.stop)
    await model.send(.stop)
    #expect(model.state.phase == .stopped)
  }

  // MARK: - Permission

  @Test func aDeniedWalkCanBeAllowed() async throws {
    let factory = WalkFactory(authorization: [.change(to: .denied, at: .start)])
    let model = factory.model()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(model.state.lacksPermission)
    #expect(model.state.permission == .denied)
    #expect(model.state.photos.count == 0)
    await model.send(.answer(.authorizedWhenInUse))
    try await model.waitForEnd()
    #expect(!model.state.lacksPermission)
    #expect(model.state.permission == .authorizedWhenInUse)
    #expect(model.state.photos.count == 21)
    #expect(factory.requests.map(\.answer) == [nil, .authorizedWhenInUse])
    #expect(factory.requests.map(\.start) == [nil, nil])
  }

  @Test func aPermissionThatIsLostOnTheWayIsRegainedWhereItWasLost() async throws {
    let factory = WalkFactory(
      authorization: [
        .change(to: .authorizedWhenInUse, at: .start), .change(to: .denied, at: .meters(1_000)),
      ])
    let model = factory.model()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    let distance = model.state.distance
    #expect(distance > 800 && distance <= 1_000)
    await model.send(.answer(.authorizedWhenInUse))
    #expect(factory.requests.last?.start == distance)
    try await model.waitForEnd()
    #expect(model.state.distance > 1_900)
    #expect(model.state.walk == 1, "it is the same walk")
  }

  @Test(arguments: [AuthorizationStatus.authorizedWhenInUse, .denied])
  func anAnswerWithoutAWalkBeginsNoneAndIsRemembered(status: AuthorizationStatus) async throws {
    let factory = WalkFactory(authorization: [.change(to: .notDetermined, at: .start)])
    let model = factory.model(permission: .notDetermined)
    await model.send(.answer(status))
    #expect(model.state.permission == status)
    #expect(model.state.phase == .idle)
    #expect(factory.requests.isEmpty)
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(factory.requests.map(\.answer) == [status])
    #expect(model.state.phase == (status == .denied ? .blocked : .finished))
    await model.send(.stop)
    await model.send(.answer(.authorizedAlways))
    #expect(factory.requests.count == 1, "nor does one after a walk")
    #expect(!model.state.lacksPermission)
  }

  @Test func aWalkThatIsAskedWaitsForTheAnswer() async throws {
    let factory = WalkFactory(authorization: [.change(to: .notDetermined, at: .start)])
    let model = factory.model(permission: .notDetermined)
    #expect(WalkPresentation(model.state).notice == nil, "before a walk nobody is asked")
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(model.state.phase == .blocked)
    #expect(WalkPresentation(model.state).notice?.remedies == [.allow, .deny])
    await model.send(.answer(.denied))
    #expect(model.state.phase == .blocked)
    #expect(WalkPresentation(model.state).notice?.remedies == [.allow])
    await model.send(.answer(.authorizedWhenInUse))
    try await model.waitForEnd()
    #expect(model.state.phase == .finished)
    #expect(WalkPresentation(model.state).notice == nil)
    #expect(model.state.photos.count == 21)
  }

  @Test func thePermissionCanBeTakenBackDuringAWalk() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    try await #require(factory.newest).advance(to: .meters(350))
    await model.store.first { $0.searched == 4 }
    let before = model.state
    await model.send(.answer(.denied))
    #expect(model.state.phase == .blocked)
    #expect(WalkPresentation(model.state).status == "No permission")
    #expect(model.state.position == before.position)
    #expect(model.state.photos == before.photos)
    #expect(model.state.legs == before.legs)
    #expect(factory.living == 0)
    await model.send(.choose(track: 1))
    await model.send(.pause)
    await model.send(.resume)
    #expect(model.state.phase == .blocked)
    await model.send(.answer(.authorizedWhenInUse))
    #expect(model.state.phase == .running)
    #expect(factory.requests.last?.start == before.fix?.distance)
    try await #require(factory.newest).advance(to: .end)
    try await model.waitForEnd()
    #expect(model.state.phase == .finished)
    #expect(model.state.walk == 1)
    let distances = model.state.photos.pins.map(\.distance)
    #expect(distances == Set(distances).sorted(), "no location is visited twice")
  }

  @Test func aWalkContinuesAtItsPositionOnceItIsAllowed() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime, readsShapes: true)
    let place = try #require(await model.catalog.shape(of: 1)?.place(atDistance: 380))
    await model.send(.start(track: nil))
    try await #require(factory.newest).advance(to: .meters(350))
    await model.store.first { $0.searched == 4 }
    model.store.update { $0.apply(.moved(to: place)) }
    await model.send(.answer(.denied))
    await model.send(.answer(.authorizedWhenInUse))
    #expect(factory.requests.last?.start == 380)
    #expect(model.state.distance == 380)
    await model.send(.stop)
  }

  @Test func aWalkThatWaitsForThePermissionCanBeStopped() async throws {
    let model = WalkFactory(authorization: [.change(to: .denied, at: .start)]).model()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(model.state.isUnderWay)
    await model.send(.stop)
    #expect(model.state.phase == .stopped)
    #expect(WalkPresentation(model.state).notice?.remedies == [.allow])
    await model.send(.answer(.authorizedWhenInUse))
    #expect(model.state.phase == .stopped)
    #expect(WalkPresentation(model.state).notice == nil)
  }

  @Test(arguments: [AuthorizationStatus.denied, .restricted])
  func aRefusalIsKnownBeforeTheWalk(status: AuthorizationStatus) async throws {
    let model = WalkFactory().model(
      [TestTrack.file("a"), TestTrack.file("b")], permission: status)
    for _ in 1...2 {
      #expect(WalkPresentation(model.state).status == "No permission")
      #expect(WalkPresentation(model.state).notice?.remedies == [.allow])
      await model.send(.choose(track: 2))
    }
    await model.send(.answer(.authorizedWhenInUse))
    #expect(WalkPresentation(model.state).status == "Ready")
    #expect(WalkPresentation(model.state).notice == nil)
  }

  // MARK: - End of a walk

  @Test func waitingForTheEndThrowsWhatEndedTheWalk() async throws {
    let model = WalkFactory().model { visits in
      if visits.contains(where: { $0.index == 2 }) { throw Broken() }
      return visits.count
    }
    await model.send(.start(track: nil))
    await #expect(throws: Failure(message: "Broken()")) { try await model.waitForEnd() }
    #expect(model.state.phase == .failed(Failure(message: "Broken()")))
    await #expect(throws: Failure(message: "Broken()")) { try await model.waitForEnd() }
  }

  @Test func waitingForTheEndThrowsWhenTheWalkIsStopped() async throws {
    let model = WalkFactory().model(speed: .realTime)
    await model.send(.start(track: nil))
    await model.send(.stop)
    await #expect(throws: CancellationError.self) { try await model.waitForEnd() }
  }

  @Test func cancellingTheWaitEndsTheWalk() async throws {
    let model = WalkFactory().model(speed: .realTime)
    await model.send(.start(track: nil))
    let waiting = Task { try await model.waitForEnd() }
    await model.store.first { $0.searched == 1 }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(model.state.phase == .stopped)
  }

  @Test func beforeAnyWalkThereIsNothingToWaitFor() async throws {
    try await WalkFactory().model().waitForEnd()
  }

  @Test func aWalkThatCannotBeMadeSaysWhyAndCanBeTriedAgain() async throws {
    let factory = WalkFactory(fails: true)
    let model = factory.model()
    await model.send(.start(track: nil))
    #expect(model.state.phase == .failed(Failure(message: "CannotWalk()")))
    #expect(!model.state.isUnderWay)
    await #expect(throws: Failure(message: "CannotWalk()")) { try await model.waitForEnd() }
    factory.mend()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(model.state.phase == .finished)
  }

  @Test func aFileThatIsNoTrackFailsInWords() async throws {
    let model = WalkFactory().model([TestTrack.file("<kml></kml>", name: "walk.gpx")])
    await model.send(.start(track: nil))
    guard case .failed(let failure) = model.state.phase else {
      Issue.record("\(model.state.phase)")
      return
    }
    #expect(failure.kind == .unusableInput)
    #expect(failure.message.hasPrefix("walk.gpx"))
  }

  // MARK: - Release of resources

  @Test func nothingOfAWalkThatWasStoppedLivesOn() async throws {
    let factory = WalkFactory()
    let model = factory.model(speed: .realTime)
    await model.send(.start(track: nil))
    await model.store.first { $0.searched == 1 }
    #expect(factory.living == 1)
    await model.send(.stop)
    #expect(factory.living == 0)
    #expect(model.state.photos.count == 1)
  }

  @Test func nothingOfAWalkThatEndedLivesOn() async throws {
    let factory = WalkFactory()
    let model = factory.model()
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(factory.living == 0)
  }

  @Test func aModelThatIsLetGoIsFreedWhenItsWalkHasEnded() async throws {
    weak var lost: TrackingViewModel?
    do {
      let model = WalkFactory().model()
      lost = model
      await model.send(.start(track: nil))
      try await model.waitForEnd()
    }
    #expect(lost == nil)
  }

  @Test func observersThatNeverLookHoldNothingUp() async throws {
    let model = WalkFactory().model([TestTrack.file(TestTrack.gpx(kilometers: 10))])
    let idle = (0..<8).map { _ in model.states() }
    await model.send(.start(track: nil))
    try await model.waitForEnd()
    #expect(model.state.photos.count == 101)
    for stream in idle {
      var states = stream.makeAsyncIterator()
      #expect(await states.next()?.phase == .finished, "they see the newest state")
    }
  }
}
