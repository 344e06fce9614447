import Geodesy
import Testing

@testable import Locations

@Suite struct SensorNoiseTests {
  private let origin = Coordinate(validLatitude: 52, longitude: 13)

  /// The errors at these seconds: how far and in which direction, in meters and degrees.
  private func errors(
    at seconds: some Sequence<Double>, accuracy: Double = 10, seed: UInt64 = 1
  ) -> [(distance: Double, bearing: Double)] {
    var noise = SensorNoise(accuracy: accuracy, seed: seed)
    return seconds.map { second in
      var placed = TrackFix(fix: Fix(origin), progress: TrackProgress(elapsed: second))
      noise.disturb(&placed)
      #expect(placed.fix.horizontalAccuracy == accuracy)
      let there = placed.fix.coordinate
      return (origin.distance(to: there), origin.bearing(to: there))
    }
  }

  private func fraction(of errors: [Double], within limit: Double) -> Double {
    Double(errors.filter { $0 <= limit }.count) / Double(errors.count)
  }

  @Test(arguments: [2.0, 10, 50])
  func independentErrorsHaveTheDistributionOfTheAccuracy(accuracy: Double) {
    let far = (0..<20_000).map { Double($0) * 1_000 }
    let distances = errors(at: far, accuracy: accuracy).map(\.distance)
    #expect(abs(fraction(of: distances, within: accuracy) - 0.68) < 0.01)
    // Of a Rayleigh distribution, 95 % are within 1.6214 times the radius of 68 %.
    #expect(abs(fraction(of: distances, within: 1.621_4 * accuracy) - 0.95) < 0.01)
  }

  @Test func noDirectionIsPreferred() {
    let bearings = errors(at: (0..<20_000).map { Double($0) * 1_000 }).map(\.bearing)
    for quarter in 0..<4 {
      let range = Double(quarter) * 90..<Double(quarter + 1) * 90
      #expect(abs(Double(bearings.filter(range.contains).count) / 20_000 - 0.25) < 0.015)
    }
  }

  @Test(arguments: [(1.0, 0.967), (30, 0.368), (120, 0.018)])
  func errorsAreForgottenOverHalfAMinute(lag: Double, expected: Double) {
    let errors = errors(at: (0..<40_000).map { Double($0) * lag })
    let north = errors.map { error in error.distance * cosine(error.bearing) }
    let variance = north.map { $0 * $0 }.reduce(0, +) / Double(north.count)
    let products = zip(north, north.dropFirst()).map { $0 * $1 }
    #expect(abs(products.reduce(0, +) / Double(products.count) / variance - expected) < 0.04)
  }

  @Test func timeThatStandsKeepsTheError() {
    let errors = errors(at: [5, 5, 5])
    #expect(abs(errors[0].distance - errors[2].distance) < 1e-6)
  }

  @Test func theSameSeedGivesTheSameErrors() {
    let seconds = (0..<500).map { Double($0) * 0.7 }
    let runs = (0..<3).map { _ in errors(at: seconds, seed: 42).map(\.distance) }
    #expect(Set(runs).count == 1)
    #expect(errors(at: seconds, seed: 43).map(\.distance) != runs[0])
  }

  @Test func theErrorsScaleWithTheAccuracy() {
    let seconds = (0..<200).map(Double.init)
    let small = errors(at: seconds, accuracy: 1, seed: 3)
    let large = errors(at: seconds, accuracy: 100, seed: 3)
    for (small, large) in zip(small, large) {
      #expect(abs(large.distance / small.distance - 100) < 1e-3)
    }
  }

  @Test func timeThatGoesBackKeepsTheError() {
    let errors = errors(at: [100, 50, 0])
    #expect(abs(errors[0].distance - errors[2].distance) < 1e-6)
  }

  private func cosine(_ degrees: Double) -> Double {
    // Measured by the coordinates: the part of 1,000 m that leads north.
    let there = origin.destination(distance: 1_000, bearing: degrees)
    return (there.latitude - origin.latitude)
      / (origin.destination(distance: 1_000, bearing: 0).latitude - origin.latitude)
  }
}
