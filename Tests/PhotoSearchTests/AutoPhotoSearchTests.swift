import FaketrackTestSupport
import Synchronization
import Testing

@testable import PhotoSearch

@Suite struct AutoPhotoSearchTests {
  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)

  private func other(_ page: Int) -> PhotoQuery {
    PhotoQuery(center: Spot.potsdam, radius: 500, page: page)
  }

  private let fallback = StubSearch(identity: "fallback", maximumRadius: 5_000) { _, _ in
    .plain("fallback")
  }

  @Test func staysWithTheFirstSourceThatAnswers() async throws {
    let first = StubSearch(identity: "first") { _, number in
      if number > 0 { throw PhotoSearchError.gone }
      return .plain("first")
    }
    let search = AutoPhotoSearch(first, else: fallback) { _ in Issue.record("fell back") }
    #expect(try await search.photos(for: query) == .plain("first"))
    await #expect(throws: PhotoSearchError.gone) { try await search.photos(for: query) }
    #expect(fallback.queries.isEmpty)
    #expect(search.maximumRadius == 5_000)
  }

  @Test func fallsBackWhenTheFirstSearchReachesNobody() async throws {
    let first = StubSearch(identity: "first") { _, _ in throw PhotoSearchError.gone }
    let reasons = Mutex<[PhotoSearchError]>([])
    let search = AutoPhotoSearch(first, else: fallback) { reason in
      reasons.withLock { $0.append(reason) }
    }
    try await withThrowingTaskGroup(of: PhotoPage.self) { group in
      for page in 1...10 { group.addTask { try await search.photos(for: other(page)) } }
      for try await page in group { #expect(page == .plain("fallback")) }
    }
    #expect(first.queries.count == 1)
    #expect(reasons.withLock { $0 } == [.gone])
  }

  @Test func anErrorThatIsAnAnswerDoesNotSwap() async throws {
    let first = StubSearch(identity: "first") { _, number in
      if number == 0 { throw PhotoSearchError.down }
      return .plain("first")
    }
    let search = AutoPhotoSearch(first, else: fallback) { _ in Issue.record("fell back") }
    await #expect(throws: PhotoSearchError.down) { try await search.photos(for: query) }
    #expect(try await search.photos(for: query) == .plain("first"))
  }

  @Test func othersWaitForTheFirstSearch() async throws {
    let started = Latch()
    let isDecided = Mutex(false)
    let first = StubSearch(identity: "first") { query, number in
      if number == 0 {
        await started.waitFor(20)
        await started.open()
        isDecided.withLock { $0 = true }
      } else {
        #expect(isDecided.withLock { $0 }, "a search began before the decision")
      }
      return .plain("first \(query.page)")
    }
    let search = AutoPhotoSearch(first, else: fallback) { _ in Issue.record("fell back") }
    try await withThrowingTaskGroup(of: (Int, PhotoPage).self) { group in
      for page in 1...20 {
        group.addTask { (page, try await search.photos(for: other(page))) }
        group.addTask {
          await started.hold()
          return (page, .plain("first \(page)"))
        }
      }
      for try await (page, answer) in group { #expect(answer == .plain("first \(page)")) }
    }
    #expect(first.queries.count == 20, "the search that decides is not repeated")
  }

  @Test func aSearchThatWaitsForTheDecisionCanBeCancelled() async throws {
    let latch = Latch()
    let first = StubSearch(identity: "first") { query, number in
      if number == 0 { await latch.hold() }
      return .plain("first \(query.page)")
    }
    let search = AutoPhotoSearch(first, else: fallback) { _ in Issue.record("fell back") }
    let deciding = Task { try await search.photos(for: query) }
    await latch.waitFor(1)
    let waiting = Task { try await search.photos(for: other(2)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await latch.open()
    #expect(try await deciding.value == .plain("first 1"))
    #expect(first.queries.map(\.page) == [1])
  }

  @Test func anErrorOfAnAppsOwnSourceIsAnAnswerToo() async {
    struct Odd: Error {}
    let first = StubSearch(identity: "own") { _, _ in throw Odd() }
    let search = AutoPhotoSearch(first, else: fallback) { _ in Issue.record("fell back") }
    await #expect(
      throws: PhotoSearchError(service: "own", reason: .brokenAnswer, message: "Odd()")
    ) {
      try await search.photos(for: query)
    }
  }

  @Test func hasAnIdentityAndARadiusThatSuitBoth() {
    let first = StubSearch(identity: "first") { _, _ in .plain() }
    let search = AutoPhotoSearch(first, else: fallback) { _ in }
    #expect(search.identity == "first or fallback")
    #expect(search.maximumRadius == 5_000)
  }

  @Test func aFirstSearchThatIsCancelledDecidesNothing() async throws {
    let latch = Latch()
    let first = StubSearch(identity: "first") { _, number in
      if number == 0 {
        await latch.hold()
        try Task.checkCancellation()
      }
      throw PhotoSearchError.gone
    }
    let search = AutoPhotoSearch(first, else: fallback) { _ in }
    let task = Task { try await search.photos(for: query) }
    await latch.waitFor(1)
    task.cancel()
    await latch.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await search.photos(for: query) == .plain("fallback"))
  }
}
