import Foundation
import GRDB
import Geodesy
import PhotoSearch
import Testing

@testable import FaketrackStore

@Suite struct SearchStoreTests {
  private let directory = TemporaryDirectory()
  private let time = SteeredDate()

  /// The searches as another process sees them.
  private func store(sizeLimit: Int = 1 << 20) -> SearchStore {
    let database = StoreDatabase(at: directory.url.appendingPathComponent("store.sqlite"))
    return SearchStore(database, sizeLimit: sizeLimit, now: { [time] in time.now })
  }

  private func key(_ number: Int = 0, page: Int = 1, identity: String = "flickr") throws
    -> PhotoSearchKey
  {
    let center = try Coordinate(latitude: Double(number) / 1_000, longitude: 13)
    return PhotoSearchKey(
      identity: identity, query: PhotoQuery(center: center, radius: 500, page: page))
  }

  private func page(_ ids: String..., isLast: Bool = true) throws -> PhotoPage {
    PhotoPage(
      photos: try ids.map { id in
        Photo(
          id: id, title: "Tïtle \(id)", owner: "Owner",
          imageURL: try #require(URL(string: "https://example.org/\(id).jpg")),
          coordinate: try Coordinate(latitude: 52.4, longitude: 13.06))
      }, isLast: isLast)
  }

  @Test func returnsWhatAnotherRunStored() async throws {
    let answer = try page("a", "b", isLast: false)
    try await store().store(answer, for: try key())
    #expect(try await store().page(for: try key()) == answer)
  }

  @Test func storesEmptyAnswersToo() async throws {
    try await store().store(try page(), for: try key())
    #expect(try await store().page(for: try key())?.photos.isEmpty == true)
  }

  @Test func tellsPlacesPagesAndSourcesApart() async throws {
    let store = store()
    try await store.store(try page("a"), for: try key())
    for other in [try key(1), try key(page: 2), try key(identity: "commons")] {
      #expect(try await store.page(for: other) == nil)
    }
  }

  @Test(arguments: [(86_399.0, true), (86_401, false), (-60, false)])
  func forgetsAfterADay(seconds: Double, isKept: Bool) async throws {
    try await store().store(try page("a"), for: try key())
    time.move(by: seconds)
    #expect(try await (store().page(for: try key()) != nil) == isKept)
  }

  @Test(arguments: [(5.0, true), (3_600, false)])
  func acceptsAnswersOfAClockThatIsALittleAhead(seconds: Double, isKept: Bool) async throws {
    time.move(by: seconds)
    try await store().store(try page("later"), for: try key(1))
    time.move(by: -seconds)
    try await store().store(try page("earlier"), for: try key(2))
    time.move(by: seconds)
    #expect(try await (store().page(for: try key(1)) != nil) == isKept)
  }

  @Test func aNewAnswerReplacesTheOldOne() async throws {
    let store = store()
    try await store.store(try page("old"), for: try key())
    time.move(by: 80_000)
    try await store.store(try page("new"), for: try key())
    time.move(by: 80_000)
    #expect(try await store.page(for: try key())?.photos.first?.id == "new")
  }

  @Test func theOldestAreRemovedWhenThereIsTooMuch() async throws {
    for number in 0..<40 {
      time.move(by: 1)
      try await store(sizeLimit: 3_000).store(try page("photo-\(number)"), for: try key(number))
    }
    #expect(try await store().page(for: try key(0)) == nil)
    #expect(try await store().page(for: try key(39)) != nil)
    let kept = try await (0..<40).asyncCount { try await store().page(for: try key($0)) != nil }
    #expect((5...30).contains(kept))
  }

  @Test(arguments: ["", "{", "older", "half"])
  func anAnswerOfAnotherFormIsNone(form: String) async throws {
    let (store, answer) = (store(), try page("a", "b"))
    try await store.store(answer, for: try key())
    let bytes =
      switch form {
      case "older": Data("photos 1".utf8) + [1, 0, 0, 0, 0, 0, 0, 0, 0]
      case "half": try JSONEncoder().encode(answer).prefix(200)
      default: Data(form.utf8)
      }
    let url = directory.url.appendingPathComponent("store.sqlite")
    try await otherConnection(to: url).write { database in
      try database.execute(sql: "UPDATE search SET page = ?", arguments: [bytes])
    }
    #expect(try await store.page(for: try key()) == nil)
    try await store.store(answer, for: try key())
    #expect(try await store.page(for: try key()) == answer, "it is replaced")
  }

  @Test func aDamagedStoreIsAnError() async throws {
    let url = directory.url.appendingPathComponent("store.sqlite")
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try Data("this is no database, however long it is".utf8).write(to: url)
    await #expect(throws: StoreError.self) { try await store().page(for: try key()) }
  }

  @Test func theSizeIsCheckedOnceInAWhile() async throws {
    let store = store(sizeLimit: 1)
    for number in 0..<16 {
      time.move(by: 1)
      try await store.store(try page("photo"), for: try key(number))
    }
    // The first write checked, and the next fifteen did not.
    var stored = try await (0..<16).asyncCount { try await store.page(for: try key($0)) != nil }
    #expect(stored == 15)
    try await store.store(try page("photo"), for: try key(16))
    stored = try await (0..<17).asyncCount { try await store.page(for: try key($0)) != nil }
    #expect(stored == 0)
  }

  /// Otherwise each check would read all answers.
  @Test func theSizesAreInAnIndex() async throws {
    try await store().store(try page("a"), for: try key())
    let url = directory.url.appendingPathComponent("store.sqlite")
    let plan = try await otherConnection(to: url).read { database in
      try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN SELECT SUM(size) FROM search")
        .map { $0["detail"] as String }
    }
    #expect(plan == ["SCAN search USING COVERING INDEX search_keptAt_size"])
  }

  @Test func manyWritersLoseNothing() async throws {
    let keys = try (0..<60).map { try key($0) }
    let answer = try page("a")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<6 {
        let own = store()
        group.addTask {
          for key in keys[worker * 10..<worker * 10 + 10] { try await own.store(answer, for: key) }
        }
      }
      try await group.waitForAll()
    }
    for key in keys { #expect(try await store().page(for: key) == answer) }
  }
}

extension Sequence {
  fileprivate func asyncCount(_ isCounted: (Element) async throws -> Bool) async rethrows -> Int {
    var count = 0
    for element in self where try await isCounted(element) { count += 1 }
    return count
  }
}
