import FaketrackTestSupport
import Geodesy
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@Suite struct PlacesAheadTests {
  private let picker = PhotoPicker(ScriptedSearch())

  /// A place of its own for each number.
  private func place(_ number: Int) -> Place {
    picker.place(of: Coordinate(unchecked: 52, 13 + Double(number) / 10))
  }

  @Test func locationsThatShareAPlaceShareItsSearch() async throws {
    let places = PlacesAhead(concurrency: 1)
    let searches = StateStore(0)
    for _ in 0..<3 {
      for number in 0..<2 {
        let search = try await places.add(place(number)) { searches.update { $0 += 1 } }
        await search.value
      }
    }
    #expect(searches.state == 2)
  }

  @Test func aPlaceIsSearchedAgainOnceAllItsLocationsAreDone() async throws {
    let places = PlacesAhead(concurrency: 1)
    let searches = StateStore(0)
    for _ in 0..<2 {
      for _ in 0..<2 {
        await (try await places.add(place(1)) { searches.update { $0 += 1 } }).value
      }
      for _ in 0..<2 { places.remove(place(1)) }
    }
    #expect(searches.state == 2)
  }

  @Test(arguments: [(1, 2), (4, 8), (0, 2), (-5, 2)])
  func onlySoManyPlacesAreAhead(concurrency: Int, limit: Int) async throws {
    let places = PlacesAhead(concurrency: concurrency)
    for number in 0..<limit { _ = try await places.add(place(number)) {} }
    let added = StateStore(false)
    let adding = Task {
      _ = try await places.add(place(limit)) {}
      added.update { $0 = true }
    }
    // A location at a place that is ahead already needs no room.
    _ = try await places.add(place(0)) {}
    places.remove(place(0))
    #expect(!added.state)
    places.remove(place(0))
    try await adding.value
    #expect(added.state)
  }

  @Test func cancelingEndsTheWaitForRoom() async throws {
    let places = PlacesAhead(concurrency: 1)
    for number in 0..<2 { _ = try await places.add(place(number)) {} }
    let adding = Task { _ = try await places.add(place(2)) {} }
    adding.cancel()
    await #expect(throws: CancellationError.self) { try await adding.value }
  }

  @Test func cancelingAllEndsTheSearches() async throws {
    let places = PlacesAhead(concurrency: 2)
    let (begun, ended) = (StateStore(0), StateStore(0))
    for number in 0..<3 {
      _ = try await places.add(place(number)) {
        begun.update { $0 += 1 }
        try? await waitForCancellation()
        ended.update { $0 += 1 }
      }
    }
    await begun.first { $0 == 2 }
    places.cancelAll()
    await ended.first { $0 == 2 }
  }
}
