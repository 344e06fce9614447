import FaketrackSupport
import Foundation
import Testing

@testable import FaketrackFeeds

@Suite struct TabLimitTests {
  @Test func beyondTheLimitThereIsOneNote() {
    var limit = TabLimit()
    var notes: [String] = []
    #expect(limit.admits("T", to: 999) { notes.append($0) })
    for _ in 0..<3 { #expect(!limit.admits("T", to: 1_000) { notes.append($0) }) }
    #expect(
      notes == ["note: the browser has more than 1,000 tabs; the first 1,000 get the position"])
  }

  @Test func aNameWithoutAnEndIsLeftOut() {
    var limit = TabLimit()
    #expect(!limit.admits(String(repeating: "T", count: 1_025), to: 0) { _ in })
  }

  @Test func anOriginIsNoLongerThanHostsAre() {
    let host = String(repeating: "a", count: 255)
    #expect(URL.origin(of: "http://\(host):80/x") == "http://\(host):80")
    #expect(URL.origin(of: "http://a\(host)/").isEmpty)
  }
}
