/// An implicit tree of boxes, eight to a node, over points in space, eight to a leaf.
///
/// Leaves and nodes are full but for the last of each level, so that child `i` of node `n` is number
/// `8n + i` of the level below, and no link is stored. Boxes and points of eight children lie side by
/// side, for vector instructions to compare.
struct BoxTree {
  /// Eight points and the rows of their cities; unused ones are at infinity.
  struct Leaf {
    var x = SIMD8<Float>(repeating: .infinity)
    var y = SIMD8<Float>(repeating: .infinity)
    var z = SIMD8<Float>(repeating: .infinity)
    var rows = SIMD8<UInt32>(repeating: .max)
  }

  /// The boxes of eight children; unused ones are at infinity.
  struct Node {
    var minX = SIMD8<Float>(repeating: .infinity)
    var minY = SIMD8<Float>(repeating: .infinity)
    var minZ = SIMD8<Float>(repeating: .infinity)
    var maxX = SIMD8<Float>(repeating: .infinity)
    var maxY = SIMD8<Float>(repeating: .infinity)
    var maxZ = SIMD8<Float>(repeating: .infinity)
  }

  /// How many leaves and nodes the tree of a number of points has.
  struct Shape {
    let leaves: Int
    let nodes: Int
    /// The position of the first node of each level, the level above the leaves first.
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

  /// A subtree to look into.
  private struct Pending {
    /// The square of the distance of its box.
    var square: Float
    /// The level of its root; 0 for a leaf.
    var level: UInt32
    /// The position of its root within the level.
    var position: UInt32
  }

  let leaves: UnsafeBufferPointer<Leaf>
  let nodes: UnsafeBufferPointer<Node>
  let shape: Shape

  /// A tree of at least one point, of as many leaves and nodes as its shape says.
  init(leaves: UnsafeBufferPointer<Leaf>, nodes: UnsafeBufferPointer<Node>, points: Int) {
    self.leaves = leaves
    self.nodes = nodes
    shape = Shape(points: points)
  }

  /// Shows a visitor the leaves that may hold points within its limit, each once, roughly the nearest
  /// first.
  func visit(from point: SIMD3<Float>, _ visitor: inout some BoxTreeVisitor) {
    // One leaf that is most likely near lowers the limit before anything has to be put in order.
    let first = likelyLeaf(for: point)
    visit(first, from: point, &visitor)
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

  /// The leaf that is reached by always taking the nearest box.
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

  /// Rounds as for a point in the box, so never up past the square of one.
  @inline(__always)
  private static func squares(from point: SIMD3<Float>, to node: Node) -> SIMD8<Float> {
    let x = outside(point.x, node.minX, node.maxX)
    let y = outside(point.y, node.minY, node.maxY)
    let z = outside(point.z, node.minZ, node.maxZ)
    return x * x + y * y + z * z
  }

  /// How far a value is outside of intervals.
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

/// What looks at the points of a ``BoxTree``.
protocol BoxTreeVisitor {
  /// The square of the distance beyond which nothing is wanted.
  var limit: Float { get }

  /// Takes the row of a point that was within the limit when its leaf was reached, and the square of
  /// its distance.
  mutating func visit(_ row: UInt32, _ square: Float)
}
