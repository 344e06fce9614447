import FaketrackSupport
import Locations
import Testing

@testable import FaketrackServices

@Suite struct InMemoryCallBudgetTests {
  @Test func grantsAllowedCallsAndReturnsTheWait() {
    let clock = VirtualClock()
    let budget = InMemoryCallBudget(clock: AnyClock(clock))
    let limit = CallLimit(calls: 2, per: .seconds(10))
    #expect(budget.take(from: "A", allowing: limit) == nil)
    clock.advance(by: .seconds(4))
    #expect(budget.take(from: "A", allowing: limit) == nil)
    #expect(budget.take(from: "A", allowing: limit) == .seconds(6))
    #expect(budget.take(from: "B", allowing: limit) == nil)
    clock.advance(by: .seconds(6))
    #expect(budget.take(from: "A", allowing: limit) == nil)
    #expect(budget.take(from: "A", allowing: limit) == .seconds(4))
  }

  @Test(arguments: 1...6)
  func agreesWithACountOfAllCallsEverMade(calls: Int) {
    let clock = VirtualClock()
    let budget = InMemoryCallBudget(clock: AnyClock(clock))
    let limit = CallLimit(calls: calls, per: .milliseconds(100))
    var generator = SplitMix64(seed: UInt64(calls))
    var granted: [Duration] = []
    for _ in 0..<2000 {
      clock.advance(by: .milliseconds(Int.random(in: 0...40, using: &generator)))
      let now = clock.now.offset
      let recent = granted.filter { now - $0 < limit.window }
      let wait = budget.take(from: "A", allowing: limit)
      if recent.count < calls {
        #expect(wait == nil)
        granted.append(now)
      } else {
        #expect(wait == recent[recent.count - calls] + limit.window - now)
      }
    }
    #expect(granted.count > 100)
  }

  @Test func aLimitBelowOneIsOne() {
    let clock = VirtualClock()
    let budget = InMemoryCallBudget(clock: AnyClock(clock))
    let limit = CallLimit(calls: 0, per: .seconds(1))
    #expect(limit.calls == 1)
    #expect(budget.take(from: "A", allowing: limit) == nil)
    #expect(budget.take(from: "A", allowing: limit) == .seconds(1))
  }

  @Test func doesNotCountRefusedCalls() {
    let clock = VirtualClock()
    let budget = InMemoryCallBudget(clock: AnyClock(clock))
    let limit = CallLimit(calls: 1, per: .seconds(10))
    #expect(budget.take(from: "A", allowing: limit) == nil)
    for second in 1..<10 {
      clock.advance(by: .seconds(1))
      #expect(budget.take(from: "A", allowing: limit) == .seconds(10 - second))
    }
    clock.advance(by: .seconds(1))
    #expect(budget.take(from: "A", allowing: limit) == nil)
  }

  @Test func concurrentCallersGetNoMoreThanAllowed() async {
    let budget = InMemoryCallBudget(clock: AnyClock(VirtualClock()))
    let limit = CallLimit(calls: 100, per: .seconds(1))
    let granted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<500 { group.addTask { budget.take(from: "A", allowing: limit) == nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(granted == 100)
  }
}
