import Cities
import Geodesy
import Locations
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@MainActor @Suite struct TrackingViewModelTests {
  private struct Broken: Error {}

  private static func visits(
    of model: TrackingViewModel
  ) async throws -> [Visit] {
    var visits: [Visit] = []
    try await model.run { visits.append($0) }
    return visits
  }

  @Test(arguments: [1, 2, 3, 8, 32])
  func theOutputIsTheSameAtAnyConcurrency(concurrency: Int) async throws {
    // Of each group the first search answers last.
    let search = ScriptedSearch { search, query, number in
      if number.isMultiple(of: concurrency), number + concurrency <= 24 {
        await search.hasBegun(number + concurrency)
      }
      return .around(query)
    }
    let model = TrackingViewModel(
      .init(
        locations: TrackingWalk.provider(TrackingWalk.kilometers(24)), photos: .scripted(search),
        concurrency: concurrency))
    let plain = TrackingViewModel(
      .init(
        locations: TrackingWalk.provider(TrackingWalk.kilometers(24)),
        photos: .scripted(ScriptedSearch()), concurrency: 1))
    let visits = try await Self.visits(of: model)
    #expect(visits == (try await Self.visits(of: plain)))
    #expect(visits.map(\.index) == Array(0..<24))
    #expect(Set(visits.map(\.photo?.id)).count == 24)
    #expect(search.begun == 24)
    #expect(search.peak <= concurrency)
  }

  @Test(arguments: [1, 2, 5, 24])
  func asManySearchesAreUnderWayAsAreAllowed(concurrency: Int) async throws {
    let search = ScriptedSearch { search, query, _ in
      await search.hasBegun(concurrency)
      return .around(query)
    }
    let model = TrackingViewModel(
      .init(
        locations: TrackingWalk.provider(TrackingWalk.kilometers(24)), photos: .scripted(search),
        concurrency: concurrency))
    #expect(try await Self.visits(of: model).count == 24)
    #expect(search.peak == concurrency)
  }

  @Test(arguments: [1, 4])
  func aSlowTakerHoldsTheWalk(concurrency: Int) async throws {
    let ahead = concurrency * TrackingViewModel.lookAhead
    let locations = CountedLocations(TrackingWalk.kilometers(60))
    let search = ScriptedSearch()
    let model = TrackingViewModel(
      .init(locations: locations, photos: .scripted(search), concurrency: concurrency))
    try await model.run { visit in
      // Gives the walk every chance to run ahead.
      for _ in 0..<20 { await Task.yield() }
      #expect(search.begun <= visit.index + ahead)
      #expect(locations.asked <= visit.index + ahead + 1)
    }
    #expect(locations.asked == 61)
    #expect(model.state.searched == 60)
    #expect(model.state.phase == .finished)
  }

  @Test func cancellingEndsTheWalkAndFreesEverything() async throws {
    let search = ScriptedSearch { _, query, _ in
      if TrackingWalk.number(of: query) < 2 { return .around(query) }
      try await Task.sleep(for: .seconds(86_400))
      return .around(query)
    }
    var provider: ReplayLocationProvider? = TrackingWalk.provider(TrackingWalk.kilometers(10))
    var model: TrackingViewModel? = provider.map {
      TrackingViewModel(.init(locations: $0, pace: $0, photos: .scripted(search)))
    }
    weak let weakModel = model
    weak let weakProvider = provider
    let running = Task { [model] in try await model?.run() }
    await search.hasBegun(5)
    if let model { await Self.wait(for: model) { $0.searched == 2 } }
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(model?.state.phase == .stopped)
    #expect(model?.state.searched == 2)
    await search.isIdle()
    model = nil
    provider = nil
    #expect(weakModel == nil)
    #expect(weakProvider == nil)
  }

  @Test func cancellingWhileTheTakerIsBusyEndsTheWalk() async throws {
    let search = ScriptedSearch()
    let model = TrackingViewModel(
      .init(
        locations: TrackingWalk.provider(TrackingWalk.kilometers(20)), photos: .scripted(search),
        concurrency: 2))
    let running = Task {
      try await model.run { _ in try await Task.sleep(for: .seconds(86_400)) }
    }
    await search.hasBegun(2)
    running.cancel()
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(model.state.phase == .stopped)
  }

  @Test func whatTheTakerThrowsEndsTheWalk() async throws {
    let model = TrackingViewModel(
      .init(locations: TrackingWalk.provider(TrackingWalk.kilometers(20))))
    await #expect(throws: Broken.self) {
      try await model.run { visit in if visit.index == 3 { throw Broken() } }
    }
    #expect(model.state.phase == .failed("Broken()"))
    #expect(model.state.searched == 4)
  }

  @Test func anErrorOfTheProviderComesAfterItsVisits() async throws {
    let batches = AsyncThrowingStream<[Fix], any Error> { continuation in
      continuation.yield(TrackingWalk.kilometers(5))
      continuation.finish(throwing: Broken())
    }
    let model = TrackingViewModel(
      .init(
        locations: ReplayLocationProvider(
          batches: batches, distanceFilter: 1_000, speed: .max, clock: VirtualClock()),
        photos: .scripted(ScriptedSearch())))
    var visits: [Visit] = []
    await #expect(throws: Broken.self) { try await model.run { visits.append($0) } }
    #expect(visits.map(\.index) == [0, 1, 2, 3, 4])
    #expect(visits.allSatisfy { $0.photo != nil })
    #expect(model.state.phase == .failed("Broken()"))
  }

  @Test func aDenialEndsTheWalkWhereThatIsWanted() async throws {
    let provider = TrackingWalk.provider(
      TrackingWalk.kilometers(10),
      authorization: [.initially(.authorizedWhenInUse), .at(meters: 3_500, .denied)])
    let model = TrackingViewModel(
      .init(locations: provider, photos: .scripted(ScriptedSearch()), endsWhenDenied: true))
    #expect(try await Self.visits(of: model).count == 4)
    #expect(model.state.authorization == .denied)
    #expect(model.state.phase == .finished)
  }

  @Test(arguments: [AuthorizationStatus.denied, .restricted])
  func withoutPermissionThereIsNoVisit(status: AuthorizationStatus) async throws {
    let provider = TrackingWalk.provider(
      TrackingWalk.kilometers(10), authorization: [.initially(status)])
    let search = ScriptedSearch()
    let model = TrackingViewModel(
      .init(locations: provider, photos: .scripted(search), endsWhenDenied: true))
    #expect(try await Self.visits(of: model).isEmpty)
    #expect(model.state.authorization == status)
    #expect(search.begun == 0)
  }

  @Test func theWalkGoesOnWhenPermissionIsGrantedAgain() async throws {
    let provider = TrackingWalk.provider(
      TrackingWalk.kilometers(10),
      authorization: [.at(meters: 2_500, .denied), .at(meters: 6_500, .authorizedAlways)])
    let model = TrackingViewModel(.init(locations: provider))
    let visits = try await Self.visits(of: model)
    #expect(
      visits.map { ($0.fix.distance ?? 0) / 1_000 }.map { $0.rounded() } == [0, 1, 2, 7, 8, 9])
    #expect(visits.map(\.index) == Array(0..<6))
    #expect(model.state.authorization == .authorizedAlways)
  }

  @Test func aPausedWalkStaysWhereItIs() async throws {
    let provider = TrackingWalk.provider(TrackingWalk.kilometers(10), speed: .multiple(1))
    let model = TrackingViewModel(.init(locations: provider, pace: provider))
    let running = Task { try await model.run() }
    try await provider.advance(to: .meters(3_500))
    #expect(model.state.locations == 4)
    model.send(.pause)
    #expect(model.state.phase == .paused)
    try await provider.advance(to: .end)
    #expect(model.state.locations == 4)
    model.send(.resume)
    #expect(model.state.phase == .running)
    try await provider.advance(to: .end)
    try await running.value
    #expect(model.state.searched == 10)
  }

  @Test func controlsReachThePace() async throws {
    let pace = RecordingPace()
    let model = TrackingViewModel(
      .init(locations: TrackingWalk.provider([]), pace: pace))
    for action in [.pause, .setSpeed(.multiple(10)), .resume, .setSpeed(.max)]
      as [TrackingViewModel.Action]
    { model.send(action) }
    #expect(pace.changes == ["pause", "multiple(10.0)", "resume", "max"])
    #expect(model.state.phase == .idle)
  }

  @Test func aStoppedWalkStartsAnew() async throws {
    let provider = TrackingWalk.provider(TrackingWalk.kilometers(10), speed: .multiple(1))
    let model = TrackingViewModel(.init(locations: provider, pace: provider))
    model.send(.start)
    model.send(.start)
    try await provider.advance(to: .meters(3_500))
    #expect(model.state.locations == 4)
    model.send(.stop)
    await Self.wait(for: model) { $0.phase == .stopped }
    model.send(.start)
    await Self.wait(for: model) { $0.phase == .running }
    try await provider.advance(to: .end)
    await Self.wait(for: model) { $0.phase == .finished }
    #expect(model.state.searched == 10)
    #expect(model.state.visits.map(\.index) == Array(0..<10))
  }

  @Test func failedSearchesAreKeptWithTheirReason() async throws {
    let search = ScriptedSearch { _, query, _ in
      let number = TrackingWalk.number(of: query)
      if number == 1 {
        throw PhotoSearchError(service: "Stub", reason: .status(502), message: "bad gateway")
      }
      return number == 2 ? PhotoPage(photos: [], isLast: true) : .around(query)
    }
    let model = TrackingViewModel(
      .init(
        locations: TrackingWalk.provider(TrackingWalk.kilometers(4)), photos: .scripted(search),
        concurrency: 1))
    let visits = try await Self.visits(of: model)
    #expect(visits.map { $0.photo != nil } == [true, false, false, true])
    #expect(visits[1].error?.contains("Stub") == true)
    #expect(visits[2].error == nil)
    #expect(model.state.failures == 1)
    #expect(model.state.photos == 2)
    #expect(await model.picker?.counts.failed == 1)
  }

  @Test func withoutAPhotoSourceThereAreOnlyPlaces() async throws {
    let model = TrackingViewModel(
      .init(locations: TrackingWalk.provider(TrackingWalk.kilometers(3))))
    let visits = try await Self.visits(of: model)
    #expect(visits.map { $0.photo == nil && $0.error == nil } == [true, true, true])
    #expect(model.picker == nil)
  }

  @Test func theNearestCityIsNamedUnlessItIsTooFar() async throws {
    let index = try CityIndex.builtIn()
    let potsdam = Fix(Coordinate(unchecked: 52.4009, 13.0591))
    let ocean = Fix(Coordinate(unchecked: 0, -30))
    let model = TrackingViewModel(
      .init(
        locations: TrackingWalk.provider([potsdam, ocean]),
        cities: CityNamer(index, within: 100_000)))
    let visits = try await Self.visits(of: model)
    #expect(visits.map(\.city?.city.name) == ["Potsdam", nil])
  }

  @Test func theStateIsThereForWhoComesLate() async throws {
    let model = TrackingViewModel(
      .init(locations: TrackingWalk.provider(TrackingWalk.kilometers(3))))
    try await model.run()
    var states = model.states().makeAsyncIterator()
    #expect(await states.next()?.searched == 3)
  }

  private static func wait(
    for model: TrackingViewModel, _ isMet: (TrackingState) -> Bool
  ) async {
    for await state in model.states() where isMet(state) { return }
  }
}
