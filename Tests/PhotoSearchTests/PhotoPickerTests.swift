import FaketrackTestSupport
import Geodesy
import Testing

@testable import PhotoSearch

@Suite struct PhotoPickerTests {
  /// Locations 100 m apart to the east.
  private static func walk(_ count: Int) -> [Coordinate] {
    (0..<count).map { Spot.potsdam.destination(distance: Double($0) * 100, bearing: 90) }
  }

  private func photo(_ id: String, _ meters: Double, from spot: Coordinate) -> Photo {
    .plain(id, at: spot.destination(distance: meters, bearing: 45))
  }

  private func id(_ outcome: PhotoOutcome) -> String? {
    if case .found(let photo, _) = outcome { photo.id } else { nil }
  }

  @Test func prefersUnseenPhotosNearby() async {
    let spot = Spot.potsdam
    let photos = [
      photo("near1", 30, from: spot), photo("near2", 99, from: spot),
      photo("far1", 101, from: spot), photo("far2", 499, from: spot), .plain("nowhere"),
      photo("beyond", 501, from: spot),
    ]
    let search = StubSearch { _, _ in PhotoPage(photos: photos, isLast: true) }
    for seed in 0..<20 {
      let picker = PhotoPicker(search, settings: PhotoPickerSettings(seed: UInt64(seed)))
      var ids: [String?] = []
      for index in 0..<7 { ids.append(id(await picker.pick(for: spot, index: index))) }
      #expect(Set(ids[0..<2]) == ["near1", "near2"])
      #expect(Set(ids[2..<5]) == ["far1", "far2", "nowhere"])
      // Only then a repeat, and of the near ones.
      #expect(Set(ids[5..<7]).isSubset(of: ["near1", "near2"]))
      let counts = await picker.counts
      #expect(counts.found == 7 && counts.repeated == 2 && counts.locations == 7)
    }
  }

  @Test func tellsTheDistance() async throws {
    let search = StubSearch { _, _ in
      PhotoPage(photos: [photo("a", 41, from: Spot.potsdam)], isLast: true)
    }
    let picker = PhotoPicker(search)
    guard case .found(_, let distance?) = await picker.pick(for: Spot.potsdam, index: 0) else {
      Issue.record("no photo")
      return
    }
    #expect(abs(distance - 41) < 0.001)
  }

  @Test func aLargerDistanceFilterMakesMoreNearby() async {
    let photos = [photo("a", 240, from: Spot.potsdam), photo("b", 260, from: Spot.potsdam)]
    let search = StubSearch { _, _ in PhotoPage(photos: photos, isLast: true) }
    for seed in 0..<20 {
      let settings = PhotoPickerSettings(distanceFilter: 250, seed: UInt64(seed))
      let picker = PhotoPicker(search, settings: settings)
      #expect(id(await picker.pick(for: Spot.potsdam, index: 0)) == "a")
    }
  }

  @Test func asksForFurtherPagesBeforeItRepeats() async {
    let search = StubSearch { query, _ in .plain("p\(query.page)", isLast: query.page == 3) }
    let picker = PhotoPicker(search)
    var ids: [String?] = []
    for index in 0..<5 { ids.append(id(await picker.pick(for: Spot.potsdam, index: index))) }
    #expect(Array(ids.prefix(3)) == ["p1", "p2", "p3"])
    #expect(ids.suffix(2).allSatisfy { ["p1", "p2", "p3"].contains($0) })
    #expect(search.queries.map(\.page).max() == 3)
  }

  @Test func aServiceThatRepeatsItsPagesIsNotAskedForever() async {
    let search = StubSearch { query, _ in .plain("a", "b", isLast: false) }
    // Without room in memory, each search reaches the source.
    let picker = PhotoPicker(PhotoPipeline(search, capacity: 1))
    for index in 0..<3 { _ = await picker.pick(for: Spot.potsdam, index: index) }
    #expect(search.queries.map(\.page) == [1, 1, 1, 2])
  }

  @Test func aPlaceWithoutPhotosIsNoFailure() async {
    let search = StubSearch { _, _ in .plain() }
    let picker = PhotoPicker(search)
    for index in 0..<20 {
      #expect(await picker.pick(for: Spot.potsdam, index: index) == .nothing)
    }
    #expect(await picker.counts.failed == 0)
  }

  @Test func aFailedSearchIsMadeAgainForTheNextLocation() async {
    let search = StubSearch { _, number in
      if number < 3 { throw PhotoSearchError.down }
      return .plain("a")
    }
    let picker = PhotoPicker(PhotoPipeline(search), settings: PhotoPickerSettings())
    for index in 0..<3 {
      await picker.prepare(for: Spot.potsdam)
      #expect(await picker.pick(for: Spot.potsdam, index: index) == .failed(.down))
    }
    #expect(id(await picker.pick(for: Spot.potsdam, index: 3)) == "a")
    #expect(await picker.counts.failed == 3)
    #expect(search.queries.count == 4)
  }

  @Test func givesUpAfterEightFailuresInARow() async {
    let search = StubSearch { _, _ in throw PhotoSearchError.down }
    let picker = PhotoPicker(search)
    for index in 0..<20 {
      await picker.prepare(for: Spot.potsdam)
      #expect(await picker.pick(for: Spot.potsdam, index: index) == .failed(.down))
      #expect(await picker.counts.hasGivenUp == (index >= 7))
    }
    #expect(search.queries.count == 8)
    #expect(await picker.counts.failed == 20)
  }

  @Test func aSearchAheadThatFailedIsTheLastOneAhead() async {
    let search = StubSearch { _, number in
      if number < 2 { throw PhotoSearchError.down }
      return .plain("\(number)")
    }
    let picker = PhotoPicker(search)
    let far = Self.walk(40).enumerated().filter { $0.offset.isMultiple(of: 10) }.map(\.element)
    for location in far { await picker.prepare(for: location) }
    #expect(search.queries.count == 1)
    #expect(await picker.pick(for: far[0], index: 0) == .failed(.down))
    #expect(await picker.pick(for: far[1], index: 1) == .failed(.down))
    #expect(id(await picker.pick(for: far[2], index: 2)) == "2")
    await picker.prepare(for: far[3])
    #expect(search.queries.count == 4)
  }

  @Test func nothingIsSearchedAheadWhileSearchesFail() async {
    let search = StubSearch { _, number in
      if number == 0 { throw PhotoSearchError.down }
      return .plain("a")
    }
    let picker = PhotoPicker(search)
    let walk = Self.walk(20)
    _ = await picker.pick(for: walk[0], index: 0)
    for location in walk { await picker.prepare(for: location) }
    #expect(search.queries.count == 1)
    _ = await picker.pick(for: walk[0], index: 1)
    #expect(search.queries.count == 2)
    for location in walk { await picker.prepare(for: location) }
    #expect(search.queries.count > 4)
  }

  @Test func aSuccessStartsTheCountOfFailuresAnew() async {
    let search = StubSearch { _, number in
      if number % 8 != 7 { throw PhotoSearchError.down }
      return .plain("\(number)")
    }
    let picker = PhotoPicker(search)
    for index in 0..<40 {
      // Each location is in another cell, so that no answer is remembered.
      let location = Spot.potsdam.destination(distance: Double(index) * 2_000, bearing: 90)
      _ = await picker.pick(for: location, index: index)
    }
    #expect(search.queries.count == 40)
    #expect(await !picker.counts.hasGivenUp)
  }

  @Test func aRejectedKeyEndsTheSearchesAtOnce() async {
    let rejection = PhotoSearchError(
      service: "Stub", reason: .keyRejected(code: "100"), message: "no")
    let search = StubSearch { _, _ in throw rejection }
    let picker = PhotoPicker(search)
    for (index, location) in Self.walk(10).enumerated() {
      await picker.prepare(for: location)
      #expect(await picker.pick(for: location, index: index) == .failed(rejection))
    }
    #expect(search.queries.count == 1)
    #expect(await picker.counts.isKeyRejected)
  }

  @Test func anErrorOfAnotherKindIsOneToo() async {
    struct Odd: Error, CustomStringConvertible { let description = "odd\u{1B}[2J" }
    let search = StubSearch { _, _ in throw Odd() }
    let picker = PhotoPicker(search)
    guard case .failed(let error) = await picker.pick(for: Spot.potsdam, index: 0) else {
      Issue.record("no failure")
      return
    }
    #expect(error.message == "odd [2J")
  }

  @Test func cancellationIsNoFailure() async {
    let latch = Latch()
    let search = StubSearch { _, number in
      if number == 0 {
        await latch.hold()
        try Task.checkCancellation()
      }
      return .plain("\(number)")
    }
    let picker = PhotoPicker(PhotoPipeline(search), settings: PhotoPickerSettings())
    let task = Task { await picker.pick(for: Spot.potsdam, index: 0) }
    await latch.waitFor(1)
    task.cancel()
    #expect(await task.value == .cancelled)
    await latch.open()
    #expect(id(await picker.pick(for: Spot.potsdam, index: 0)) == "1")
    #expect(await picker.counts.failed == 0)
  }

  @Test func aPreparationThatWasCancelledIsMadeAgain() async {
    let latch = Latch()
    let search = StubSearch { _, number in
      if number == 0 {
        await latch.hold()
        try Task.checkCancellation()
      }
      return .plain("\(number)")
    }
    let picker = PhotoPicker(PhotoPipeline(search), settings: PhotoPickerSettings())
    let preparation = Task { await picker.prepare(for: Spot.potsdam) }
    await latch.waitFor(1)
    preparation.cancel()
    await preparation.value
    await latch.open()
    #expect(id(await picker.pick(for: Spot.potsdam, index: 0)) == "1")
  }

  @Test func countsTheCallsThatWereSaved() async {
    let picker = PhotoPicker(SamplePhotoSearch())
    let walk = Self.walk(60)
    for (index, location) in walk.enumerated() {
      await picker.prepare(for: location)
      _ = await picker.pick(for: location, index: index)
    }
    let counts = await picker.counts
    #expect(counts.locations == 60 && counts.searches == 60 && counts.found == 60)
    #expect(counts.calls <= 18 && counts.calls >= 10)
    #expect(counts.saved == 60 - counts.calls)
  }

  @Test func aLocationWithoutPhotosHasNone() async throws {
    let picker = PhotoPicker(StubPhotoSearch { _ in [] })
    #expect(try await picker.photo(for: Spot.potsdam) == nil)
    #expect(await picker.counts.locations == 1)
  }

  @Test func aFailedSearchIsThrown() async {
    let picker = PhotoPicker(StubPhotoSearch { _ in throw PhotoSearchError.down })
    await #expect(throws: PhotoSearchError.self) { try await picker.photo(for: Spot.potsdam) }
  }

  @Test func locationsAreCounted() async throws {
    let search = SamplePhotoSearch()
    let (counted, numbered) = (PhotoPicker(search), PhotoPicker(search))
    for index in 0..<8 {
      let outcome = await numbered.pick(for: Spot.potsdam, index: index)
      #expect(try await counted.photo(for: Spot.potsdam)?.photo.id == id(outcome))
    }
  }
}
