import FaketrackSupport
import Geodesy
import Testing

@testable import PhotoSearch

@Suite struct CellGridTests {
  @Test(arguments: EarthGridTests.spots, [50.0, 500, 2000])
  func aSearchReachesAllAroundEveryLocation(spot: Coordinate, radius: Double) {
    let grid = CellGrid(radius: radius, maximumRadius: 10_000)
    var random = SplitMix64(seed: 5)
    for _ in 0..<50 {
      let location = EarthGridTests.near(spot, within: 2000, using: &random)
      let photo = EarthGridTests.near(location, within: radius, using: &random)
      let cell = grid.cell(of: location)
      #expect(cell.center.distance(to: photo) <= cell.radius)
    }
  }

  @Test(arguments: [
    (50.0, 226.0, 230.0), (500, 850, 856), (1000, 1700, 1712), (5000, 5700, 5712),
    (9_900, 10_000, 10_000), (20_000, 10_000, 10_000),
  ])
  func enlargesTheRadiusByHalfTheDiagonal(radius: Double, least: Double, most: Double) {
    let grid = CellGrid(radius: radius, maximumRadius: 10_000)
    let cell = grid.cell(of: Spot.potsdam)
    #expect(cell.radius >= least && cell.radius <= most)
  }

  @Test(arguments: [.nan, -Double.infinity, -1, 0] as [Double])
  func aRadiusThatIsNoneCountsAsZero(radius: Double) {
    let cell = CellGrid(radius: radius, maximumRadius: 10_000).cell(of: Spot.potsdam)
    #expect(cell == CellGrid(radius: 0, maximumRadius: 10_000).cell(of: Spot.potsdam))
  }

  @Test func aRadiusHasNoUpperLimit() {
    let cell = CellGrid(radius: .infinity, maximumRadius: 10_000).cell(of: Spot.potsdam)
    #expect(cell.radius == 10_000)
  }

  /// The number of cells per location of a walk, 100 m apart.
  private func fraction(of walk: [Coordinate]) -> Double {
    let grid = CellGrid(radius: 500, maximumRadius: 10_000)
    return Double(Set(walk.map(grid.cell)).count) / Double(walk.count)
  }

  private func walk(
    from start: Coordinate, _ count: Int, bearing: (Int) -> Double
  ) -> [Coordinate] {
    var walk = [start]
    for step in 1..<count {
      walk.append(walk[step - 1].destination(distance: 100, bearing: bearing(step)))
    }
    return walk
  }

  @Test(arguments: [Spot.potsdam, Spot.at(0, 0), Spot.at(84.9, 10), Spot.at(-16.5, 179.97)])
  func aWalkNeedsASearchForEveryThirdLocationAtMost(start: Coordinate) {
    for bearing in stride(from: 0.0, to: 360, by: 15) {
      let straight = walk(from: start, 200) { _ in bearing }
      #expect(fraction(of: straight) <= 0.3, "bearing \(bearing)")
      let outAndBack = straight + straight.reversed()
      #expect(fraction(of: outAndBack) <= 0.15, "bearing \(bearing)")
      let winding = walk(from: start, 200) { bearing + Double($0 % 20 - 10) * 8 }
      #expect(fraction(of: winding) <= 0.3, "bearing \(bearing)")
    }
  }
}
