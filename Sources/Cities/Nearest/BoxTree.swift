import CCities

/// An implicit tree of bounding boxes over points in space, with eight children to a node and eight
/// points to a leaf.
///
/// All leaves and nodes are full except the last of each level. So child `i` of node `n` is number
/// `8n + i` of the level below, and no links are stored. A node or a leaf is one cache line with its
/// own grid: coordinates are steps of that grid, 8 bits for the sides of boxes and 16 for points. That
/// keeps the tree of all cities of the world at 3 MB, so most of it stays in a cache, where a line
/// takes 15 ns instead of 150. The search is in C, which can use the widest vectors of the processor.
struct BoxTree {
  typealias Leaf = BoxTreeLeaf
  typealias Node = BoxTreeNode
  typealias Candidate = BoxTreeCandidate

  /// The numbers of leaves and nodes.
  struct Shape {
    let leaves: Int
    let nodes: Int

    init(points: Int) {
      leaves = (points + 7) / 8
      var below = leaves
      var nodes = 0
      repeat {
        below = (below + 7) / 8
        nodes += below
      } while below > 1
      self.nodes = nodes
    }
  }

  let leaves: UnsafeBufferPointer<Leaf>
  let nodes: UnsafeBufferPointer<Node>
  /// The row of each point; at least one.
  let rows: UnsafeBufferPointer<UInt32>
  /// The lowest row in each leaf, and below each node. Rows are in the order of population, so a
  /// search for large cities can skip the leaves and nodes that contain none.
  let lowestInLeaves: UnsafeBufferPointer<UInt32>
  let lowestInNodes: UnsafeBufferPointer<UInt32>
  let records: UnsafeBufferPointer<CityRecord>

  private var parts: BoxTreeParts {
    BoxTreeParts(
      nodes: nodes.baseAddress, leaves: leaves.baseAddress, rows: rows.baseAddress,
      lowestInLeaves: lowestInLeaves.baseAddress, lowestInNodes: lowestInNodes.baseAddress,
      points: rows.count, records: records.baseAddress, stride: MemoryLayout<CityRecord>.stride)
  }

  /// Lists all points in the rows before `end` that may be among the nearest by geodesic, in no
  /// particular order.
  ///
  /// - Parameters:
  ///   - wanted: the number of nearest points, at least 1.
  ///   - limit: the longest geodesic of interest in meters.
  /// - Returns: the number of candidates, or `nil` if the room, which may hold all, is too small.
  @inline(__always)
  func candidates(
    near point: SIMD3<Float>, wanted: Int, within limit: Double, below end: UInt32,
    _ room: UnsafeMutableBufferPointer<Candidate>
  ) -> Int? {
    guard let start = room.baseAddress else { return nil }
    return withRoom(of: Float.self, for: wanted) { lengths in
      guard let lengths = lengths.baseAddress else { return nil }
      let found = withUnsafePointer(to: parts) { parts in
        box_tree_candidates(
          parts, point.x, point.y, point.z, wanted, box_tree_reach(limit), end, lengths,
          start, room.count)
      }
      return found < 0 ? nil : found
    }
  }

  /// Starts to load a record into the cache.
  @inline(__always)
  func prefetch(_ row: Int) {
    withUnsafePointer(to: parts) { box_tree_prefetch($0, UInt32(truncatingIfNeeded: row)) }
  }

  /// Whether all scales are lengths, all origins are near Earth, the rows are below `points`, and the
  /// lowest rows are correct, so every search stays in the tree and finds as many points as it should;
  /// linear.
  func isWellFormed(points: Int) -> Bool {
    func isValid(_ x: Float, _ y: Float, _ z: Float, scale: Float) -> Bool {
      abs(x) < 1e7 && abs(y) < 1e7 && abs(z) < 1e7 && scale > 0 && scale < 1e6
    }
    let (inLeaves, inNodes) = Self.lowestRows(Array(rows))
    return leaves.allSatisfy { isValid($0.originX, $0.originY, $0.originZ, scale: $0.scale) }
      && nodes.allSatisfy { isValid($0.originX, $0.originY, $0.originZ, scale: $0.scale) }
      && rows.allSatisfy { $0 < points }
      && lowestInLeaves.elementsEqual(inLeaves) && lowestInNodes.elementsEqual(inNodes)
  }

  static func lowestRows(_ rows: [UInt32]) -> (inLeaves: [UInt32], inNodes: [UInt32]) {
    func lowestOfEight(_ rows: [UInt32]) -> [UInt32] {
      stride(from: 0, to: rows.count, by: 8).map { start in
        rows[start..<min(start + 8, rows.count)].reduce(.max) { min($0, $1) }
      }
    }
    let inLeaves = lowestOfEight(rows)
    var inNodes: [UInt32] = []
    var below = inLeaves
    repeat {
      below = lowestOfEight(below)
      inNodes += below
    } while below.count > 1
    return (inLeaves, inNodes)
  }
}
