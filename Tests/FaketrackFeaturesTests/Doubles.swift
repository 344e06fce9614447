import Cities
import FaketrackFeatures
import Foundation
import Geodesy
import Synchronization

/// Favorites in memory, or a store that is broken.
final class StubFavorites: FavoritesStoring {
  private let ids: Mutex<Set<Int>>
  private let broken = Mutex(false)
  /// Runs before the favorites are told.
  private let beforeReading: @Sendable () async -> Void

  static let failure = CitiesError.favoritesUnavailable(path: "/store", reason: "disk full")

  init(_ ids: Set<Int> = [], beforeReading: @escaping @Sendable () async -> Void = {}) {
    self.ids = Mutex(ids)
    self.beforeReading = beforeReading
  }

  /// Whether every call fails.
  var isBroken: Bool {
    get { broken.withLock { $0 } }
    set { broken.withLock { $0 = newValue } }
  }

  func favorites() async throws -> Set<Int> {
    await beforeReading()
    try check()
    return ids.withLock { $0 }
  }

  func addFavorites(_ new: Set<Int>) async throws -> Set<Int> {
    try check()
    return ids.withLock { ids in
      defer { ids.formUnion(new) }
      return new.subtracting(ids)
    }
  }

  func removeFavorites(_ old: Set<Int>) async throws -> Set<Int> {
    try check()
    return ids.withLock { ids in
      defer { ids.subtract(old) }
      return old.intersection(ids)
    }
  }

  private func check() throws {
    if isBroken { throw Self.failure }
  }
}

/// Gives scripted outcomes in order, the last one again and again.
final class Script<Value: Sendable>: Sendable {
  private let outcomes: [Result<Value, any Error>]
  private let position = Mutex(0)

  init(_ outcomes: [Result<Value, any Error>]) {
    self.outcomes = outcomes
  }

  /// How often one was asked for.
  var count: Int { position.withLock { $0 } }

  func next() throws -> Value {
    let number = position.withLock { position in
      defer { position += 1 }
      return position
    }
    return try outcomes[min(number, outcomes.count - 1)].get()
  }
}

/// An encyclopedia that answers as scripted.
struct StubSummaries: CitySummarizing {
  let script: Script<CitySummary?>

  init(_ outcomes: Result<CitySummary?, any Error>...) {
    script = Script(outcomes)
  }

  func summary(of city: City) async throws -> CitySummary? { try script.next() }
}

/// A feed that answers as scripted.
struct StubFeed: FeedLoading {
  let script: Script<Data>

  init(_ outcomes: Result<String, any Error>...) {
    script = Script(outcomes.map { $0.map { Data($0.utf8) } })
  }

  func feed() async throws -> Data { try script.next() }
}

/// Goes to no screen and writes down which were wanted.
@MainActor
final class Destinations {
  private(set) var routes: [Route] = []

  func navigate(to route: Route) {
    routes.append(route)
  }
}
