import FaketrackTestSupport
import Foundation
import Testing

@testable import PhotoSearch

@Suite struct PipelineStoreTests {
  private actor Store: PhotoSearchStoring {
    var pages: [PhotoSearchKey: PhotoPage] = [:]

    func page(for key: PhotoSearchKey) -> PhotoPage? { pages[key] }
    func store(_ page: PhotoPage, for key: PhotoSearchKey) { pages[key] = page }
  }

  private struct DamagedStore: PhotoSearchStoring {
    func page(for key: PhotoSearchKey) throws -> PhotoPage? {
      throw CocoaError(.fileReadCorruptFile)
    }
    func store(_ page: PhotoPage, for key: PhotoSearchKey) throws {
      throw CocoaError(.fileWriteOutOfSpace)
    }
  }

  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)

  @Test func asksOnlyForWhatIsNotStored() async throws {
    let store = Store()
    let search = StubSearch { _, number in .plain("\(number)") }
    for _ in 0..<3 {
      #expect(
        try await PhotoPipeline(search, store: store).photos(for: query) == .plain("0"))
    }
    #expect(search.queries.count == 1)
    #expect(await store.pages.keys.map(\.identity) == ["stub"])
  }

  @Test func aRefreshAsksAgainAndStoresTheNewAnswer() async throws {
    let store = Store()
    let search = StubSearch { _, number in .plain("\(number)") }
    _ = try await PhotoPipeline(search, store: store).photos(for: query)
    let refreshed = PhotoPipeline(search, store: store, refreshes: true)
    #expect(try await refreshed.photos(for: query) == .plain("1"))
    #expect(await store.pages.values.map(\.self) == [.plain("1")])
  }

  @Test func failuresAreNotStored() async {
    let store = Store()
    let search = StubSearch { _, _ in throw PhotoSearchError.down }
    await #expect(throws: PhotoSearchError.down) {
      try await PhotoPipeline(search, store: store).photos(for: query)
    }
    #expect(await store.pages.isEmpty)
  }

  @Test func aDamagedStoreIsOneWarning() async throws {
    let log = RecordingLog()
    let search = StubSearch { _, number in .plain("\(number)") }
    let stored = PhotoPipeline(search, store: DamagedStore(), logger: log.logger)
    #expect(try await stored.photos(for: query) == .plain("0"))
    #expect(try await stored.photos(for: with(query) { $0.page = 2 }) == .plain("1"))
    #expect(log.lines(at: .warning).count == 1)
    #expect(log.lines(at: .debug).count == 3)
  }

  /// A store whose reading fails, as it does for a page that another version wrote.
  private actor UnreadableStore: PhotoSearchStoring {
    private(set) var stored: [PhotoPage] = []

    func page(for key: PhotoSearchKey) throws -> PhotoPage? {
      try JSONDecoder().decode(PhotoPage.self, from: Data("{".utf8))
    }
    func store(_ page: PhotoPage, for key: PhotoSearchKey) { stored.append(page) }
  }

  @Test func anUnreadableAnswerCountsAsNotStored() async throws {
    let store = UnreadableStore()
    let search = StubSearch { _, number in .plain("\(number)") }
    let stored = PhotoPipeline(search, store: store)
    #expect(try await stored.photos(for: query) == .plain("0"))
    #expect(await store.stored == [.plain("0")], "it is replaced")
  }

  @Test func aCancelledSearchIsNoFailureOfTheStore() async {
    struct SlowStore: PhotoSearchStoring {
      func page(for key: PhotoSearchKey) async throws -> PhotoPage? {
        withUnsafeCurrentTask { $0?.cancel() }
        throw CocoaError(.fileReadUnknown)
      }
      func store(_ page: PhotoPage, for key: PhotoSearchKey) {}
    }
    let log = RecordingLog()
    let search = StubSearch { _, _ in .plain() }
    let stored = PhotoPipeline(search, store: SlowStore(), logger: log.logger)
    let task = Task { try await stored.photos(for: query) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.lines.isEmpty && search.queries.isEmpty)
  }
}
