import Foundation
import Testing

@testable import Geodesy

@Suite struct ShortDistanceTests {
  @Test(arguments: Array(stride(from: -90.0, through: 90, by: 2.5)))
  func squaresTheSineAndCosineOfALatitude(latitude: Double) {
    let squares = ShortDistance.squares(ofLatitude: latitude)
    let angle = Angle(degrees: latitude)
    #expect(abs(squares.sine - angle.sine * angle.sine) < 1e-12 * angle.sine * angle.sine + 1e-30)
    #expect(
      abs(squares.cosine - angle.cosine * angle.cosine)
        < 1e-12 * angle.cosine * angle.cosine + 1e-30)
  }

  @Test(arguments: [1e-3, 1e-6, 1e-9, 1e-12])
  func keepsTheCosineExactNextToThePole(degrees: Double) {
    let small = 90 - (90 - degrees)  // what is left of it at this magnitude
    let squares = ShortDistance.squares(ofLatitude: -90 + degrees)
    let radians = small * .pi / 180
    #expect(abs(squares.cosine / (radians * radians) - 1) < 1e-9)
    #expect(abs(squares.sine - 1) < 1e-9)
  }

  @Test func isZeroWithoutADifference() {
    for latitude in [-90.0, -45, 0, 52.4, 90] {
      #expect(
        ShortDistance.meters(middleLatitude: latitude, latitudes: 0, longitudes: 0) == 0)
    }
    #expect(ShortDistance.meters(middleLatitude: 90, latitudes: 0, longitudes: 0.2) == 0)
  }

  @Test(arguments: [-80.0, -45, 0, 30, 52.4, 89])
  func takesDifferencesOfEitherSign(latitude: Double) {
    let (north, east) = (0.01, 0.02)
    let expected = ShortDistance.meters(
      middleLatitude: latitude, latitudes: north, longitudes: east)
    for (y, x) in [(north, -east), (-north, east), (-north, -east)] {
      #expect(
        ShortDistance.meters(middleLatitude: latitude, latitudes: y, longitudes: x) == expected)
      #expect(
        ShortDistance.meters(middleLatitude: -latitude, latitudes: y, longitudes: x) == expected)
    }
  }

  @Test(arguments: Array(stride(from: -88.5, through: 88.5, by: 3)))
  func startsInTheDirectionOfTheFullSolution(latitude: Double) throws {
    let start = try Coordinate(latitude: latitude, longitude: 13.06566)
    for step in 1...200 {
      let (turn, reach) = (Double(step) * 0.61, 0.002 * Double(step) / 200)
      let (north, east) = (reach * cos(turn), reach * sin(turn))
      let end = try Coordinate(latitude: latitude + north, longitude: start.longitude + east)
      let path = Geodesic(from: start, to: end)
      let error = start.bearing(to: end) - path.azimuth.degrees
      let aside = path.length * error.remainder(dividingBy: 360) * .pi / 180
      #expect(abs(aside) < 1e-8, "\(latitude), \(north), \(east)")
    }
  }
}
