import Cities
import FaketrackSupport
import Foundation
import Geodesy

@testable import FaketrackFeatures

/// Returns scripted outcomes in order, and then repeats the last one.
final class Script<Value: Sendable>: Sendable {
  private let outcomes: [Result<Value, any Error>]
  private let position = Locked(0)

  init(_ outcomes: [Result<Value, any Error>]) {
    self.outcomes = outcomes
  }

  /// The number of calls.
  var count: Int { position.withLock { $0 } }

  func next() throws -> Value {
    let number = position.withLock { position in
      defer { position += 1 }
      return position
    }
    return try outcomes[min(number, outcomes.count - 1)].get()
  }
}

/// A summary source with scripted responses.
struct StubSummaries: CitySummarizing {
  let script: Script<CitySummary?>

  init(_ outcomes: Result<CitySummary?, any Error>...) {
    script = Script(outcomes)
  }

  func summary(of city: City) async throws -> CitySummary? { try script.next() }
}

/// A feed with scripted responses.
struct StubFeed: FeedLoading {
  let script: Script<Data>

  init(_ outcomes: Result<String, any Error>...) {
    script = Script(outcomes.map { $0.map { Data($0.utf8) } })
  }

  func feed(isRefresh: Bool) async throws -> Data { try script.next() }
}

/// A directory that is removed with its owner.
final class TemporaryDirectory: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  var path: String { url.path }

  /// The names of the files but the manifest of an output folder, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      .filter { $0 != ".faketrack-files" }.sorted()
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
