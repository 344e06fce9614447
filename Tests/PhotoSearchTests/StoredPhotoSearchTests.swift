import FaketrackTestSupport
import Foundation
import Synchronization
import Testing

@testable import PhotoSearch

@Suite struct StoredPhotoSearchTests {
  private actor Store: PhotoSearchStoring {
    var pages: [PhotoSearchKey: PhotoPage] = [:]

    func page(for key: PhotoSearchKey) -> PhotoPage? { pages[key] }
    func keep(_ page: PhotoPage, for key: PhotoSearchKey) { pages[key] = page }
  }

  private struct DamagedStore: PhotoSearchStoring {
    func page(for key: PhotoSearchKey) throws -> PhotoPage? {
      throw CocoaError(.fileReadCorruptFile)
    }
    func keep(_ page: PhotoPage, for key: PhotoSearchKey) throws {
      throw CocoaError(.fileWriteOutOfSpace)
    }
  }

  private let query = PhotoQuery(center: Spot.potsdam, radius: 500)

  @Test func asksOnlyForWhatIsNotKept() async throws {
    let store = Store()
    let search = StubSearch { _, number in .plain("\(number)") }
    for _ in 0..<3 {
      #expect(
        try await StoredPhotoSearch(search, store: store).photos(for: query) == .plain("0"))
    }
    #expect(search.queries.count == 1)
    #expect(await store.pages.keys.map(\.identity) == ["stub"])
  }

  @Test func aRefreshAsksAgainAndKeepsTheNewAnswer() async throws {
    let store = Store()
    let search = StubSearch { _, number in .plain("\(number)") }
    _ = try await StoredPhotoSearch(search, store: store).photos(for: query)
    let refreshed = StoredPhotoSearch(search, store: store, refreshes: true)
    #expect(try await refreshed.photos(for: query) == .plain("1"))
    #expect(await store.pages.values.map(\.self) == [.plain("1")])
  }

  @Test func failuresAreNotKept() async {
    let store = Store()
    let search = StubSearch { _, _ in throw PhotoSearchError.down }
    await #expect(throws: PhotoSearchError.down) {
      try await StoredPhotoSearch(search, store: store).photos(for: query)
    }
    #expect(await store.pages.isEmpty)
  }

  @Test func aDamagedStoreIsOneWarning() async throws {
    let log = RecordingLog()
    let search = StubSearch { _, number in .plain("\(number)") }
    let stored = StoredPhotoSearch(search, store: DamagedStore(), logger: log.logger)
    #expect(try await stored.photos(for: query) == .plain("0"))
    #expect(try await stored.photos(for: query) == .plain("1"))
    #expect(log.lines(at: .warning).count == 1)
    #expect(log.lines(at: .debug).count == 3)
  }
}
