import FaketrackSupport
import Testing

@testable import GPX

@Suite struct ElevationGainTests {
  private typealias Leg = (length: Double, elevation: Double?)

  private func gain(_ legs: [Leg]) -> (ascent: Double, descent: Double) {
    var gain = ElevationGain()
    for leg in legs { gain.add(TrackLegs.Leg(length: leg.length, elevation: leg.elevation)) }
    gain.finish()
    return (gain.ascent, gain.descent)
  }

  /// The averages over 25 m to both sides, or as far as the way goes on both, with all in memory.
  private func averages(_ legs: [Leg]) -> [Double] {
    var samples: [(place: Double, elevation: Double)] = []
    var place = 0.0
    for leg in legs {
      place += leg.length
      if let elevation = leg.elevation { samples.append((place, elevation)) }
    }
    guard let first = samples.first, let last = samples.last else { return [] }
    return samples.map { center in
      let radius = min(25, center.place - first.place, last.place - center.place)
      let near = samples.filter { abs($0.place - center.place) <= radius }
      return near.reduce(0) { $0 + $1.elevation } / Double(near.count)
    }
  }

  /// The noise of the legs, with all elevations in memory.
  private func noiseShare(_ legs: [Leg]) -> Double {
    var places: [(place: Double, elevation: Double)] = []
    var place = 0.0
    for leg in legs {
      place += leg.length
      if let elevation = leg.elevation { places.append((place, elevation)) }
    }
    var bumps: [Double] = []
    for index in places.indices.dropFirst().dropLast() {
      let (before, center, after) = (places[index - 1], places[index], places[index + 1])
      guard center.place - before.place <= 30, after.place - center.place <= 30 else { continue }
      let rises = [center.elevation - before.elevation, center.elevation - after.elevation]
      let isBump = rises.allSatisfy { $0 > 0 } || rises.allSatisfy { $0 < 0 }
      bumps.append(isBump ? min(5, abs(rises[0]), abs(rises[1])) : 0)
    }
    let mean = bumps.reduce(0, +) / Double(bumps.count + 50)
    return max(0, min(1, (mean - 0.04) / 0.04))
  }

  @Test(arguments: 0..<10 as Range<UInt64>, [0, 0.1, 0.15, 0.3, 3])
  func climbsWhatTheAveragesClimb(seed: UInt64, noise: Double) {
    var generator = SplitMix64(seed: seed)
    let legs: [Leg] = (0..<300).map { index in
      let height = 500 + Double(abs(index % 40 - 20)) * 0.4 + generator.normal() * noise
      let isKnown = generator.index(below: 6) > 0
      return (index == 0 ? 0 : 10 + generator.unit() * 20, isKnown ? height : nil)
    }
    let sums = gain(legs)
    let heights = averages(legs)
    let share = noiseShare(legs)
    func expected(_ heights: [Double]) -> Double {
      (1 - share) * climb(heights, ofAtLeast: 1.5) + share * climb(heights, ofAtLeast: 5)
    }
    #expect(abs(sums.ascent - expected(heights)) < 1e-6)
    #expect(abs(sums.descent - expected(heights.map { -$0 })) < 1e-6)
    // Upside down, climbs are descents.
    let mirrored = gain(legs.map { ($0.length, $0.elevation.map { -$0 }) })
    #expect(abs(mirrored.ascent - sums.descent) < 1e-6)
    #expect(abs(mirrored.descent - sums.ascent) < 1e-6)
  }

  @Test(
    arguments: [
      ([], 0, 0), ([nil, nil], 0, 0), ([100], 0, 0), ([100, 101.4], 0, 0), ([100, 101.5], 1.5, 0),
      ([101.5, 100], 0, 1.5), ([100, 101.2, 102.4], 2.4, 0), ([100, 110, 109, 120], 20, 0),
      ([100, 110, 108.5, 120], 21.5, 1.5), ([100, nil, 110], 10, 0), ([nil, 100, 110, nil], 10, 0),
      ([100, 101, 99, 101, 99.8], 2, 2), ([100, 99, 101, 98.9], 2, 2.1), ([-3, 3, -3], 6, 6),
    ] as [([Double?], Double, Double)])
  func countsClimbsOfOneAndAHalfMeters(elevations: [Double?], ascent: Double, descent: Double) {
    // 100 m apart, nothing is averaged, and no bump is taken for noise.
    let sums = gain(elevations.map { (100, $0) })
    #expect(abs(sums.ascent - ascent) < 1e-9)
    #expect(abs(sums.descent - descent) < 1e-9)
  }

  @Test func endsEveryClimbWithItsSegment() {
    var gain = ElevationGain()
    for segment in 0..<5 {
      for elevation in [100.0, 110, 120] {
        gain.add(TrackLegs.Leg(length: 100, elevation: elevation + Double(segment) * 500))
      }
      gain.finish()
      #expect(gain.ascent == 20 * Double(segment + 1))
      #expect(gain.descent == 0)
    }
  }
}

@Suite struct ElevationNoiseTests {
  private func share(_ elevations: [Double], apart meters: Double = 10) -> Double {
    var noise = ElevationNoise()
    for (index, elevation) in elevations.enumerated() {
      noise.add(elevation, at: Double(index) * meters)
    }
    return noise.share
  }

  @Test func isNoneWithoutBumps() {
    #expect(ElevationNoise().share == 0)
    let slope = (0..<500).map { Double($0) * 1.3 }
    #expect(share(slope) == 0)
    #expect(share(slope.map { $0.rounded() }) == 0)
    let hills = (0..<500).map { abs(Double($0 % 50) - 25).rounded() }
    #expect(share(hills) == 0)
  }

  @Test(arguments: [0.0, 1.2, -3])
  func isFullInTheNoiseOfAReceiverWhateverTheSlope(slope: Double) {
    var generator = SplitMix64(seed: 4)
    let elevations = (0..<500).map { Double($0) * slope + 2 * generator.normal() }
    #expect(share(elevations) == 1)
    #expect(share(elevations.reversed()) == 1)
  }

  @Test func growsWithTheHeightOfTheBumps() {
    // Every elevation but the ends is a bump; 50 without one are assumed beforehand.
    func share(_ height: Double) -> Double {
      self.share((0..<502).map { $0.isMultiple(of: 2) ? 0 : height })
    }
    #expect(share(0.04) == 0)
    #expect(abs(share(0.066) - 0.5) < 1e-9)
    #expect(share(0.09) == 1)
  }

  @Test func takesNoHillForABump() {
    let elevations = (0..<500).map { Double($0 % 2) * 4 }
    #expect(share(elevations, apart: 30) == 1)
    #expect(share(elevations, apart: 31) == 0)
  }

  @Test func trustsNeitherAShortWayNorAnOutlier() {
    #expect(share([0, 1, 0]) == 0)
    #expect(share((0..<100).map { $0 == 50 ? 300 : 0 }) == 0)
  }

  @Test func knowsNoNeighborsAcrossAGap() {
    var noise = ElevationNoise()
    for index in 0..<500 {
      noise.add(Double(index % 2) * 4, at: Double(index) * 10)
      if index.isMultiple(of: 2) { noise.finish() }
    }
    #expect(noise.share == 0)
  }
}
