import FaketrackTestSupport
import Geodesy
import PhotoSearch
import Testing

@testable import FaketrackFeatures

@Suite struct CellsAheadTests {
  private let picker = PhotoPicker(ScriptedSearch())

  /// A different cell for each number.
  private func cell(_ number: Int) -> SearchCell {
    picker.cell(of: Coordinate(unchecked: 52, 13 + Double(number) / 10))
  }

  @Test func locationsThatShareACellShareItsSearch() async throws {
    let cells = CellsAhead(concurrency: 1)
    let searches = StateStore(0)
    for _ in 0..<3 {
      for number in 0..<2 {
        let search = try await cells.add(cell(number)) { searches.update { $0 += 1 } }
        await search.value
      }
    }
    #expect(searches.state == 2)
  }

  @Test func aCellIsSearchedAgainOnceAllItsLocationsAreDone() async throws {
    let cells = CellsAhead(concurrency: 1)
    let searches = StateStore(0)
    for _ in 0..<2 {
      for _ in 0..<2 {
        await (try await cells.add(cell(1)) { searches.update { $0 += 1 } }).value
      }
      for _ in 0..<2 { cells.remove(cell(1)) }
    }
    #expect(searches.state == 2)
  }

  @Test(arguments: [(1, 2), (4, 8), (0, 2), (-5, 2)])
  func theNumberOfCellsAheadIsLimited(concurrency: Int, limit: Int) async throws {
    let cells = CellsAhead(concurrency: concurrency)
    for number in 0..<limit { _ = try await cells.add(cell(number)) {} }
    let added = StateStore(false)
    let adding = Task {
      _ = try await cells.add(cell(limit)) {}
      added.update { $0 = true }
    }
    // A location in a cell that is already ahead needs no slot.
    _ = try await cells.add(cell(0)) {}
    cells.remove(cell(0))
    #expect(!added.state)
    cells.remove(cell(0))
    try await adding.value
    #expect(added.state)
  }

  @Test func cancelingEndsTheWaitForRoom() async throws {
    let cells = CellsAhead(concurrency: 1)
    for number in 0..<2 { _ = try await cells.add(cell(number)) {} }
    let adding = Task { _ = try await cells.add(cell(2)) {} }
    adding.cancel()
    await #expect(throws: CancellationError.self) { try await adding.value }
  }

  @Test func cancelingAllEndsTheSearches() async throws {
    let cells = CellsAhead(concurrency: 2)
    let (begun, ended) = (StateStore(0), StateStore(0))
    for number in 0..<3 {
      _ = try await cells.add(cell(number)) {
        begun.update { $0 += 1 }
        try? await waitForCancellation()
        ended.update { $0 += 1 }
      }
    }
    await begun.first { $0 == 2 }
    cells.cancelAll()
    await ended.first { $0 == 2 }
  }
}
