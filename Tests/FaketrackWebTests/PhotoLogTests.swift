import Testing

@testable import FaketrackWeb

@Suite struct PhotoLogTests {
  private func log(_ count: Int) throws -> PhotoLog {
    var log = PhotoLog()
    for number in 0..<count { log.record(try Walks.visit(number)) }
    return log
  }

  @Test(arguments: [0, 1, 29, 30, 31, 1_000, 2_000, 2_250, 2_251, 5_000])
  func staysWithinItsBounds(_ count: Int) throws {
    let log = try log(count)
    #expect(log.count == count)
    #expect(log.cards.map(\.number) == Array(max(0, count - 30)..<count).map { $0 + 1 })
    #expect(log.pins.count >= min(count, PhotoLog.pinsKept))
    #expect(log.pins.count <= PhotoLog.pinsKept + PhotoLog.pinsKept / 8)
    #expect(log.pins.map(\.number) == Array((count - log.pins.count + 1)..<(count + 1)))
  }

  @Test func visitsWithoutPhotosLeaveNoTrace() throws {
    var log = try log(3)
    log.record(try Walks.visit(3, hasPhoto: false))
    let withoutIt = try self.log(3)
    #expect(log == withoutIt)
  }

  @Test func newsHoldEveryPhotoSinceOnce() throws {
    let log = try log(100)
    for number in 0...100 {
      let news = try #require(log.news(after: number))
      #expect(news.pins.map(\.number) == Array(number..<100).map { $0 + 1 })
      #expect(news.cards.map(\.number) == Array(max(70, number)..<100).map { $0 + 1 })
    }
  }

  @Test func whatIsTooLongAgoOrNotYetIsNotTold() throws {
    let log = try log(5_000)
    #expect(log.news(after: 5_001) == nil)
    #expect(log.news(after: -1) == nil)
    #expect(log.news(after: 10) == nil)
    #expect(log.news(after: 4_000) != nil)
  }
}

@Suite struct WalkCursorTests {
  @Test func readsWhatItWrites() {
    let cursor = WalkCursor(walk: "k3f9-2", photo: 17)
    #expect(WalkCursor(cursor.description) == cursor)
  }

  @Test(arguments: ["", "a", "a.", "a.b", "a.1.2", "a.-1", "a.99999999999999999999"])
  func readsNothingOutOfAnythingElse(_ text: String) {
    #expect(WalkCursor(text) == nil)
  }
}
