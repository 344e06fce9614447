import FaketrackSupport
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct BoxTreeTests {
  @Test(arguments: [
    (1, 1, 1, 1), (8, 1, 1, 1), (9, 2, 1, 1), (64, 8, 1, 1), (65, 9, 3, 2), (512, 64, 9, 2),
    (513, 65, 12, 3), (234_908, 29_364, 4_197, 5),
  ])
  func hasTheShapeOfItsPoints(points: Int, leaves: Int, nodes: Int, height: Int) {
    let shape = BoxTree.Shape(points: points)
    #expect(shape.leaves == leaves)
    #expect(shape.height == height)
    // The sum over the levels, each an eighth of the one below.
    var below = leaves
    var sum = 0
    repeat {
      below = (below + 7) / 8
      sum += below
    } while below > 1
    #expect(shape.nodes == sum)
    if points < 1_000 { #expect(shape.nodes == nodes) }
  }

  @Test func theLargestIndexFitsItsStack() {
    #expect(BoxTree.Shape(points: IndexLayout.maximumCities).height * 7 + 8 <= 80)
  }

  private func records(_ count: Int) throws -> [CityRecord] {
    var generator = SplitMix64(seed: UInt64(count))
    return (0..<count).map { id in
      CityRecord(
        id: UInt32(id), latitude: .random(in: -900_000_000...900_000_000, using: &generator),
        longitude: .random(in: -1_800_000_000...1_800_000_000, using: &generator), population: 0,
        nameOffset: 0, nameCount: 1, region: 0, zone: 0, country: 0)
    }
  }

  /// Notes which rows it is shown.
  private struct Notes: BoxTreeVisitor {
    var limit: Float
    var rows: [UInt32] = []

    mutating func visit(_ row: UInt32, _ square: Float) { rows.append(row) }
  }

  @Test(arguments: [1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 2_000])
  func showsEachPointWithinTheLimitOnce(count: Int) throws {
    let records = try records(count)
    let builder = BoxTreeBuilder(records)
    let positions = records.map { EarthVector.at($0.coordinate) }
    try builder.leaves.withUnsafeBufferPointer { leaves in
      try builder.nodes.withUnsafeBufferPointer { nodes in
        let tree = BoxTree(leaves: leaves, nodes: nodes, points: count)
        #expect(tree.isWellFormed(points: count))
        let from = EarthVector.at(try Coordinate(latitude: 20, longitude: 30))
        for reach: Float in [0, 1e3, 1e6, 5e6, 13e6] {
          var notes = Notes(limit: reach * reach)
          tree.visit(from: from, &notes)
          let near = positions.indices.filter { row in
            let difference = positions[row] - from
            return (difference * difference).sum() <= reach * reach
          }
          #expect(Set(notes.rows).isSuperset(of: near.map { UInt32($0) }))
          #expect(Set(notes.rows).count == notes.rows.count)
          #expect(notes.rows.allSatisfy { $0 < count })
        }
      }
    }
  }

  @Test func knowsWhenItIsNotOfThatManyPoints() throws {
    let builder = BoxTreeBuilder(try records(70))
    builder.leaves.withUnsafeBufferPointer { leaves in
      builder.nodes.withUnsafeBufferPointer { nodes in
        let tree = BoxTree(leaves: leaves, nodes: nodes, points: 70)
        #expect(tree.isWellFormed(points: 70))
        for points in [65, 69, 71, 72] { #expect(!tree.isWellFormed(points: points)) }
      }
    }
  }

  @Test(
    arguments: [
      ([1, 2, 3, 4, 5, 6, 7, 8], 4, [0, 1, 2, 3]), ([9, 9, 9, 9, 9, 9, 9, 9], 8, []),
      ([0, .infinity, 0, 5, .nan, 1, 2, 2.5], 2, [0, 2, 4, 5, 6]),
      ([.infinity, .infinity, 3, 3, 3, 3, 3, 3], .infinity, [0, 1, 2, 3, 4, 5, 6, 7]),
    ] as [([Float], Float, [Int])])
  func listsTheLanesUpToALimit(numbers: [Float], limit: Float, lanes: [Int]) {
    #expect(Array(Lanes(SIMD8(numbers), upTo: limit)) == lanes)
  }

  @Test(
    arguments: [
      ([5, 4, 3, 2, 1, 2, 3, 4], 4), ([1, 1, 1, 1, 1, 1, 1, 1], 0), ([9, 8, 7, 6, 5, 4, 3, 2], 7),
      ([.infinity, .infinity, .infinity, 7, 7, .infinity, .infinity, .infinity], 3),
    ] as [([Float], Int)])
  func findsTheLaneOfTheSmallestNumber(numbers: [Float], lane: Int) {
    #expect(Lanes.ofLeast(SIMD8(numbers)) == lane)
  }
}
