import FaketrackTestSupport
import Locations
import Testing

@testable import PhotoSearch

@Suite struct PhotoPipelineTests {
  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)

  @Test func asksOnceAndRemembers() async throws {
    let search = StubSearch { _, number in .plain("\(number)") }
    let cache = PhotoPipeline(search)
    for _ in 0..<3 { #expect(try await cache.photos(for: query) == .plain("0")) }
    #expect(search.queries.count == 1)
    #expect(cache.identity == "stub")
    #expect(cache.maximumRadius == 10_000)
  }

  @Test func tellsCentersFiltersAndPagesApart() async throws {
    let search = StubSearch { _, number in .plain("\(number)") }
    let cache = PhotoPipeline(search)
    var (size, license, page, radius, place) = (query, query, query, query, query)
    size.size = .pixels1024
    license.license = .creativeCommons
    page.page = 2
    radius.radius = 501
    place.center = Spot.at(52.4009, 13.0592)
    let queries = [query, size, license, page, radius, place]
    for _ in 0..<2 {
      for (number, query) in queries.enumerated() {
        #expect(try await cache.photos(for: query) == .plain("\(number)"))
      }
    }
    #expect(search.queries == queries)
  }

  @Test func keepsEmptyAnswers() async throws {
    let search = StubSearch { _, _ in .plain() }
    let cache = PhotoPipeline(search)
    for _ in 0..<3 { _ = try await cache.photos(for: query) }
    #expect(search.queries.count == 1)
  }

  @Test func forgetsAfterTheTimeToLive() async throws {
    let clock = VirtualClock()
    let search = StubSearch { _, number in .plain("\(number)") }
    let cache = PhotoPipeline(search, timeToLive: .seconds(60), clock: clock)
    _ = try await cache.photos(for: query)
    clock.advance(by: .seconds(59))
    #expect(try await cache.photos(for: query) == .plain("0"))
    clock.advance(by: .seconds(1))
    #expect(try await cache.photos(for: query) == .plain("1"))
  }

  @Test func isBoundedByTheNumberOfPhotos() async throws {
    let search = StubSearch { query, _ in .plain("a\(query.page)", "b\(query.page)") }
    let cache = PhotoPipeline(search, capacity: 5)
    for page in [1, 2, 2, 1, 3, 1, 2] {
      var query = query
      query.page = page
      _ = try await cache.photos(for: query)
    }
    #expect(search.queries.map(\.page) == [1, 2, 3, 2])
  }

  @Test func joinsIdenticalSearchesUnderWay() async throws {
    let latch = Latch()
    let search = StubSearch { _, number in
      await latch.hold()
      return .plain("\(number)")
    }
    let cache = PhotoPipeline(search)
    try await withThrowingTaskGroup(of: PhotoPage.self) { group in
      for _ in 0..<20 { group.addTask { try await cache.photos(for: query) } }
      await latch.waitFor(1)
      await latch.open()
      for try await page in group { #expect(page == .plain("0")) }
    }
    #expect(search.queries.count == 1)
  }

  @Test func aSharedFailureReachesAllWaitingTasks() async throws {
    let latch = Latch()
    let search = StubSearch { _, _ in
      await latch.hold()
      throw PhotoSearchError.down
    }
    let cache = PhotoPipeline(search)
    let tasks = (0..<2).map { _ in Task { try await cache.photos(for: query) } }
    await latch.waitFor(1)
    await latch.open()
    for task in tasks {
      await #expect(throws: PhotoSearchError.down) { try await task.value }
    }
  }

  @Test func cancelingOneWaitingTaskDoesNotDisturbTheOthers() async throws {
    let latch = Latch()
    let search = StubSearch { _, _ in
      await latch.hold()
      try Task.checkCancellation()
      return .plain("a")
    }
    let clock = ReadingClock()
    let cache = PhotoPipeline(search, clock: clock)
    let before = clock.readings
    let first = Task { try await cache.photos(for: query) }
    await latch.waitFor(1)
    let others = (0..<3).map { _ in Task { try await cache.photos(for: query) } }
    // Everyone reads the clock before joining, one at a time: of four readers three have joined.
    await clock.wait(for: before + 4)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await latch.open()
    for task in others { #expect(try await task.value == .plain("a")) }
    #expect(search.queries.count == 1)
  }

  @Test func aSearchWithoutWaitingTasksIsCanceledAndMadeAgain() async throws {
    let latch = Latch()
    let search = StubSearch { _, number in
      if number == 0 {
        await latch.hold()
        #expect(Task.isCancelled)
        try Task.checkCancellation()
      }
      return .plain("\(number)")
    }
    let cache = PhotoPipeline(search)
    let first = Task { try await cache.photos(for: query) }
    await latch.waitFor(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // The new search does not wait for the one that was given up.
    #expect(try await cache.photos(for: query) == .plain("1"))
    await latch.open()
    #expect(try await cache.photos(for: query) == .plain("1"))
    #expect(search.queries.count == 2)
  }

  @Test func anAnswerThatComesTooLateIsNotRemembered() async throws {
    let (latch, ended) = (Latch(), Latch())
    let search = StubSearch { _, number in
      if number == 0 { await latch.hold() }
      await ended.open()
      return .plain("\(number)")
    }
    let cache = PhotoPipeline(search)
    let first = Task { try await cache.photos(for: query) }
    await latch.waitFor(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await latch.open()
    await ended.hold()
    #expect(try await cache.photos(for: query) == .plain("1"))
  }

  @Test func differentSearchesRunConcurrently() async throws {
    let latch = Latch()
    let search = StubSearch { query, _ in
      await latch.hold()
      return .plain("\(query.page)")
    }
    let cache = PhotoPipeline(search)
    try await withThrowingTaskGroup(of: (Int, PhotoPage).self) { group in
      for page in 1...8 {
        group.addTask { (page, try await cache.photos(for: with(query) { $0.page = page })) }
      }
      await latch.waitFor(8)
      await latch.open()
      for try await (page, answer) in group { #expect(answer == .plain("\(page)")) }
    }
  }

  @Test func aTaskCanceledBeforehandGetsNoAnswer() async throws {
    let search = StubSearch { _, _ in .plain("a") }
    let cache = PhotoPipeline(search)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await cache.photos(for: query)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await cache.photos(for: query) == .plain("a"))
  }

  @Test func readsMemoryThenTheStoreThenTheSource() async throws {
    let store = KeepingStore()
    let search = StubSearch { _, number in .plain("\(number)") }
    for run in 1...2 {
      let pipeline = PhotoPipeline(search, store: store)
      for _ in 0..<3 { #expect(try await pipeline.photos(for: query) == .plain("0")) }
      #expect(await store.reads == run)
      #expect(pipeline.calls == (run == 1 ? 1 : 0))
    }
    #expect(search.queries.count == 1)
  }

  @Test func fullPagesOfAWalkAreSearchedOnce() async throws {
    let photos = (0..<500).map { Photo.plain("\($0)") }
    let search = StubSearch { _, _ in PhotoPage(photos: photos, isLast: true) }
    let pipeline = PhotoPipeline(search)
    for number in Array(0..<60) + Array(0..<60) {
      let center = Spot.potsdam.destination(distance: Double(number) * 560, bearing: 0)
      _ = try await pipeline.photos(for: with(query) { $0.center = center })
    }
    #expect(search.queries.count == 60)
  }

  @Test func aRefreshedAnswerIsReadFromTheStoreAgain() async throws {
    let search = StubSearch { query, _ in .plain("\(query.page)") }
    let pipeline = PhotoPipeline(search, capacity: 1, store: KeepingStore(), refreshes: true)
    for page in [1, 2, 1, 2] {
      _ = try await pipeline.photos(for: with(query) { $0.page = page })
    }
    #expect(search.queries.map(\.page) == [1, 2])
  }

  @Test func countsFailuresButDoesNotKeepThem() async throws {
    let search = StubSearch { _, number in
      if number == 0 { throw PhotoSearchError.down }
      return .plain("a")
    }
    let pipeline = PhotoPipeline(search)
    await #expect(throws: PhotoSearchError.down) { try await pipeline.photos(for: query) }
    for _ in 0..<2 { #expect(try await pipeline.photos(for: query) == .plain("a")) }
    #expect(pipeline.calls == 2)
  }

  @Test func pickersShareIt() async {
    let search = StubSearch { _, _ in .plain("a", "b") }
    let pipeline = PhotoPipeline(search)
    for _ in 0..<2 {
      let picker = PhotoPicker(pipeline)
      #expect(await picker.pick(for: Spot.potsdam, index: 0) != .nothing)
      #expect(await picker.counts.calls == 1)
    }
    #expect(search.queries.count == 1)
  }
}
