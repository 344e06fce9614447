import FaketrackServices
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeeds

@Suite struct OwnTracksFeedTests {
  @Test func aPositionIsPostedWithAllItsValues() async throws {
    let fix = Fix(
      try Coordinate(latitude: 52.5, longitude: 13.25),
      time: Date(timeIntervalSince1970: 1_000_000_000.5), elevation: 35.4, speed: 5,
      course: 359.7, horizontalAccuracy: 8.2)
    let posted = try await post(fix)
    #expect(
      posted as NSDictionary == [
        "_type": "location", "tid": "ft", "lat": 52.5, "lon": 13.25, "tst": 1_000_000_000,
        "acc": 8, "alt": 35, "vel": 18, "cog": 0,
      ] as NSDictionary)
  }

  @Test func unknownValuesAreLeftOut() async throws {
    let posted = try await post(Fix(try Coordinate(latitude: -1, longitude: 2)))
    #expect(
      posted as NSDictionary
        == ["_type": "location", "tid": "ft", "lat": -1, "lon": 2] as NSDictionary)
  }

  /// Sends a fix to a server, and returns what it gets.
  private func post(_ fix: Fix) async throws -> [String: Any] {
    try await StubServer.run { _ in
      .json("[]")
    } _: { server in
      let context = FeedContext(fetcher: NetworkFetcher(), note: { _ in })
      let feed = try FeedTarget.feed("owntracks:\(server.url)pub?u=me&d=phone").connect(context)
      try await feed.open()
      #expect(try await feed.send(.position(fix)) == .confirmed)
      let request = try #require(server.requests.last)
      #expect(server.requests.map(\.method) == ["GET", "POST"])
      #expect(request.path == "/pub")
      #expect(request.query == ["u": "me", "d": "phone"])
      #expect(request.header("Content-Type") == "application/json")
      return try #require(
        try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
    }
  }
}
