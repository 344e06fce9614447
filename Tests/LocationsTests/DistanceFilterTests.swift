import Geodesy
import Locations
import Testing

@Suite struct DistanceFilterTests {
  private func meridian(_ meters: Double) throws -> Coordinate {
    try Coordinate(latitude: 0, longitude: 0).destination(distance: meters, bearing: 0)
  }

  @Test func deliversTheFirstLocation() throws {
    var filter = DistanceFilter(minimumDistance: 1_000_000)
    let passes = filter.admit(try meridian(5))
    #expect(passes)
  }

  @Test func measuresFromTheLastThatPassed() throws {
    var filter = DistanceFilter(minimumDistance: 100)
    let passed = try [0, 60, 99.9, 100.1, 150, 199.9, 200.0, 200.2].filter {
      filter.admit(try meridian($0))
    }
    #expect(passed == [0, 100.1, 200.2])
  }

  @Test func comingBackIsNoNewLocation() throws {
    var filter = DistanceFilter(minimumDistance: 100)
    let passed = try [0, 99, 0, 50, 0].filter { filter.admit(try meridian($0)) }
    #expect(passed == [0])
  }

  @Test(arguments: [0.0, -1])
  func deliversEverythingWithoutADistance(distance: Double) throws {
    var filter = DistanceFilter(minimumDistance: distance)
    let here = try meridian(0)
    let passed = [here, here].filter { filter.admit($0) }
    #expect(passed == [here, here])
  }

  @Test func startsAnewAfterAReset() throws {
    var filter = DistanceFilter(minimumDistance: 100)
    _ = filter.admit(try meridian(0))
    filter.reset()
    let passes = filter.admit(try meridian(1))
    #expect(passes)
  }

  @Test func crossesTheDateLine() throws {
    var filter = DistanceFilter(minimumDistance: 100)
    let passed = try [179.9999, -179.9999, -179.999].filter {
      filter.admit(try Coordinate(latitude: 0, longitude: $0))
    }
    #expect(passed == [179.9999, -179.999])
  }
}
