import FaketrackSupport
import Foundation
import Geodesy
import Testing

@testable import PhotoSearch

@Suite struct EarthGridTests {
  static let spots = [
    Spot.at(0, 0), Spot.at(52.4, 13.06), Spot.at(-33.9, 151.2), Spot.at(85, -40), Spot.at(89.99, 7),
    Spot.at(90, 0), Spot.at(90, 180), Spot.at(-90, -180), Spot.at(-78, 166.7), Spot.at(0, 180),
    Spot.at(0, -180), Spot.at(-16.5, 179.9999), Spot.at(-16.5, -179.9999), Spot.at(-0.0001, 0),
  ]

  @Test(arguments: spots, [70.0, 250, 500, 1000])
  func aCellHoldsItsPositions(spot: Coordinate, side: Double) {
    let grid = EarthGrid(side: side)
    var random = SplitMix64(seed: 3)
    for _ in 0..<50 {
      let position = Self.near(spot, within: 3 * side, using: &random)
      let cell = grid.cell(at: position)
      #expect((0..<grid.rows).contains(cell.row))
      #expect((0..<grid.columns(in: cell.row)).contains(cell.column))
      #expect(grid.center(of: cell).distance(to: position) <= grid.reach(of: cell) * 1.000001)
      #expect(grid.cell(at: grid.center(of: cell)) == cell)
    }
  }

  @Test(arguments: spots, [250.0, 1000])
  func cellsAreAboutSquare(spot: Coordinate, side: Double) {
    let grid = EarthGrid(side: side)
    let cell = grid.cell(at: spot)
    let height = grid.position(in: cell, eastward: 0.5, northward: 0)
      .distance(to: grid.position(in: cell, eastward: 0.5, northward: 1))
    #expect(height > side * 0.98 && height < side * 1.02)
    #expect(grid.reach(of: cell) > side * 0.5 && grid.reach(of: cell) < side * 0.72)
    guard abs(spot.latitude) < 89 else { return }
    let width = grid.position(in: cell, eastward: 0, northward: 0.5)
      .distance(to: grid.position(in: cell, eastward: 1, northward: 0.5))
    #expect(width > side * 0.95 && width < side * 1.01)
  }

  @Test func bothSidesOfTheDateLineAreOnePlace() {
    let grid = EarthGrid(side: 500)
    #expect(grid.cell(at: Spot.at(10, 180)) == grid.cell(at: Spot.at(10, -180)))
    #expect(grid.cell(at: Spot.at(10, 179.99999)) != grid.cell(at: Spot.at(10, -179.99999)))
  }

  @Test func cellsCoverTheEarthWithoutOverlap() {
    let grid = EarthGrid(side: 1_000_000)
    var cells: Set<EarthGrid.Cell> = []
    var random = SplitMix64(seed: 4)
    for _ in 0..<20_000 {
      let latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
      cells.insert(grid.cell(at: Spot.at(latitude, .random(in: -180...180, using: &random))))
    }
    let all = (0..<grid.rows).map { grid.columns(in: $0) }.reduce(0, +)
    #expect(cells.count == all)
  }

  /// A position at random, within the distance.
  static func near(
    _ spot: Coordinate, within distance: Double, using random: inout SplitMix64
  ) -> Coordinate {
    spot.destination(
      distance: .random(in: 0...distance, using: &random),
      bearing: .random(in: 0..<360, using: &random))
  }
}
