import FaketrackTestSupport
import Testing

@testable import FaketrackServices

@Suite struct InMemoryCallBudgetTests {
  @Test func grantsAsManyAsAllowedAndTellsTheWait() {
    let clock = RecordingClock()
    let budget = InMemoryCallBudget(clock: ServiceClock(clock))
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
    let clock = RecordingClock()
    let budget = InMemoryCallBudget(clock: ServiceClock(clock))
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
}
