import CCities
import FaketrackSupport
import Geodesy
import Testing
import WorldCities

@testable import Cities

@Suite struct BoxTreeTests {
  @Test(arguments: [
    (1, 1, 1), (8, 1, 1), (9, 2, 1), (64, 8, 1), (65, 9, 3), (512, 64, 9), (513, 65, 12),
    (234_908, 29_364, 4_197),
  ])
  func hasTheShapeOfItsPoints(points: Int, leaves: Int, nodes: Int) {
    let shape = BoxTree.Shape(points: points)
    #expect(shape.leaves == leaves)
    #expect(shape.nodes == nodes)
  }

  /// The search has room for nine levels of nodes.
  @Test func theLargestIndexIsNotTooHigh() {
    var nodes = 1
    for _ in 0..<9 { nodes *= 8 }
    #expect(IndexHeader.maximumCities <= nodes * 8)
  }

  private func records(_ count: Int) throws -> [CityRecord] {
    var generator = SplitMix64(seed: UInt64(count))
    return (0..<count).map { id in
      CityRecord(
        id: UInt32(id), latitude: .random(in: -900_000_000...900_000_000, using: &generator),
        longitude: .random(in: -1_800_000_000...1_800_000_000, using: &generator), population: 0,
        nameCount: 1, region: 0, zone: 0, country: 0)
    }
  }

  private func withTree(
    of records: [CityRecord], rows: ((inout [UInt32]) -> Void)? = nil,
    _ body: (BoxTree) throws -> Void
  ) throws {
    let builder = BoxTreeBuilder(records)
    var treeRows = builder.rows
    rows?(&treeRows)
    try records.withUnsafeBufferPointer { records in
      try builder.leaves.withUnsafeBufferPointer { leaves in
        try builder.nodes.withUnsafeBufferPointer { nodes in
          try treeRows.withUnsafeBufferPointer { rows in
            try builder.lowestInLeaves.withUnsafeBufferPointer { inLeaves in
              try builder.lowestInNodes.withUnsafeBufferPointer { inNodes in
                try body(
                  BoxTree(
                    leaves: leaves, nodes: nodes, rows: rows,
                    lowestInLeaves: inLeaves, lowestInNodes: inNodes, records: records))
              }
            }
          }
        }
      }
    }
  }

  private func candidates(
    of tree: BoxTree, near position: Coordinate, wanted: Int, within limit: Double = .infinity,
    below end: UInt32 = .max, room: Int
  ) -> [UInt32]? {
    var storage = [BoxTree.Candidate](repeating: BoxTree.Candidate(), count: room)
    return storage.withUnsafeMutableBufferPointer { room in
      tree.candidates(
        near: SIMD3<Float>(EarthVector.at(position)), wanted: wanted, within: limit,
        below: end, room
      ).map { room[..<$0].map(\.row) }
    }
  }

  @Test(arguments: [1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 2_000], [1, 2, 5, 40])
  func listsAllThatMayBeNearest(count: Int, wanted: Int) throws {
    let records = try records(count)
    var generator = SplitMix64(seed: 7)
    try withTree(of: records) { tree in
      #expect(tree.isWellFormed(points: count))
      for round in 0..<20 {
        let from =
          round.isMultiple(of: 2)
          ? records[round % count].coordinate
          : try Coordinate(
            latitude: .random(in: -90...90, using: &generator),
            longitude: .random(in: -180...180, using: &generator))
        let found = try #require(candidates(of: tree, near: from, wanted: wanted, room: count))
        #expect(Set(found).count == found.count)
        let distances = records.map { from.distance(to: $0.coordinate) }
        let nearest = records.indices.sorted { distances[$0] < distances[$1] }.prefix(wanted)
        #expect(Set(found).isSuperset(of: nearest.map { UInt32($0) }))
      }
    }
  }

  @Test(arguments: [0, 1e3, 1e6, 5e6, 13e6, 21e6]) func listsAllWithinALimit(limit: Double) throws {
    let records = try records(700)
    try withTree(of: records) { tree in
      let from = records[5].coordinate
      let found = try #require(
        candidates(of: tree, near: from, wanted: 700, within: limit, room: 700))
      let near = records.indices.filter { from.distance(to: records[$0].coordinate) <= limit }
      #expect(Set(found).isSuperset(of: near.map { UInt32($0) }))
      #expect(limit > 1e6 || found.count < 100)
    }
  }

  @Test(arguments: [1, 8, 9, 64, 65, 513, 2_000], [1, 3, 700])
  func listsAllThatMayBeNearestOfTheFirstRows(count: Int, end: Int) throws {
    let records = try records(count)
    let end = min(end, count)
    try withTree(of: records) { tree in
      for round in 0..<20 {
        let from = records[round * 37 % count].coordinate
        for wanted in [1, 2, 9] {
          let found = try #require(
            candidates(of: tree, near: from, wanted: wanted, below: UInt32(end), room: count))
          #expect(found.allSatisfy { $0 < end })
          let distances = records[..<end].map { from.distance(to: $0.coordinate) }
          let nearest = distances.indices.sorted { distances[$0] < distances[$1] }.prefix(wanted)
          #expect(Set(found).isSuperset(of: nearest.map { UInt32($0) }))
        }
      }
    }
  }

  @Test func mostPositionsHaveOneCandidate() throws {
    var generator = SplitMix64(seed: 8)
    let index = CityIndex.world
    let counts = try (0..<1_000).map { _ in
      let city = index.sections.records[Int.random(in: 0..<index.count, using: &generator)]
      let from = city.coordinate.destination(
        distance: .random(in: 0...20_000, using: &generator),
        bearing: .random(in: 0...360, using: &generator))
      return try #require(candidates(of: index.sections.tree, near: from, wanted: 1, room: 64))
        .count
    }
    #expect(counts.filter { $0 > 1 }.count < 20)
  }

  @Test func reportsThatTheRoomIsTooSmall() throws {
    let place = try records(1)[0]
    try withTree(of: [CityRecord](repeating: place, count: 100)) { tree in
      #expect(candidates(of: tree, near: place.coordinate, wanted: 1, room: 99) == nil)
      #expect(candidates(of: tree, near: place.coordinate, wanted: 1, room: 100)?.count == 100)
    }
  }

  @Test func noticesMissingRows() throws {
    let records = try records(70)
    try withTree(of: records) { #expect($0.isWellFormed(points: 70)) }
    try withTree(of: records) { #expect(!$0.isWellFormed(points: 69)) }
    try withTree(of: records, rows: { $0[3] = 70 }) { #expect(!$0.isWellFormed(points: 70)) }
  }
}
