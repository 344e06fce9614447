import Cities
import FaketrackSupport
import FaketrackTestSupport
import Geodesy
import Locations
import PhotoSearch
import Testing

@testable import FaketrackFeatures

/// An arbitrary error for tests.
struct Broken: Error, Hashable {}

@Suite struct WalkTests {
  private let store = StateStore(TrackingState())

  private var state: TrackingState { store.state }

  /// Runs a walk to its end and returns its visits.
  private func visits(of walk: Walk) async throws -> [Visit] {
    let log = VisitLog()
    try await walk.run(updating: store) { log.append($0) }
    return log.visits
  }

  private static func walk(
    kilometers: Int, search: ScriptedSearch = ScriptedSearch(), concurrency: Int = 4
  ) -> Walk {
    Walk(
      locations: TestTrack.provider(TestTrack.kilometers(kilometers)),
      photos: PhotoPicker(search), concurrency: concurrency)
  }

  @Test(arguments: [1, 2, 3, 8, 32])
  func theVisitsAreTheSameAtAnyConcurrency(concurrency: Int) async throws {
    // In each group, the first search returns last.
    let search = ScriptedSearch { search, query, number in
      if number.isMultiple(of: concurrency), number + concurrency <= 24 {
        await search.waitForStart(of: number + concurrency)
      }
      return .around(query)
    }
    let visits = try await visits(
      of: Self.walk(kilometers: 24, search: search, concurrency: concurrency))
    let plain = try await self.visits(of: Self.walk(kilometers: 24, concurrency: 1))
    #expect(visits == plain)
    #expect(visits.map(\.index) == Array(0..<24))
    #expect(Set(visits.map(\.photo?.id)).count == 24)
    #expect(search.begun == 24)
    #expect(search.peak <= concurrency)
  }

  @Test(arguments: [1, 2, 5, 24])
  func asManySearchesAreUnderWayAsAreAllowed(concurrency: Int) async throws {
    let search = ScriptedSearch { search, query, _ in
      await search.waitForStart(of: concurrency)
      return .around(query)
    }
    let visits = try await visits(
      of: Self.walk(kilometers: 24, search: search, concurrency: concurrency))
    #expect(visits.count == 24)
    #expect(search.peak == concurrency)
  }

  @Test(arguments: [0, -3])
  func lessThanOneSearchAtOnceCountsAsOne(concurrency: Int) async throws {
    let search = ScriptedSearch()
    let visits = try await visits(
      of: Self.walk(kilometers: 10, search: search, concurrency: concurrency))
    #expect(visits.count == 10)
    #expect(search.peak == 1)
  }

  @Test(arguments: [1, 4])
  func aSlowTakerHoldsTheWalk(concurrency: Int) async throws {
    // The visits waiting for delivery, another one waiting for a slot, and the cells ahead.
    let ahead = PhotoSearches.choiceLimit + 1 + concurrency * CellsAhead.lookAhead
    let locations = ScriptedLocations(TestTrack.kilometers(60))
    let search = ScriptedSearch()
    let walk = Walk(
      locations: locations, photos: PhotoPicker(search), concurrency: concurrency)
    try await walk.run(updating: store) { visits in
      // Another one is requested, which then waits for a slot.
      let bound = min(visits[0].index + ahead + 1, 61)
      await locations.asked.first { $0 >= bound }
      #expect(locations.asked.state == bound)
      #expect(search.begun <= visits[0].index + ahead)
      return visits.count
    }
    #expect(locations.asked.state == 61)
    #expect(state.searched == 60)
    #expect(state.phase == .finished)
  }

  @Test func cancellingEndsTheWalkAndFreesEverything() async throws {
    let search = ScriptedSearch { _, query, _ in
      if TestTrack.number(of: query) >= 2 { try await waitForCancellation() }
      return .around(query)
    }
    weak var lost: ReplayLocationProvider?
    do {
      let provider = TestTrack.provider(TestTrack.kilometers(10))
      lost = provider
      let walk = Walk(locations: provider, pace: provider, photos: PhotoPicker(search))
      let running = Task { [store] in try await walk.run(updating: store) { $0.count } }
      await search.waitForStart(of: 5)
      await store.first { $0.searched == 2 }
      running.cancel()
      await #expect(throws: CancellationError.self) { try await running.value }
    }
    #expect(state.phase == .stopped)
    #expect(state.searched == 2)
    #expect(state.searches?.found == 2)
    await search.waitUntilIdle()
    #expect(lost == nil)
  }

  @Test func cancellingWhileTheTakerIsBusyEndsTheWalk() async throws {
    let search = ScriptedSearch()
    let walk = Self.walk(kilometers: 20, search: search, concurrency: 2)
    let isBusy = StateStore(false)
    let running = Task { [store] in
      try await walk.run(updating: store) { _ in
        isBusy.update { $0 = true }
        try await waitForCancellation()
        return 0
      }
    }
    await isBusy.first { $0 }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(state.phase == .stopped)
    #expect(state.searched == 0)
  }

  @Test(arguments: [true, false])
  func onlyWhatWasDeliveredCounts(hasPhotos: Bool) async throws {
    let walk = Walk(
      locations: TestTrack.provider(TestTrack.kilometers(20)),
      photos: hasPhotos ? PhotoPicker(ScriptedSearch()) : nil)
    let delivered = StateStore(0)
    let running = Task { [store] in
      try await walk.run(updating: store) { visits in
        // Canceled in the middle of a batch, as when a pipe is no longer read.
        let count = (visits.count + 1) / 2
        delivered.update { $0 += count }
        withUnsafeCurrentTask { $0?.cancel() }
        return count
      }
    }
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(state.phase == .stopped)
    #expect(state.searched == delivered.state)
    #expect(state.lastVisit?.index == delivered.state - 1)
  }

  @Test func cancellingBeforeTheFirstLocationEndsTheWalk() async throws {
    let provider = TestTrack.provider(
      TestTrack.kilometers(3), speed: .realTime,
      authorization: [.change(to: .notDetermined, at: .start)])
    let running = Task { [store] in
      try await Walk(locations: provider).run(updating: store) { $0.count }
    }
    await store.first { $0.authorization == .notDetermined }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(state.phase == .stopped)
    #expect(state.locations == 0)
  }

  @Test func whatTheTakerThrowsEndsTheWalk() async throws {
    let walk = Self.walk(kilometers: 20)
    let log = VisitLog()
    await #expect(throws: Broken.self) {
      try await walk.run(updating: store) { visits in
        if log.visits.count >= 3 { throw Broken() }
        return log.append(visits)
      }
    }
    #expect(state.phase == .failed(Failure(message: "Broken()")))
    #expect(state.searched == log.visits.count)
    #expect(log.visits.map(\.index) == Array(0..<log.visits.count))
  }

  @Test func anErrorOfTheProviderComesAfterItsVisits() async throws {
    let locations = ScriptedLocations(
      TestTrack.kilometers(5).map(LocationUpdate.location), error: Broken())
    let walk = Walk(locations: locations, photos: PhotoPicker(ScriptedSearch()))
    let log = VisitLog()
    await #expect(throws: Broken.self) {
      try await walk.run(updating: store) { log.append($0) }
    }
    #expect(log.visits.map(\.index) == [0, 1, 2, 3, 4])
    #expect(log.visits.allSatisfy { $0.photo != nil })
    #expect(state.phase == .failed(Failure(message: "Broken()")))
  }

  @Test func aStartBeyondTheEndIsToldInWords() async throws {
    let provider = ReplayLocationProvider(
      TestTrack.kilometers(3), speed: .max, clock: VirtualClock(),
      options: ReplayOptions(start: .meters(1_000_000)))
    await #expect(throws: ReplayError.self) {
      try await Walk(locations: provider).run(updating: store) { $0.count }
    }
    guard case .failed(let failure) = state.phase else {
      Issue.record("\(state.phase)")
      return
    }
    #expect(failure.kind == .wrongUsage)
  }

  @Test func aDenialEndsTheWalkWhereThatIsWanted() async throws {
    let provider = TestTrack.provider(
      TestTrack.kilometers(10),
      authorization: [
        .change(to: .authorizedWhenInUse, at: .start), .change(to: .denied, at: .meters(3_500)),
      ])
    let visits = try await visits(
      of: Walk(
        locations: provider, photos: PhotoPicker(ScriptedSearch()), endsWhenDenied: true))
    #expect(visits.count == 4)
    #expect(state.authorization == .denied)
    #expect(state.lacksPermission)
    #expect(state.phase == .blocked)
    #expect(state.searches != nil)
  }

  @Test(arguments: [true, false])
  func whoHasToAskEndsTheWalkUnlessTheAnswerIsKnown(ends: Bool) async throws {
    let provider = TestTrack.provider(
      TestTrack.kilometers(10),
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedWhenInUse, at: .meters(3_500)),
      ])
    let visits = try await visits(
      of: Walk(locations: provider, endsWhenDenied: true, endsWhenAsking: ends))
    #expect(visits.count == (ends ? 0 : 6))
    #expect(state.phase == (ends ? .blocked : .finished))
  }

  @Test(arguments: [AuthorizationStatus.denied, .restricted])
  func withoutPermissionThereIsNoVisit(status: AuthorizationStatus) async throws {
    let provider = TestTrack.provider(
      TestTrack.kilometers(10), authorization: [.change(to: status, at: .start)])
    let search = ScriptedSearch()
    let visits = try await visits(
      of: Walk(locations: provider, photos: PhotoPicker(search), endsWhenDenied: true))
    #expect(visits.isEmpty)
    #expect(state.authorization == status)
    #expect(search.begun == 0)
  }

  @Test func theWalkGoesOnWhenPermissionIsGrantedAgain() async throws {
    let provider = TestTrack.provider(
      TestTrack.kilometers(10),
      authorization: [
        .change(to: .denied, at: .meters(2_500)),
        .change(to: .authorizedAlways, at: .meters(6_500)),
      ])
    let visits = try await visits(of: Walk(locations: provider))
    #expect(
      visits.map { ($0.fix.distance ?? 0) / 1_000 }.map { $0.rounded() } == [0, 1, 2, 7, 8, 9])
    #expect(visits.map(\.index) == Array(0..<6))
    #expect(state.authorization == .authorizedAlways)
  }

  @Test(arguments: [true, false])
  func changesAreReportedInOrderWithTheVisits(hasPhotos: Bool) async throws {
    let provider = ReplayLocationProvider(
      TestTrack.kilometers(8), speed: .max, clock: VirtualClock(),
      authorization: [
        .change(to: .notDetermined, at: .start),
        .change(to: .authorizedWhenInUse, at: .elapsed(.zero)),
        .change(to: .denied, at: .meters(1_500)), .change(to: .restricted, at: .meters(1_600)),
        .change(to: .authorizedAlways, at: .meters(2_500)),
      ],
      options: ReplayOptions(outages: [.init(from: .meters(3_500), to: .meters(4_500))]))
    var walk = Walk(
      locations: provider, photos: hasPhotos ? PhotoPicker(ScriptedSearch()) : nil)
    let log = Locked<[String]>([])
    let events = Locked<[WalkEvent]>([])
    walk.report = { event in
      log.withLock { $0.append(event.change.rawValue) }
      events.withLock { $0.append(event) }
    }
    try await walk.run(updating: store) { visits in
      log.withLock { $0 += visits.map { "\($0.index)" } }
      return visits.count
    }
    #expect(
      log.withLock(\.self) == [
        "not-determined", "authorized", "0", "1", "denied", "restricted", "authorized", "2",
        "signal-lost", "signal-restored", "3", "4", "5",
      ])
    let distances = events.withLock { $0.map { $0.distance?.rounded() } }
    #expect(distances.prefix(6) == [0, 0, 1_500, 1_600, 2_500, 3_500])
    #expect(events.withLock { $0.last?.distance } ?? 0 > 4_900)
  }

  @Test func updatesThatAreNoFixesMakeNoVisits() async throws {
    let fixes = TestTrack.kilometers(2)
    let locations = ScriptedLocations([
      .authorization(.notDetermined), .authorization(.authorizedWhenInUse), .location(fixes[0]),
      .unavailable, .location(fixes[1]), .unavailable,
    ])
    #expect(try await visits(of: Walk(locations: locations)).map(\.index) == [0, 1])
    #expect(!state.isAvailable)
    #expect(state.locations == 2)
  }

  @Test func aTrackWithoutFixesIsDoneAtOnce() async throws {
    #expect(try await visits(of: Walk(locations: ScriptedLocations([Fix]()))).isEmpty)
    #expect(state.phase == .finished)
    #expect(state.searches == nil, "nothing was searched")
  }

  @Test func failedSearchesAreToldWithTheirReason() async throws {
    let search = ScriptedSearch { _, query, _ in
      let number = TestTrack.number(of: query)
      if number == 1 {
        throw PhotoSearchError(service: "Stub", reason: .status(502), message: "bad gateway")
      }
      return number == 2 ? PhotoPage(photos: [], isLast: true) : .around(query)
    }
    let visits = try await visits(
      of: Self.walk(kilometers: 4, search: search, concurrency: 1))
    #expect(visits.map { $0.photo != nil } == [true, false, false, true])
    #expect(
      visits.map(\.error) == [nil, "Stub answered HTTP 502: bad gateway", nil, nil])
    #expect(state.failures == 1)
    #expect(state.found == 2)
    #expect(state.searches?.failed == 1)
    #expect(state.searches?.found == 2)
  }

  @Test func withoutAPhotoSourceThereAreOnlyPlaces() async throws {
    let visits = try await visits(
      of: Walk(locations: TestTrack.provider(TestTrack.kilometers(3))))
    #expect(visits.map { $0.photo == nil && $0.error == nil } == [true, true, true])
    #expect(state.searches == nil)
  }

  @Test func theNearestCityIsNamedUnlessItIsTooFar() async throws {
    let near = Fix(Coordinate(unchecked: 52.01, 13.01))
    let ocean = Fix(Coordinate(unchecked: 0, -30))
    let visits = try await visits(
      of: Walk(
        locations: ScriptedLocations([near, ocean]),
        cities: CityNames(NearestCityCursor(try TestIndex.make(), within: 100_000))))
    #expect(visits.map(\.city?.city.name) == ["Potsdam", nil])
    #expect(visits[0].city?.distance == near.coordinate.distance(to: Coordinate(unchecked: 52, 13)))
  }

  @Test func aFarCityGivesOnlyItsTimeZone() throws {
    let index = try TestIndex.make()
    var maker = VisitMaker(
      cities: CityNames(
        NearestCityCursor(index, within: 1_000), zones: NearestCityCursor(index, within: 100_000)))
    let places = [(52.0, 13.0), (52.01, 13.01), (0, -30)]
    let visits = places.compactMap { latitude, longitude in
      maker.visit(of: .location(Fix(Coordinate(unchecked: latitude, longitude))))
    }
    #expect(visits.map(\.city?.city.name) == ["Potsdam", nil, nil])
    #expect(visits.map(\.otherCity?.name) == [nil, "Potsdam", nil])
  }

  @Test func onlyLargeCitiesAreNamedOnceThatIsAskedFor() async throws {
    let names = CityNames(NearestCityCursor(try TestIndex.make(), within: 100_000))
    let fix = Fix(Coordinate(unchecked: 52.01, 13.01))
    var maker = VisitMaker(cities: names)
    #expect(maker.visit(of: .location(fix))?.city?.city.name == "Potsdam")
    names.minimumPopulation = 1_000_000
    #expect(maker.visit(of: .location(fix))?.city?.city.name == "Berlin")
    names.minimumPopulation = 10_000_000
    #expect(maker.visit(of: .location(fix))?.city == nil)
    names.minimumPopulation = -1
    #expect(maker.visit(of: .location(fix))?.city?.city.name == "Potsdam")
  }

  @Test(arguments: [true, false])
  func theCityIsKnownBeforeThePhoto(hasPhotos: Bool) async throws {
    let search = ScriptedSearch { _, _, _ in
      try await waitForCancellation()
      return PhotoPage(photos: [], isLast: true)
    }
    let walk = Walk(
      locations: ScriptedLocations([Fix(Coordinate(unchecked: 52.01, 13.01))]),
      photos: hasPhotos ? PhotoPicker(search) : nil,
      cities: CityNames(NearestCityCursor(try TestIndex.make(), within: 100_000)))
    let running = Task {
      try await walk.run(updating: store) { _ in
        try await waitForCancellation()
        return 0
      }
    }
    let state = await store.first { $0.locations == 1 }
    #expect(state.city?.city.name == "Potsdam")
    #expect(state.searched == 0)
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
  }

  @Test func theStateIsThereForAnObserverThatComesLate() async throws {
    _ = try await visits(of: Walk(locations: TestTrack.provider(TestTrack.kilometers(3))))
    var states = store.states().makeAsyncIterator()
    #expect(await states.next()?.searched == 3)
  }

  @Test func aWalkRunsAgainWhenItsProviderIsRestarted() async throws {
    let provider = TestTrack.provider(TestTrack.kilometers(3))
    let walk = Walk(locations: provider)
    let first = try await visits(of: walk)
    provider.restart()
    #expect(try await visits(of: walk) == first)
  }
}

extension VisitMaker {
  fileprivate mutating func visit(of update: LocationUpdate) -> Visit? {
    var visits: [Visit] = []
    append(update, to: &visits)
    return visits.first
  }
}
