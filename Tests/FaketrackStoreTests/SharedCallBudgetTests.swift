import FaketrackServices
import Foundation
import Testing

@testable import FaketrackStore

@Suite struct SharedCallBudgetTests {
  private let directory = TemporaryDirectory()
  private let time = SteeredDate()
  private let limit = CallLimit(calls: 3, per: .seconds(60))

  /// The budget as another process sees it.
  private func budget() -> SharedCallBudget {
    let file = StoreFile(at: directory.url.appendingPathComponent("store.sqlite"))
    return SharedCallBudget(file, now: { [time] in time.now })
  }

  @Test func allowsABurstUpToTheLimit() async throws {
    for _ in 0..<3 {
      #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
    }
    #expect(try await budget().take(from: "Flickr", allowing: limit) == .seconds(60))
  }

  @Test func theWindowSlides() async throws {
    for _ in 0..<3 {
      _ = try await budget().take(from: "Flickr", allowing: limit)
      time.move(by: 10)
    }
    let wait = try #require(try await budget().take(from: "Flickr", allowing: limit))
    #expect(abs(wait / .seconds(1) - 30) < 0.001)
    time.move(by: 30)
    #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
    #expect(try await budget().take(from: "Flickr", allowing: limit) != nil)
  }

  @Test func servicesAreCountedApart() async throws {
    for _ in 0..<3 { _ = try await budget().take(from: "Flickr", allowing: limit) }
    #expect(try await budget().take(from: "Commons", allowing: limit) == nil)
  }

  @Test func aClockSetBackDoesNotBlockForever() async throws {
    for _ in 0..<3 { _ = try await budget().take(from: "Flickr", allowing: limit) }
    time.move(by: -3_600)
    #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
  }

  @Test func callersAtOnceNeverExceedTheLimit() async throws {
    let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<24 {
        let budget = budget()
        group.addTask { try await budget.take(from: "Flickr", allowing: limit) == nil }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(granted == 3)
  }
}
