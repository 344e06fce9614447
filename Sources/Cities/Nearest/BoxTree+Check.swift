extension BoxTree {
  /// Whether what is used of leaves and nodes is finite and refers to one of `points`, and the rest is
  /// marked as unused, so that no search leaves the tree; linear.
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

  /// Whether the first lanes of vectors are within the Earth and all others infinite.
  private static func isFinite(_ vectors: [SIMD8<Float>], onlyFirst used: Int) -> Bool {
    vectors.allSatisfy { vector in
      (0..<8).allSatisfy { $0 < used ? abs(vector[$0]) < 1e7 : vector[$0] == .infinity }
    }
  }
}
