import Cities
import Foundation
import Geodesy
import Synchronization

@testable import FaketrackFeatures

/// What a store throws that cannot be used.
struct StoreIsBroken: FailureConvertible, Hashable {
  var failure: Failure {
    Failure(message: "the favorites in /store cannot be used: disk full", hint: "Make room.")
  }
}

/// Favorites in memory, or a store that is broken.
final class StubFavorites: FavoritesStoring {
  private let ids: Mutex<Set<Int>>
  private let broken: Mutex<Bool>
  private let error: any Error

  init(_ ids: Set<Int> = [], isBroken: Bool = false, error: any Error = StoreIsBroken()) {
    self.ids = Mutex(ids)
    self.error = error
    broken = Mutex(isBroken)
  }

  /// Whether every call fails.
  var isBroken: Bool {
    get { broken.withLock { $0 } }
    set { broken.withLock { $0 = newValue } }
  }

  func favorites() async throws -> Set<Int> {
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
    if isBroken { throw error }
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

extension StateStore {
  /// Waits for a state that meets a condition, and returns it.
  @discardableResult
  func first(where isMet: @Sendable (State) -> Bool) async -> State {
    for await state in states() where isMet(state) { return state }
    return state
  }
}

/// A directory that goes with its owner.
final class TemporaryDirectory: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  var path: String { url.path }

  /// The names of the files, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func text(of name: String) -> String? {
    FileManager.default.contents(atPath: "\(path)/\(name)")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ text: String, to name: String) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
