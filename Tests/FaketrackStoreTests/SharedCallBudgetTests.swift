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
    let database = StoreDatabase(at: directory.url.appendingPathComponent("store.sqlite"))
    return SharedCallBudget(database, now: { [time] in time.now })
  }

  @Test func allowsABurstUpToTheLimit() async throws {
    for _ in 0..<3 {
      #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
    }
    #expect(try await budget().take(from: "Flickr", allowing: limit) == .seconds(60))
  }

  @Test func theWindowSlides() async throws {
    for _ in 0..<3 {
      #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
      time.move(by: 10)
    }
    let wait = try #require(try await budget().take(from: "Flickr", allowing: limit))
    #expect(abs(wait / .seconds(1) - 30) < 0.001)
    time.move(by: 30)
    #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
    #expect(try await budget().take(from: "Flickr", allowing: limit) != nil)
  }

  @Test func servicesAreCountedApart() async throws {
    for _ in 0..<3 {
      #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
    }
    #expect(try await budget().take(from: "Commons", allowing: limit) == nil)
  }

  @Test func aClockSetBackDoesNotBlockForever() async throws {
    for _ in 0..<3 {
      #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
    }
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

  /// Random pauses against the definition: no window may hold more calls than the limit.
  @Test(arguments: 1...5) func noWindowEverHoldsMoreThanTheLimit(calls: Int) async throws {
    let limit = CallLimit(calls: calls, per: .seconds(10))
    let budget = budget()
    var granted: [Double] = []
    for step in 0..<60 {
      time.move(by: [0, 0.5, 1, 4, 11][(step * 7 + calls) % 5])
      let now = time.now.timeIntervalSince1970
      let recent = granted.filter { $0 > now - 10 }
      let wait = try await budget.take(from: "Flickr", allowing: limit)
      #expect((wait == nil) == (recent.count < calls))
      if let wait {
        let free = recent[recent.count - calls] + 10 - now
        #expect(abs(wait / .seconds(1) - free) < 0.002)
      } else {
        granted.append(now)
      }
    }
    #expect(granted.count >= calls)
  }

  @Test func aSmallerLimitCountsEarlierCallsToo() async throws {
    for _ in 0..<3 {
      #expect(try await budget().take(from: "Flickr", allowing: limit) == nil)
    }
    let smaller = CallLimit(calls: 1, per: .seconds(60))
    #expect(try await budget().take(from: "Flickr", allowing: smaller) == .seconds(60))
  }

  @Test func aCallThatIsNotGrantedIsNotCounted() async throws {
    let one = CallLimit(calls: 1, per: .seconds(60))
    #expect(try await budget().take(from: "Flickr", allowing: one) == nil)
    for _ in 0..<5 {
      time.move(by: 10)
      #expect(try await budget().take(from: "Flickr", allowing: one) != nil)
    }
    time.move(by: 10)
    #expect(try await budget().take(from: "Flickr", allowing: one) == nil)
  }
}
