import Cities
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeatures

@MainActor
@Suite struct AreaTextTests {
  private func contains(_ text: String, _ latitude: Double, _ longitude: Double) async throws
    -> Bool
  {
    let area = try #require(AreaText(text)).area
    let found = try await area { name in
      try #require(TestIndex.make().matches(named: name).first).city
    }
    return found.contains(try Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test func readsAreas() async throws {
    #expect(try await contains("52.4, 13.06, 200m", 52.4, 13.06))
    #expect(try await !contains("52.4,13.06,200", 52.402, 13.06))
    #expect(try await contains("12.9,52.3,13.2,52.5", 52.4, 13.06))
    #expect(try await contains("179,-1,-179,1", 0, 180))
    let berlin = try #require(TestIndex.make().matches(named: "Berlin").first).city.coordinate
    #expect(try await contains("Berlin", berlin.latitude + 0.008, berlin.longitude))
    #expect(try await !contains("Berlin,100m", berlin.latitude + 0.008, berlin.longitude))
  }

  @Test func readsPolygons() async throws {
    let home = try TemporaryHome()
    try home.file(
      "area.geojson",
      Data(
        """
        {"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":
        [[[13,52],[13.1,52],[13.1,52.1],[13,52.1],[13,52]]]}}
        """.utf8))
    #expect(try await contains("@" + home.path("area.geojson"), 52.05, 13.05))
    #expect(try await !contains("@" + home.path("area.geojson"), 52.05, 13.15))
    try home.file("points.geojson", Data(#"{"type":"FeatureCollection","features":[]}"#.utf8))
    await #expect(throws: Failure.self) {
      try await contains("@" + home.path("points.geojson"), 0, 0)
    }
  }

  @Test(arguments: [
    "", "52.4", "52.4,13.06", "91,0,5m", "52.4,13,5min", "0,50,10,40", "0,0,200,1", "1,2,3,4,5",
    "52.4,13,-5m", "52.4,13,0", "@",
  ])
  func refusesOtherTexts(text: String) {
    #expect(AreaText(text) == nil)
  }

  @Test(
    arguments: [
      ("Potsdam,Berlin", ["Potsdam", "Berlin"]),
      ("Potsdam,2km, Berlin", ["Potsdam,2km", "Berlin"]),
      ("52.4,13.06,200m,52.5,13.4,1km", ["52.4,13.06,200m", "52.5,13.4,1km"]),
      ("12.9,52.3,13.2,52.5,Berlin", ["12.9,52.3,13.2,52.5", "Berlin"]),
      ("@a.geojson,52.4,13.06,200m", ["@a.geojson", "52.4,13.06,200m"]),
      ("Paris, Texas; 52.4,13.06,200; Potsdam", ["Paris, Texas", "52.4,13.06,200", "Potsdam"]),
      ("Potsdam;;", ["Potsdam"]), ("Potsdam;52.4", nil), ("2852458,Berlin", ["2852458", "Berlin"]),
      ("52.4,13.06", nil), ("", nil), ("Potsdam,5", ["Potsdam", "5"]),
    ] as [(String, [String]?)])
  func readsLists(text: String, areas: [String]?) {
    #expect(AreaText.list(text)?.map(\.text) == areas)
  }
}
