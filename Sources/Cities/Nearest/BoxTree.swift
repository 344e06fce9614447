/// An implicit tree of bounding boxes over points in space, with eight children to a node and eight
/// points to a leaf.
///
/// All leaves and nodes are full except the last of each level. So child `i` of node `n` is number
/// `8n + i` of the level below, and no links are stored. The boxes or points of eight children lie
/// side by side, so that vector instructions compare them at once.
struct BoxTree {
  /// Eight points and the rows of their cities; unused points are at infinity.
  struct Leaf {
    var x = SIMD8<Float>(repeating: .infinity)
    var y = SIMD8<Float>(repeating: .infinity)
    var z = SIMD8<Float>(repeating: .infinity)
    var rows = SIMD8<UInt32>(repeating: .max)
  }

  /// The boxes of eight children; unused boxes are at infinity.
  struct Node {
    var minX = SIMD8<Float>(repeating: .infinity)
    var minY = SIMD8<Float>(repeating: .infinity)
    var minZ = SIMD8<Float>(repeating: .infinity)
    var maxX = SIMD8<Float>(repeating: .infinity)
    var maxY = SIMD8<Float>(repeating: .infinity)
    var maxZ = SIMD8<Float>(repeating: .infinity)
  }

  /// The numbers of leaves and nodes, which follow from the number of points.
  struct Shape {
    let leaves: Int
    let nodes: Int
    /// The position of the first node of each level, starting with the level above the leaves.
    private(set) var levels = SIMD16<UInt32>()
    private(set) var height = 0

    init(points: Int) {
      leaves = (points + 7) / 8
      var start = 0
      var below = leaves
      repeat {
        below = (below + 7) / 8
        levels[height] = UInt32(start)
        height += 1
        start += below
      } while below > 1
      nodes = start
    }
  }

  /// A subtree that may have to be searched.
  private struct Pending {
    /// The square of the distance to its box.
    var square: Float
    /// The level of its root; 0 for a leaf.
    var level: UInt32
    /// The position of its root within the level.
    var position: UInt32
  }

  let leaves: UnsafeBufferPointer<Leaf>
  let nodes: UnsafeBufferPointer<Node>
  let shape: Shape

  /// - Parameters:
  ///   - leaves: as many as the shape of the tree has.
  ///   - nodes: as many as the shape of the tree has.
  ///   - points: at least one.
  init(leaves: UnsafeBufferPointer<Leaf>, nodes: UnsafeBufferPointer<Node>, points: Int) {
    self.leaves = leaves
    self.nodes = nodes
    shape = Shape(points: points)
  }

  /// Visits each leaf that may hold points within the visitor's limit, once, roughly in the order of
  /// distance.
  func visit(from point: SIMD3<Float>, _ visitor: inout some BoxTreeVisitor) {
    // A leaf that is most likely near lowers the limit before any subtrees have to be sorted.
    let first = likelyLeaf(for: point)
    visit(first, from: point, &visitor)
    // The largest index has 9 levels of nodes, each of which leaves at most 7 siblings behind.
    withUnsafeTemporaryAllocation(of: Pending.self, capacity: 80) { stack in
      stack[0] = Pending(square: 0, level: UInt32(truncatingIfNeeded: shape.height), position: 0)
      var count = 1
      while count > 0 {
        count &-= 1
        let pending = stack[count]
        guard pending.square <= visitor.limit else { continue }
        guard pending.level > 0 else {
          if pending.position != first { visit(pending.position, from: point, &visitor) }
          continue
        }
        let level = pending.level &- 1
        let squares = Self.squares(from: point, to: node(level, pending.position))
        let start = count
        for child in Lanes(squares, upTo: visitor.limit) {
          var slot = count
          while slot > start, stack[slot &- 1].square < squares[child] {
            stack[slot] = stack[slot &- 1]
            slot &-= 1
          }
          stack[slot] = Pending(
            square: squares[child], level: level,
            position: pending.position &* 8 &+ UInt32(truncatingIfNeeded: child))
          count &+= 1
        }
      }
    }
  }

  /// The leaf that always choosing the nearest box leads to.
  private func likelyLeaf(for point: SIMD3<Float>) -> UInt32 {
    var position: UInt32 = 0
    for level in (0..<UInt32(truncatingIfNeeded: shape.height)).reversed() {
      let squares = Self.squares(from: point, to: node(level, position))
      position = position &* 8 &+ UInt32(truncatingIfNeeded: Lanes.ofLeast(squares))
    }
    return position
  }

  @inline(__always)
  private func visit(
    _ leaf: UInt32, from point: SIMD3<Float>, _ visitor: inout some BoxTreeVisitor
  ) {
    let leaf = leaves[Int(leaf)]
    let squares = Self.squares(from: point, to: leaf)
    for lane in Lanes(squares, upTo: visitor.limit) {
      visitor.visit(leaf.rows[lane], squares[lane])
    }
  }

  @inline(__always)
  private func node(_ level: UInt32, _ position: UInt32) -> Node {
    nodes[Int(shape.levels[Int(level)] &+ position)]
  }

  @inline(__always)
  private static func squares(from point: SIMD3<Float>, to leaf: Leaf) -> SIMD8<Float> {
    let x = leaf.x - point.x
    let y = leaf.y - point.y
    let z = leaf.z - point.z
    return x * x + y * y + z * z
  }

  /// Rounds as it does for points, so that no result exceeds the square for a point in the box.
  @inline(__always)
  private static func squares(from point: SIMD3<Float>, to node: Node) -> SIMD8<Float> {
    let x = outside(point.x, node.minX, node.maxX)
    let y = outside(point.y, node.minY, node.maxY)
    let z = outside(point.z, node.minZ, node.maxZ)
    return x * x + y * y + z * z
  }

  /// How far a value lies outside of each interval, 0 if inside.
  @inline(__always)
  private static func outside(
    _ value: Float, _ low: SIMD8<Float>, _ high: SIMD8<Float>
  ) -> SIMD8<Float> {
    let below = low - value
    let above = value - high
    let farther = below.replacing(with: above, where: above .> below)
    return farther.replacing(with: 0, where: farther .< 0)
  }
}

/// Receives the points that a search of a ``BoxTree`` comes across.
protocol BoxTreeVisitor {
  /// The square of the distance beyond which points are of no interest.
  var limit: Float { get }

  /// Receives the row of a point and the square of its distance, which was within the limit when its
  /// leaf was reached.
  mutating func visit(_ row: UInt32, _ square: Float)
}

extension BoxTree {
  /// Whether the used lanes of all leaves and nodes are finite and refer to one of `points`, and the
  /// others are marked as unused, so that no search can leave the tree; linear.
  func isWellFormed(points: Int) -> Bool {
    var left = points
    for leaf in leaves {
      let used = min(left, 8)
      guard Self.isFinite([leaf.x, leaf.y, leaf.z], onlyFirst: used) else { return false }
      for lane in 0..<8 {
        guard lane < used ? leaf.rows[lane] < points : leaf.rows[lane] == .max else { return false }
      }
      left -= used
    }
    var below = leaves.count
    for level in 0..<shape.height {
      let start = Int(shape.levels[level])
      let end = level + 1 < shape.height ? Int(shape.levels[level + 1]) : nodes.count
      left = below
      for node in nodes[start..<end] {
        let used = min(left, 8)
        let sides = [node.minX, node.minY, node.minZ, node.maxX, node.maxY, node.maxZ]
        guard Self.isFinite(sides, onlyFirst: used) else { return false }
        left -= used
      }
      below = end - start
    }
    return true
  }

  /// Whether the first lanes of the vectors are coordinates on Earth and all others infinite.
  private static func isFinite(_ vectors: [SIMD8<Float>], onlyFirst used: Int) -> Bool {
    vectors.allSatisfy { vector in
      (0..<8).allSatisfy { $0 < used ? abs(vector[$0]) < 1e7 : vector[$0] == .infinity }
    }
  }
}

/// The lanes of a vector that do not exceed a limit.
struct Lanes: Sequence, IteratorProtocol {
  /// One bit for each lane, the lowest for lane 0.
  private var bits: UInt32

  @inline(__always)
  init(_ vector: SIMD8<Float>, upTo limit: Float) {
    let weights = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128)
    bits = weights.replacing(with: 0, where: vector .> limit).wrappedSum()
  }

  /// The first lane that holds the smallest number.
  @inline(__always)
  static func ofLeast(_ vector: SIMD8<Float>) -> Int {
    let four = lesser(vector.lowHalf, vector.highHalf)
    let two = four.lowHalf.replacing(with: four.highHalf, where: four.highHalf .< four.lowHalf)
    return Lanes(vector, upTo: Swift.min(two.x, two.y)).bits.trailingZeroBitCount
  }

  @inline(__always)
  private static func lesser(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    a.replacing(with: b, where: b .< a)
  }

  @inline(__always)
  mutating func next() -> Int? {
    guard bits != 0 else { return nil }
    let lane = bits.trailingZeroBitCount
    bits &= bits &- 1
    return lane
  }
}
