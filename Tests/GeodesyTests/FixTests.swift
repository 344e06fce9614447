import Foundation
import Testing

@testable import Geodesy

@Suite struct FixTests {
  private static let whole = Fix(
    Coordinate(validLatitude: 52.5, longitude: 13.25),
    time: Date(timeIntervalSince1970: 1_700_000_000.25),
    elevation: -3.5, speed: 1.4, course: 359.9, horizontalAccuracy: 4.2, verticalAccuracy: 7.3,
    speedAccuracy: 0.1, courseAccuracy: 12.75, segment: 3, distance: 1_234.5,
    elapsed: .seconds(900),
    isInterpolated: true)

  @Test func whatIsNotGivenIsNotKnown() throws {
    let fix = Fix(try Coordinate(latitude: 1, longitude: 2))
    #expect(fix.time == nil && fix.elevation == nil && fix.speed == nil && fix.course == nil)
    #expect(fix.horizontalAccuracy == nil && fix.distance == nil)
    #expect(fix.segment == 0)
  }

  @Test func everyPropertyCounts() throws {
    let fix = Fix(try Coordinate(latitude: 1, longitude: 2))
    let changes: [(inout Fix) -> Void] = [
      { $0.coordinate = Coordinate(validLatitude: 1, longitude: 3) }, { $0.time = .distantPast },
      { $0.elevation = 0 }, { $0.speed = 0 }, { $0.course = 0 }, { $0.horizontalAccuracy = 0 },
      { $0.verticalAccuracy = 0 }, { $0.speedAccuracy = 0 }, { $0.courseAccuracy = 0 },
      { $0.segment = 1 }, { $0.distance = 0 },
    ]
    let variants = changes.map { change in
      var variant = fix
      change(&variant)
      return variant
    }
    #expect(Set(variants + [fix]).count == changes.count + 1)
  }

  @Test(arguments: [whole, Fix(Coordinate(validLatitude: 0, longitude: 0))])
  func comesBackFromJSON(fix: Fix) throws {
    let data = try JSONEncoder().encode(fix)
    #expect(try JSONDecoder().decode(Fix.self, from: data) == fix)
  }

  @Test func needsOnlyACoordinate() throws {
    let json = Data(#"{"coordinate":{"latitude":1,"longitude":2}}"#.utf8)
    #expect(
      try JSONDecoder().decode(Fix.self, from: json)
        == Fix(Coordinate(validLatitude: 1, longitude: 2)))
  }

  @Test func tellsWhichPositionIsNone() {
    let json = Data(#"{"coordinate":{"latitude":91,"longitude":2}}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Fix.self, from: json) }
  }

  @Test(arguments: [0, 0.1, 3.3, 4.2, 0.0001, 100_000.5])
  func anAccuracyKeepsItsDecimals(accuracy: Double) {
    var fix = Fix(Coordinate(validLatitude: 0, longitude: 0))
    (fix.verticalAccuracy, fix.speedAccuracy, fix.courseAccuracy) = (accuracy, accuracy, accuracy)
    #expect(fix.verticalAccuracy == accuracy)
    #expect(fix.speedAccuracy == accuracy)
    #expect(fix.courseAccuracy == accuracy)
  }

  @Test(arguments: [-1, -Double.infinity, .infinity, .nan])
  func anAccuracyThatIsNoneIsUnknown(accuracy: Double) {
    #expect(
      Fix(Coordinate(validLatitude: 0, longitude: 0), verticalAccuracy: accuracy).verticalAccuracy
        == nil)
  }

  @Test func aHugeAccuracyIsTheLargest() throws {
    let fix = Fix(Coordinate(validLatitude: 0, longitude: 0), verticalAccuracy: 1e300)
    #expect(try #require(fix.verticalAccuracy) > 429_000)
  }

  @Test(arguments: [(Int.max, 2_147_483_647), (Int.min, -2_147_483_648), (-1, -1)])
  func aSegmentHas32Bits(segment: Int, expected: Int) {
    #expect(Fix(Coordinate(validLatitude: 0, longitude: 0), segment: segment).segment == expected)
  }

  /// Fixes are copied from stage to stage.
  @Test func isSmall() {
    #expect(MemoryLayout<Fix>.stride == 96)
  }
}
