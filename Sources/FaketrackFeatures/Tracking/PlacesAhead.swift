import FaketrackServices
import FaketrackSupport
import PhotoSearch

/// The places whose photos are searched before the locations there get theirs.
///
/// Locations that share a place share its search. As many places are searched at once as are
/// allowed, and at most ``lookAhead`` times as many may be ahead, that of the next location among
/// them.
final class PlacesAhead: Sendable {
  /// How many places may be ahead for each one that is searched at once.
  static let lookAhead = 2

  private struct Search {
    let task: Task<Void, Never>
    /// The locations there that have no photo yet.
    var locations: Int
  }

  /// Admits the places that may be ahead.
  private let ahead: RequestGate
  /// Admits the searches that may be under way.
  private let underWay: RequestGate
  private let searches = Locked<[Place: Search]>([:])

  /// - Parameter concurrency: how many places are searched at once, at least 1.
  init(concurrency: Int) {
    let limit = min(max(1, concurrency), 1_000)
    ahead = RequestGate(limit: limit * Self.lookAhead)
    underWay = RequestGate(limit: limit)
  }

  /// Adds a location at a place, which is searched unless it already has been for another location.
  ///
  /// - Returns: the search.
  /// - Throws: `CancellationError` if canceled while waiting for room.
  func add(
    _ place: Place, search: @escaping @Sendable () async -> Void
  ) async throws -> Task<Void, Never> {
    let known = searches.withLock { searches -> Task<Void, Never>? in
      searches[place]?.locations += 1
      return searches[place]?.task
    }
    if let known { return known }
    try await ahead.enter()
    let task = Task { [underWay] in _ = try? await underWay.pass(search) }
    searches.withLock { $0[place] = Search(task: task, locations: 1) }
    return task
  }

  /// Removes a location at a place, once it has got its photo.
  func remove(_ place: Place) {
    let isLast = searches.withLock { searches in
      searches[place]?.locations -= 1
      guard searches[place]?.locations == 0 else { return false }
      searches[place] = nil
      return true
    }
    if isLast { ahead.leave() }
  }

  /// Cancels all searches.
  func cancelAll() {
    for search in searches.withLock(\.values) { search.task.cancel() }
  }
}
