import FaketrackFeatures
import FaketrackTestSupport
import Foundation
import Testing

@Suite struct GeoJSONFormatTests {
  private struct Collection: Decodable {
    struct Feature: Decodable {
      struct Geometry: Decodable {
        var type: String
        var coordinates: [Double]
      }
      struct Properties: Decodable {
        var index: Int
        var error: String?
      }
      var type: String
      var geometry: Geometry
      var properties: Properties
    }
    var type: String
    var features: [Feature]
  }

  @Test(arguments: [0, 1, 2, 5])
  func isAFeatureCollectionOfSoManyPoints(count: Int) throws {
    let collection = try Self.read(try (0..<count).map { try Visits.full($0) })
    #expect(collection.type == "FeatureCollection")
    #expect(collection.features.map(\.properties.index) == Array(0..<count))
    for feature in collection.features {
      #expect(feature.type == "Feature")
      #expect(feature.geometry.type == "Point")
      #expect(feature.geometry.coordinates == [13.0591, 52.4009, 35.2])
    }
  }

  @Test func anUnknownElevationIsLeftOut() throws {
    let collection = try Self.read([try Visits.bare(at: -33.5, -70.25)])
    #expect(collection.features.first?.geometry.coordinates == [-70.25, -33.5])
  }

  @Test func isTheCollectionWordForWord() throws {
    #expect(
      Output.text(.geojson, [try Visits.full(1), try Visits.bare(2)]) == #"""
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.0591,52.4009,35.2]},\#
        "properties":{"index":1,"time":"2026-05-01T08:01:15Z","latitude":52.4009,\#
        "longitude":13.0591,"elevation":35.2,"distance":100.0,"elapsed":75.0,"speed":1.31,"course":87.2,\#
        "horizontalAccuracy":null,"interpolated":false,\#
        "city":{"id":2852458,"name":"Potsdam","country":"DE","region":null,\#
        "population":null,"distance":312.41},\#
        "photo":{"id":"17","title":"Bridge","owner":"Ada","license":"CC BY 2.0",\#
        "url":"https://image.example/17.jpg","page":"https://page.example/17",\#
        "latitude":52.4009,"longitude":13.0591,"distance":0.0,"taken":null,"placedBy":null,"source":"commons"},\#
        "error":null}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.0591,52.4009]},\#
        "properties":{"index":2,"time":null,"latitude":52.4009,"longitude":13.0591,\#
        "elevation":null,"distance":null,"elapsed":null,"speed":null,"course":null,"horizontalAccuracy":null,\#
        "interpolated":false,"city":null,"photo":null,\#
        "error":null}}
        ]}

        """#)
  }

  @Test func aWalkWithoutLocationsIsAnEmptyCollection() {
    #expect(Output.text(.geojson, []) == "{\"type\":\"FeatureCollection\",\"features\":[\n]}\n")
  }

  @Test func hostileTextStaysInItsString() throws {
    let text = Output.text(.geojson, [try Visits.hostile()])
    #expect(text.utf8.count { $0 == 0x0A } == 3)
    #expect(!text.utf8.contains(0x1B))
    #expect(try Self.read([try Visits.hostile()]).features.count == 1)
  }

  private static func read(_ visits: [Visit]) throws -> Collection {
    let text = Output.text(.geojson, visits)
    #expect(text.hasSuffix("\n"))
    return try JSONDecoder().decode(Collection.self, from: Data(text.utf8))
  }
}
