import Testing

@testable import Geodesy

@Suite struct WGS84Tests {
  @Test func theDerivedConstantsAreThoseOfTheStandard() {
    // NGA.STND.0036, table 3.5.
    #expect(abs(WGS84.polarRadius - 6_356_752.314_2) < 1e-4)
    #expect(abs(WGS84.eccentricitySquared - 6.694_379_990_14e-3) < 1e-14)
    #expect(abs(WGS84.secondEccentricitySquared - 6.739_496_742_28e-3) < 1e-14)
    #expect(abs(WGS84.axisRatio - 0.996_647_189_335) < 1e-12)
  }

  @Test func theSquaredEccentricityIsWithinARounding() {
    // The exact value is 0.00669437999014131699613723...
    let exact = 0.006_694_379_990_141_317
    #expect(abs(WGS84.eccentricitySquared - exact) <= exact.ulp)
  }

  @Test func theConstantsAgreeWithEachOther() {
    let (a, b) = (WGS84.equatorialRadius, WGS84.polarRadius)
    #expect(abs(WGS84.flattening - (a - b) / a) < 1e-16)
    #expect(abs(WGS84.thirdFlattening - (a - b) / (a + b)) < 1e-16)
    #expect(abs(WGS84.eccentricitySquared - (a * a - b * b) / (a * a)) < 1e-16)
    #expect(abs(WGS84.secondEccentricitySquared - (a * a - b * b) / (b * b)) < 1e-16)
  }

  @Test func theMeridianIsAsLongAsTheWayFromPoleToPole() throws {
    // Twice the quarter meridian of GeographicLib.
    #expect(abs(WGS84.meridianLength - 20_003_931.458_625_45) < 1e-7)
    let south = try Coordinate(latitude: -90, longitude: 0)
    let north = try Coordinate(latitude: 90, longitude: 0)
    #expect(abs(south.distance(to: north) - WGS84.meridianLength) < 1e-7)
  }

  @Test func theMeridianIsTheSumOfItsPieces() {
    // The ellipse by Simpson's rule over the reduced latitude.
    let count = 2_000
    let step = Double.pi / Double(count)
    func speed(_ index: Int) -> Double {
      let angle = Angle(radians: -Double.pi / 2 + Double(index) * step)
      let (x, y) = (WGS84.equatorialRadius * angle.sine, WGS84.polarRadius * angle.cosine)
      return (x * x + y * y).squareRoot()
    }
    let sum = (1..<count).reduce(speed(0) + speed(count)) { sum, index in
      sum + speed(index) * (index.isMultiple(of: 2) ? 2 : 4)
    }
    #expect(abs(sum * step / 3 - WGS84.meridianLength) < 1e-6)
  }
}
