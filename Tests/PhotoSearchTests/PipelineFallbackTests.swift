import FaketrackSupport
import FaketrackTestSupport
import Locations
import Testing

@testable import FaketrackServices
@testable import PhotoSearch

@Suite struct PipelineFallbackTests {
  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)

  private func other(_ page: Int) -> PhotoQuery {
    PhotoQuery(center: Spot.potsdam, radius: 500, page: page)
  }

  private let clock = VirtualClock()
  private let contact = PhotoPipeline.Contact()

  private let fallback = StubSearch(identity: "fallback", maximumRadius: 5_000) { _, _ in
    .plain("fallback")
  }

  private func auto(
    _ first: StubSearch, onFallback: @escaping @Sendable (PhotoSearchError) -> Void
  ) -> PhotoPipeline {
    PhotoPipeline(
      PhotoPipeline.Source(search: first),
      fallback: PhotoPipeline.Fallback(
        source: PhotoPipeline.Source(search: fallback), contact: contact, onFallback: onFallback),
      clock: AnyClock(clock))
  }

  /// A call of the first source, as its client reports it.
  private func call(failure: String?) -> ServiceEvent {
    .called(
      ServiceCall(
        service: "First", url: "", attempt: 1, duration: .zero, status: 200, failure: failure))
  }

  @Test func staysWithTheFirstSourceThatAnswers() async throws {
    let first = StubSearch(identity: "first") { _, number in
      if number > 0 { throw PhotoSearchError.gone }
      return .plain("first")
    }
    let search = auto(first) { _ in Issue.record("fell back") }
    #expect(try await search.photos(for: query) == .plain("first"))
    await #expect(throws: PhotoSearchError.gone) { try await search.photos(for: other(2)) }
    #expect(fallback.queries.isEmpty)
    #expect(search.maximumRadius == 5_000)
  }

  @Test func fallsBackWhenTheServiceCannotBeReached() async throws {
    let first = StubSearch(identity: "first") { _, _ in throw PhotoSearchError.gone }
    let reasons = Locked<[PhotoSearchError]>([])
    let search = auto(first) { reason in
      reasons.withLock { $0.append(reason) }
    }
    try await withThrowingTaskGroup(of: PhotoPage.self) { group in
      for page in 1...10 { group.addTask { try await search.photos(for: other(page)) } }
      for try await page in group { #expect(page == .plain("fallback")) }
    }
    #expect(first.queries.count == 1)
    #expect(reasons.withLock { $0 } == [.gone])
  }

  @Test(
    arguments: [.unreachable, .status(500), .status(404), .brokenAnswer, .tooLarge(limit: 9)]
      as [PhotoSearchError.Reason])
  func fallsBackWhenTheFirstAnswerIsOfNoUse(reason: PhotoSearchError.Reason) async throws {
    let error = PhotoSearchError(service: "First", reason: reason, message: "m")
    let first = StubSearch(identity: "first") { _, _ in throw error }
    let reasons = Locked<[PhotoSearchError]>([])
    let search = auto(first) { reason in reasons.withLock { $0.append(reason) } }
    #expect(try await search.photos(for: query) == .plain("fallback"))
    #expect(reasons.withLock { $0 } == [error])
  }

  @Test(arguments: [.refused(code: "3"), .keyRejected(code: "100")] as [PhotoSearchError.Reason])
  func staysWithASourceThatRefusesInItsOwnFormat(reason: PhotoSearchError.Reason) async throws {
    let error = PhotoSearchError(service: "First", reason: reason, message: "m")
    let first = StubSearch(identity: "first") { _, number in
      if number == 0 { throw error }
      return .plain("first")
    }
    let search = auto(first) { _ in Issue.record("fell back") }
    await #expect(throws: error) { try await search.photos(for: query) }
    #expect(try await search.photos(for: query) == .plain("first"))
  }

  @Test func staysWithASourceThatHasAnsweredEvenIfTheSearchFails() async throws {
    let first = StubSearch(identity: "first") { [contact] _, _ in
      contact.receive(call(failure: nil))
      throw PhotoSearchError.gone
    }
    let search = auto(first) { _ in Issue.record("fell back") }
    await #expect(throws: PhotoSearchError.gone) { try await search.photos(for: query) }
    #expect(fallback.queries.isEmpty)
  }

  @Test func fallsBackWhenNoAnswerComesInTime() async throws {
    let first = StubSearch(identity: "First") { [contact] _, _ in
      contact.receive(call(failure: "First answered HTTP 503"))
      // Ends when it is canceled: this clock stands still.
      try await VirtualClock().sleep(for: .seconds(1))
      return .plain("first")
    }
    let reasons = Locked<[PhotoSearchError]>([])
    let search = auto(first) { reason in reasons.withLock { $0.append(reason) } }
    async let page = search.photos(for: query)
    try await clock.waitForSleepers(atLeast: 1)
    clock.advance(by: PhotoPipeline.Fallback.timeout)
    #expect(try await page == .plain("fallback"))
    #expect(
      reasons.withLock { $0.map(\.description) }
        == ["First cannot be reached: no useful answer within 3.5 s"])
  }

  @Test func waitsForTheRestOfASearchThatHasItsFirstAnswerInTime() async throws {
    let (answered, rest) = (Latch(), Latch())
    let first = StubSearch(identity: "first") { [contact] _, _ in
      contact.receive(call(failure: nil))
      await answered.open()
      await rest.hold()
      return .plain("first")
    }
    let search = auto(first) { _ in Issue.record("fell back") }
    async let page = search.photos(for: query)
    await answered.hold()
    try await clock.waitForSleepers(atLeast: 1)
    clock.advance(by: .seconds(40))
    await rest.open()
    #expect(try await page == .plain("first"))
  }

  @Test func othersWaitForTheFirstSearch() async throws {
    let started = Latch()
    let isDecided = Locked(false)
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
    let search = auto(first) { _ in Issue.record("fell back") }
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
    let search = auto(first) { _ in Issue.record("fell back") }
    let deciding = Task { try await search.photos(for: query) }
    await latch.waitFor(1)
    let waiting = Task { try await search.photos(for: other(2)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await latch.open()
    #expect(try await deciding.value == .plain("first 1"))
    #expect(first.queries.map(\.page) == [1])
  }

  @Test func tellsAnErrorThatIsNotItsOwn() async throws {
    struct Odd: Error {}
    let first = StubSearch(identity: "own") { _, _ in throw Odd() }
    let reasons = Locked<[PhotoSearchError]>([])
    let search = auto(first) { reason in reasons.withLock { $0.append(reason) } }
    #expect(try await search.photos(for: query) == .plain("fallback"))
    #expect(
      reasons.withLock { $0 }
        == [PhotoSearchError(service: "own", reason: .brokenAnswer, message: "Odd()")])
  }

  @Test func hasAnIdentityAndARadiusThatSuitBoth() {
    let first = StubSearch(identity: "first") { _, _ in .plain() }
    let search = auto(first) { _ in }
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
    let search = auto(first) { _ in }
    let task = Task { try await search.photos(for: query) }
    await latch.waitFor(1)
    task.cancel()
    await latch.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await search.photos(for: query) == .plain("fallback"))
  }
}
