import FaketrackStore
import Foundation
import Testing

@Suite struct FavoritesStoreTests {
  private let directory = TemporaryDirectory()

  private var url: URL { directory.url.appendingPathComponent("store.sqlite") }

  @Test func addsAndRemoves() async throws {
    let favorites = Store(at: url).favorites
    #expect(try await favorites.addFavorites([3, 1, 2]) == [1, 2, 3])
    #expect(try await favorites.addFavorites([3, 4]) == [4])
    #expect(try await favorites.removeFavorites([1, 9]) == [1])
    #expect(try await favorites.favorites() == [2, 3, 4])
  }

  @Test func noIdsChangeNothingAndCreateNothing() async throws {
    let favorites = Store(at: url).favorites
    #expect(try await favorites.addFavorites([]).isEmpty)
    #expect(try await favorites.removeFavorites([]).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func aFavoriteCanComeBack() async throws {
    let favorites = Store(at: url).favorites
    for _ in 0..<3 {
      #expect(try await favorites.addFavorites([5]) == [5])
      #expect(try await favorites.removeFavorites([5]) == [5])
    }
    #expect(try await favorites.favorites().isEmpty)
  }

  @Test func takesAnyIdAndManyAtOnce() async throws {
    let ids = Set([.min, -1, 0, .max] + Array(1...5_000))
    let favorites = Store(at: url).favorites
    #expect(try await favorites.addFavorites(ids) == ids)
    #expect(try await favorites.favorites() == ids)
    #expect(try await favorites.removeFavorites(ids) == ids)
    #expect(try await favorites.favorites().isEmpty)
  }

  @Test func keepsThemForTheNextRun() async throws {
    try await Store(at: url).favorites.addFavorites([7, .max, 0])
    #expect(try await Store(at: url).favorites.favorites() == [0, 7, .max])
  }

  @Test func keepsWhatManyConnectionsAdd() async throws {
    let url = url
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          let own = Store(at: url).favorites
          for number in 0..<20 { try await own.addFavorites([worker * 20 + number]) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Store(at: url).favorites.favorites() == Set(0..<160))
  }

  /// Each id is new to exactly one of the connections that add it.
  @Test func connectionsAgreeOnWhoAddedAndWhoRemoved() async throws {
    let url = url
    func counted(
      _ change: @escaping @Sendable (FavoritesStore) async throws -> Set<Int>
    ) async throws -> [Int: Int] {
      try await withThrowingTaskGroup(of: Set<Int>.self) { group in
        for _ in 0..<6 { group.addTask { try await change(Store(at: url).favorites) } }
        return try await group.reduce(into: [:]) { counts, ids in
          for id in ids { counts[id, default: 0] += 1 }
        }
      }
    }
    let expected = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, 1) })
    #expect(try await counted { try await $0.addFavorites(Set(0..<50)) } == expected)
    #expect(try await counted { try await $0.removeFavorites(Set(0..<50)) } == expected)
  }

  @Test func keepsWhatManyProcessesAdd() async throws {
    let path = url.path
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, worker = worker as Int] in
            let own = Store(at: URL(fileURLWithPath: path)).favorites
            for number in 0..<20 { try await own.addFavorites([worker * 20 + number]) }
          }
        }
      }
    }
    #expect(try await Store(at: url).favorites.favorites() == Set(0..<160))
  }
}
