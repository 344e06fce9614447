import Cities
import FaketrackStore
import Foundation
import Testing

@Suite final class FavoritesStoreTests {
  let directory: URL
  let url: URL
  let store: FavoritesStore

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    url = directory.appendingPathComponent("deep/er/faketrack.sqlite")
    store = FavoritesStore(StoreFile(at: url))
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  @Test func opensNothingUntilItIsUsed() async throws {
    #expect(!FileManager.default.fileExists(atPath: directory.path))
    #expect(try await store.favorites().isEmpty)
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test func addsAndRemoves() async throws {
    #expect(try await store.addFavorites([3, 1, 2]) == [1, 2, 3])
    #expect(try await store.addFavorites([3, 4]) == [4])
    #expect(try await store.removeFavorites([1, 9]) == [1])
    #expect(try await store.favorites() == [2, 3, 4])
    #expect(try await store.addFavorites([]).isEmpty)
    #expect(try await store.removeFavorites([]).isEmpty)
  }

  @Test func keepsThemForTheNextRun() async throws {
    try await store.addFavorites([7, .max, 0])
    #expect(try await FavoritesStore(StoreFile(at: url)).favorites() == [0, 7, .max])
  }

  @Test func sharesAFile() async throws {
    let file = StoreFile(at: url)
    try await FavoritesStore(file).addFavorites([7])
    #expect(try await FavoritesStore(file).favorites() == [7])
  }

  @Test func keepsWhatManyConnectionsAdd() async throws {
    let url = url
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          let own = FavoritesStore(StoreFile(at: url))
          for number in 0..<20 { try await own.addFavorites([worker * 20 + number]) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.favorites() == Set(0..<160))
  }

  @Test func keepsWhatManyProcessesAdd() async throws {
    let path = url.path
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, worker = worker as Int] in
            let own = FavoritesStore(StoreFile(at: URL(fileURLWithPath: path)))
            for number in 0..<20 { try await own.addFavorites([worker * 20 + number]) }
          }
        }
      }
    }
    #expect(try await store.favorites() == Set(0..<160))
  }

  @Test(arguments: [4_096, 600, 16]) func saysThatAFileIsNoDatabase(count: Int) async throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let damaged = Data(repeating: 0x5A, count: count)
    try damaged.write(to: url)
    let error = await #expect(throws: CitiesError.self) { try await store.addFavorites([1]) }
    guard case .favoritesUnavailable(let path, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(path == url.path)
    #expect(!reason.isEmpty)
    #expect(try Data(contentsOf: url) == damaged)
  }

  @Test func saysThatAPageIsDamaged() async throws {
    try await store.addFavorites(Set(0..<2_000))
    var bytes = try Data(contentsOf: url)
    let copy = directory.appendingPathComponent("copy.sqlite")
    guard bytes.count > 8_192 else { return }
    for position in 4_096..<bytes.count { bytes[position] = 0xEE }
    try bytes.write(to: copy)
    await #expect(throws: CitiesError.self) {
      try await FavoritesStore(StoreFile(at: copy)).favorites()
    }
  }

  @Test func saysThatThereIsNoPlaceForIt() async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let blocked = directory.appendingPathComponent("file")
    try Data().write(to: blocked)
    let store = FavoritesStore(StoreFile(at: blocked.appendingPathComponent("x.sqlite")))
    await #expect(throws: CitiesError.self) { try await store.favorites() }
  }
}
