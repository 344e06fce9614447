import FaketrackFeatures
import Testing

@Suite struct MadeTrackTests {
  private static let words: [(text: String, name: String?)] = [
    ("0,0 to 0,1", "0.0000, 0.0000 to 0.0000, 1.0000"),
    (" 0, 0  TO  0,1 by Bike ", "0.0000, 0.0000 to 0.0000, 1.0000"),
    ("0,0 to 0,1 to 0,0", "0.0000, 0.0000 to 0.0000, 1.0000 to 0.0000, 0.0000"),
    ("0,0 to 0,1 to 0,2 to 0,3 to Berlin", "0.0000, 0.0000 to Berlin, DE"),
    ("52.4,13.06 to Berlin to 52.4,13.07", "Around Berlin, DE"),
    ("0,0 5km", "Around 0.0000, 0.0000"),
    ("Berlin 5km", "Around Berlin, DE"),
    ("52.4,13.06 2 km", nil),
    ("52.4,13.06 5", nil),
    ("walk.gpx", nil),
    ("Potsdam", nil),
    ("5km", nil),
    ("to ", nil),
    ("", nil),
  ]

  @Test(arguments: words)
  func readsWordsThatNameAWay(text: String, name: String?) throws {
    let words = MadeTrack(text)
    #expect((words == nil) == (name == nil))
    if let words { #expect(try words.track(in: TestIndex.make()).name == name) }
  }

  @Test func aLongWayHasALongInterval() throws {
    let words = try #require(MadeTrack("0,0 to 0,90"))
    #expect(try words.track(in: TestIndex.make()).name == "0.0000, 0.0000 to 0.0000, 90.0000")
  }

  @Test(arguments: ["Atlantis to 0,0", "0,0 to 0,0", "0,0 5m", "91,0 to 0,0"])
  func saysWhyThereIsNoTrack(text: String) throws {
    let words = try #require(MadeTrack(text))
    #expect(throws: Failure.self) { try words.track(in: TestIndex.make()) }
  }
}
