import Geodesy
import Testing

@testable import Locations

@Suite struct SensorNoiseTests {
  private let origin = Coordinate(validLatitude: 52, longitude: 13)

  /// The errors at these seconds, as the way to each, in metres and degrees.
  private func errors(
    at seconds: some Sequence<Double>, accuracy: Double = 10, seed: UInt64 = 1
  ) -> [(distance: Double, bearing: Double)] {
    var noise = SensorNoise(accuracy: accuracy, seed: seed)
    return seconds.map { second in
      var placed = PlacedFix(fix: Fix(origin), place: WalkPlace(elapsed: second))
      noise.disturb(&placed)
      #expect(placed.fix.horizontalAccuracy == accuracy)
      let there = placed.fix.coordinate
      return (origin.distance(to: there), origin.bearing(to: there))
    }
  }

  private func share(of errors: [Double], within limit: Double) -> Double {
    Double(errors.filter { $0 <= limit }.count) / Double(errors.count)
  }

  @Test(arguments: [2.0, 10, 50])
  func independentErrorsHaveTheDistributionOfTheAccuracy(accuracy: Double) {
    let far = (0..<20_000).map { Double($0) * 1_000 }
    let distances = errors(at: far, accuracy: accuracy).map(\.distance)
    #expect(abs(share(of: distances, within: accuracy) - 0.68) < 0.01)
    // Of a Rayleigh distribution, 95 % lie within 1.6214 times the radius of 68 %.
    #expect(abs(share(of: distances, within: 1.621_4 * accuracy) - 0.95) < 0.01)
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

  @Test func theGeneratorIsTheSameEverywhere() {
    // The published first outputs for the seed 1234567.
    var generator = SplitMix64(seed: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(expected.map { _ in generator.next() } == expected)
  }

  private func cosine(_ degrees: Double) -> Double {
    // Towards the north, as the coordinates tell it.
    let there = origin.destination(distance: 1_000, bearing: degrees)
    return (there.latitude - origin.latitude)
      / (origin.destination(distance: 1_000, bearing: 0).latitude - origin.latitude)
  }
}
