import FaketrackTestSupport
import Foundation
import Geodesy
import Locations
import PhotoSearch
import Testing

@testable import FaketrackFeatures

/// The duration of a walk with slow searches.
@Suite struct WalkTimingTests {
  @Test(arguments: [(1, 10), (2, 5), (4, 3), (5, 2), (10, 1)])
  func tenSearchesOfATenthOfASecondTakeAsLongAsTheyMust(concurrency: Int, rounds: Int) async throws
  {
    let clock = VirtualClock()
    let search = ScriptedSearch { _, query, _ in
      try await clock.sleep(for: .milliseconds(100))
      return .around(query)
    }
    let store = StateStore(TrackingState())
    let walk = Walk(
      locations: TestTrack.provider(TestTrack.kilometers(10)), photos: PhotoPicker(search),
      concurrency: concurrency)
    let running = Task { try await walk.run(updating: store) { $0.count } }
    for round in 1...rounds {
      let isLast = round == rounds
      try await clock.waitForSleepers(
        atLeast: isLast ? 10 - (rounds - 1) * concurrency : concurrency)
      clock.advance(by: .milliseconds(100))
    }
    try await running.value
    #expect(clock.now.offset == .milliseconds(100 * rounds))
    #expect(search.begun == 10)
    #expect(search.peak == concurrency)
    #expect(store.state.found == 10)
  }

  @Test(arguments: [10.0, 50, 100])
  func locationsThatShareACellDoNotHoldUpOtherCells(spacing: Double) async throws {
    let clock = VirtualClock()
    let search = ScriptedSearch { _, query, _ in
      try await clock.sleep(for: .milliseconds(100))
      return .around(query)
    }
    let picker = PhotoPicker(PhotoPipeline(search))
    // Locations in 20 cells, several in each.
    let start = Coordinate(unchecked: 52, 13)
    var cells: Set<SearchCell> = []
    var fixes: [Fix] = []
    while true {
      let location = start.destination(distance: Double(fixes.count) * spacing, bearing: 30)
      cells.insert(picker.cell(of: location))
      if cells.count > 20 { break }
      fixes.append(Fix(location))
    }
    let store = StateStore(TrackingState())
    let walk = Walk(
      locations: ScriptedLocations(fixes), photos: picker, concurrency: 4)
    let running = Task { try await walk.run(updating: store) { $0.count } }
    for _ in 0..<5 {
      try await clock.waitForSleepers(atLeast: 4)
      clock.advance(by: .milliseconds(100))
    }
    try await running.value
    #expect(clock.now.offset == .milliseconds(500))
    #expect(search.begun == 20)
    #expect(search.peak == 4)
    #expect(store.state.searched == fixes.count)
  }

  @Test func downloadsAreFetchedSideBySide() async throws {
    let directory = TemporaryDirectory()
    let clock = VirtualClock()
    let fetcher = ScriptedFetcher { _, _ in
      try await clock.sleep(for: .milliseconds(100))
      return .image("pixels")
    }
    let search = ScriptedSearch { _, query, number in
      guard let url = URL(string: "https://images.example/\(number).jpg") else { throw Broken() }
      let photo = Photo(
        id: "\(number)", title: "", owner: "", imageURL: url, coordinate: query.center)
      return PhotoPage(photos: [photo], isLast: true)
    }
    let store = StateStore(TrackingState())
    let log = VisitLog()
    let walk = Walk(
      locations: TestTrack.provider(TestTrack.kilometers(12)), photos: PhotoPicker(search),
      folder: PhotoFolder(directory.path, fetcher), concurrency: 1)
    let running = Task { try await walk.run(updating: store) { log.append($0) } }
    for _ in 0..<3 {
      try await clock.waitForSleepers(atLeast: 4)
      clock.advance(by: .milliseconds(100))
    }
    try await running.value
    #expect(clock.now.offset == .milliseconds(300))
    #expect(log.visits.map(\.index) == Array(0..<12))
    #expect(log.visits.allSatisfy { $0.file != nil })
    let credits = try #require(directory.text(of: PhotoFolder.creditsName)).split(separator: "\n")
    #expect(credits.dropFirst().compactMap { Int($0.prefix(4)) } == Array(0..<12))
  }

  @Test func laterVisitsWaitForTheSearchOfTheFirst() async throws {
    let clock = VirtualClock()
    // The first search takes the longest, the last one no time.
    let search = ScriptedSearch { _, query, _ in
      try await clock.sleep(for: .seconds(3 - TestTrack.number(of: query)))
      return .around(query)
    }
    let store = StateStore(TrackingState())
    let walk = Walk(
      locations: TestTrack.provider(TestTrack.kilometers(4)), photos: PhotoPicker(search))
    let running = Task { try await walk.run(updating: store) { $0.count } }
    for sleepers in [3, 2, 1] {
      try await clock.waitForSleepers(atLeast: sleepers)
      #expect(store.state.searched == 0)
      clock.advance(by: .seconds(1))
    }
    try await running.value
    #expect(store.state.searched == 4)
    #expect(clock.now.offset == .seconds(3))
  }
}
