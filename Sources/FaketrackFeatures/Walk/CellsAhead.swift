import FaketrackServices
import FaketrackSupport
import PhotoSearch

/// The cells that are searched ahead of the locations in them.
///
/// Locations in the same cell share one search. The number of concurrent searches is limited, and
/// so is the number of cells ahead, including the cell of the next location.
final class CellsAhead: Sendable {
  /// The number of cells ahead per concurrent search.
  static let lookAhead = 2

  private struct Search {
    let task: Task<Void, Never>
    /// The number of locations in the cell without a photo yet.
    var locations: Int
  }

  private let ahead: RequestGate
  private let underWay: RequestGate
  private let searches = Locked<[SearchCell: Search]>([:])

  /// - Parameter concurrency: the number of cells searched concurrently; at least 1 is taken.
  init(concurrency: Int) {
    let limit = min(max(1, concurrency), 1_000)
    ahead = RequestGate(limit: limit * Self.lookAhead)
    underWay = RequestGate(limit: limit)
  }

  /// Adds a location in a cell, and searches the cell unless a search is already running or done.
  func add(
    _ cell: SearchCell, search: @escaping @Sendable () async -> Void
  ) async throws -> Task<Void, Never> {
    let known = searches.withLock { searches -> Task<Void, Never>? in
      searches[cell]?.locations += 1
      return searches[cell]?.task
    }
    if let known { return known }
    try await ahead.enter()
    let task = Task { [underWay] in _ = try? await underWay.pass(search) }
    searches.withLock { $0[cell] = Search(task: task, locations: 1) }
    return task
  }

  /// Removes a location from its cell, once it has its photo.
  func remove(_ cell: SearchCell) {
    let isLast = searches.withLock { searches in
      searches[cell]?.locations -= 1
      guard searches[cell]?.locations == 0 else { return false }
      searches[cell] = nil
      return true
    }
    if isLast { ahead.leave() }
  }

  func cancelAll() {
    for search in searches.withLock(\.values) { search.task.cancel() }
  }
}
