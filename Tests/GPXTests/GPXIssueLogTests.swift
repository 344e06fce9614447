import FaketrackSupport
import GPX
import Testing

@Suite struct GPXIssueLogTests {
  private func issue(_ part: GPXIssue.Part, skips: Bool = false) -> GPXIssue {
    GPXIssue(GPXIssue.Kind(part, .empty), line: 1, skipsPoint: skips)
  }

  @Test func showsTheFirstOfEachKindAndCountsAll() {
    var log = GPXIssueLog(limit: 3)
    let shown = (0..<10).map { _ in log.record(issue(.latitude, skips: true)) }
    #expect(shown == [true, true, true] + Array(repeating: false, count: 7))
    let isShown = log.record(issue(.time))
    #expect(isShown)
    #expect(log.total == 11)
    #expect(log.skipped == 10)
    #expect(log.unshown.map(\.kind) == [GPXIssue.Kind(.latitude, .empty)])
    #expect(log.unshown.map(\.count) == [7])
  }

  @Test func namesTheMostFrequentFirst() {
    var log = GPXIssueLog(limit: 0)
    for part in [GPXIssue.Part.time, .speed, .time, .course] { _ = log.record(issue(part)) }
    #expect(log.unshown.map(\.kind.part) == [.time, .course, .speed])
  }

  @Test func isEmptyAtFirst() {
    let log = GPXIssueLog()
    #expect(log.limit == 10 && log.total == 0 && log.skipped == 0)
    #expect(log.counts.isEmpty && log.unshown.isEmpty)
  }

  @Test(arguments: [0, 1, 2, 10, 1_000])
  func agreesWithALoopOverAllIssues(limit: Int) {
    var generator = SplitMix64(seed: UInt64(limit))
    var log = GPXIssueLog(limit: limit)
    var all: [GPXIssue] = []
    for _ in 0..<600 {
      // Some kinds are a hundred times as frequent as others.
      let part = GPXIssue.Part.all[generator.index(below: 1 + generator.index(below: 10))]
      let problem = GPXIssue.Problem.all[generator.index(below: 1 + generator.index(below: 8))]
      let issue = GPXIssue(
        GPXIssue.Kind(part, problem), line: all.count + 1,
        skipsPoint: generator.index(below: 2) == 0)
      let before = all.count { $0.kind == issue.kind }
      all.append(issue)
      #expect(log.record(issue) == (before < limit))
    }
    let counts = Dictionary(grouping: all, by: \.kind).mapValues(\.count)
    #expect(log.counts == counts)
    #expect(log.total == all.count)
    #expect(log.skipped == all.count { $0.skipsPoint })
    let hidden = counts.filter { $0.value > limit }
    let unshown = log.unshown
    #expect(unshown.count == hidden.count)
    for (kind, count) in unshown { #expect(count == counts[kind].map { $0 - limit }) }
    for (a, b) in zip(unshown, unshown.dropFirst()) {
      #expect(a.count > b.count || a.count == b.count && a.kind.description <= b.kind.description)
    }
  }

  @Test func countsThePlacesOfOneKindTogether() {
    var log = GPXIssueLog(limit: 1)
    let kind = GPXIssue.Kind(.time, .notATime)
    let shown = GPXPointKind.allCases.map {
      log.record(GPXIssue(kind, point: $0, line: 1, text: "\($0)", skipsPoint: false))
    }
    #expect(shown == [true, false, false])
    #expect(log.counts == [kind: 3])
  }
}
