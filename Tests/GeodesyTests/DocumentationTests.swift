import Geodesy
import Testing

/// The snippets of `Geodesy.docc`; a test of the documentation compares them word for word.
@Suite struct DocumentationTests {
  @Test func measuresAndRefuses() throws {
    let berlin = try Coordinate(latitude: 52.52, longitude: 13.405)
    let paris = try Coordinate(latitude: 48.8566, longitude: 2.3522)
    #expect(throws: InvalidCoordinate(latitude: 91, longitude: 0)) {
      try Coordinate(latitude: 91, longitude: 0)
    }

    let meters = berlin.distance(to: paris)
    let bearing = berlin.bearing(to: paris)
    let halfway = berlin.interpolated(to: paris, fraction: 0.5)
    let arrival = berlin.destination(distance: meters, bearing: bearing)

    #expect((877_000..<881_000).contains(meters))
    #expect((240..<250).contains(bearing))
    #expect(abs(halfway.distance(to: paris) - meters / 2) < 1e-6)
    #expect(arrival.distance(to: paris) < 1e-6)
  }

  @Test func boundsCrossTheDateLine() throws {
    let fiji = try [179.5, -179.5].map { try Coordinate(latitude: -17, longitude: $0) }
    let box = BoundingBox(fiji)
    #expect(box?.crossesDateLine == true)
  }
}
