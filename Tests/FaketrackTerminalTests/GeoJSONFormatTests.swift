import FaketrackFeatures
import FaketrackTerminal
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

  private static func read(_ visits: [Visit]) throws -> Collection {
    var format = GeoJSONFormat()
    var text = format.opening
    for visit in visits { text += format.text(for: visit) }
    text += format.closing
    #expect(text.hasSuffix("\n"))
    return try JSONDecoder().decode(Collection.self, from: Data(text.utf8))
  }
}
