import Foundation
import Geodesy
import PhotoSearch
import Synchronization
import Testing

@testable import FaketrackStore

@Suite struct KeptSearchesTests {
  private let directory = TemporaryDirectory()
  private let time = SteeredDate()

  private func store(sizeLimit: Int = 1 << 20) -> KeptSearches {
    let file = StoreFile(at: directory.url.appendingPathComponent("store.sqlite"))
    return KeptSearches(file, sizeLimit: sizeLimit, now: { [time] in time.now })
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
          url: try #require(URL(string: "https://example.org/\(id).jpg")),
          coordinate: try Coordinate(latitude: 52.4, longitude: 13.06))
      }, isLast: isLast)
  }

  @Test func givesBackWhatWasKeptInAnotherRun() async throws {
    let answer = try page("a", "b", isLast: false)
    try await store().keep(answer, for: try key())
    #expect(try await store().page(for: try key()) == answer)
  }

  @Test func keepsEmptyAnswersToo() async throws {
    try await store().keep(try page(), for: try key())
    #expect(try await store().page(for: try key())?.photos.isEmpty == true)
  }

  @Test func tellsPlacesPagesAndSourcesApart() async throws {
    let store = store()
    try await store.keep(try page("a"), for: try key())
    for other in [try key(1), try key(page: 2), try key(identity: "commons")] {
      #expect(try await store.page(for: other) == nil)
    }
  }

  @Test(arguments: [(86_399.0, true), (86_401, false), (-60, false)])
  func forgetsAfterADay(seconds: Double, isKept: Bool) async throws {
    try await store().keep(try page("a"), for: try key())
    time.move(by: seconds)
    #expect(try await (store().page(for: try key()) != nil) == isKept)
  }

  @Test(arguments: [(5.0, true), (3_600, false)])
  func keepsWhatAProcessWithALaterClockKept(seconds: Double, isKept: Bool) async throws {
    time.move(by: seconds)
    try await store().keep(try page("later"), for: try key(1))
    time.move(by: -seconds)
    try await store().keep(try page("earlier"), for: try key(2))
    time.move(by: seconds)
    #expect(try await (store().page(for: try key(1)) != nil) == isKept)
  }

  @Test func aNewAnswerTakesThePlaceOfTheOldOne() async throws {
    let store = store()
    try await store.keep(try page("old"), for: try key())
    time.move(by: 80_000)
    try await store.keep(try page("new"), for: try key())
    time.move(by: 80_000)
    #expect(try await store.page(for: try key())?.photos.first?.id == "new")
  }

  @Test func theOldestGoWhenThereAreTooManyBytes() async throws {
    for number in 0..<40 {
      time.move(by: 1)
      try await store(sizeLimit: 4_000).keep(try page("photo-\(number)"), for: try key(number))
    }
    #expect(try await store().page(for: try key(0)) == nil)
    #expect(try await store().page(for: try key(39)) != nil)
    let kept = try await (0..<40).asyncCount { try await store().page(for: try key($0)) != nil }
    #expect((5...30).contains(kept))
  }

  @Test func aDamagedStoreIsAnErrorAndNoCrash() async throws {
    let url = directory.url.appendingPathComponent("store.sqlite")
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try Data("this is no database, however long it is".utf8).write(to: url)
    await #expect(throws: (any Error).self) { try await store().page(for: try key()) }
  }
}

extension Sequence {
  fileprivate func asyncCount(_ isCounted: (Element) async throws -> Bool) async rethrows -> Int {
    var count = 0
    for element in self where try await isCounted(element) { count += 1 }
    return count
  }
}

/// A date that a test moves.
final class SteeredDate: Sendable {
  private let date = Mutex(Date(timeIntervalSince1970: 1_777_622_400))

  var now: Date { date.withLock { $0 } }

  func move(by seconds: Double) {
    date.withLock { $0.addTimeInterval(seconds) }
  }
}

/// A directory that goes with its owner.
final class TemporaryDirectory: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
