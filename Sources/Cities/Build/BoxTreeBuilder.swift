/// Arranges cities in the leaves and nodes of a ``BoxTree``; O(n log n).
struct BoxTreeBuilder {
  private(set) var leaves: [BoxTree.Leaf] = []
  private(set) var nodes: [BoxTree.Node] = []

  /// A city as a point in space.
  private struct Point {
    var place: SIMD3<Float>
    var row: UInt32
  }

  /// The smallest box around a set of points.
  private struct Box {
    var low = SIMD3<Float>(repeating: .infinity)
    var high = SIMD3<Float>(repeating: -.infinity)

    mutating func include(_ box: Box) {
      low = pointwiseMin(low, box.low)
      high = pointwiseMax(high, box.high)
    }
  }

  /// - Parameter records: the cities in the order of their rows, at least one.
  init(_ records: [CityRecord]) {
    var points = records.enumerated().map { row, record in
      Point(place: EarthVector.at(record.coordinate), row: UInt32(row))
    }
    points.withUnsafeMutableBufferPointer { Self.arrange($0) }
    var boxes = addLeaves(points)
    repeat { boxes = addLevel(boxes) } while boxes.count > 1
  }

  /// Reorders points so that every full run of 8, 64, 512 … of them covers a compact region.
  ///
  /// Each cut is across the longest side and leaves a power of two in the first part, so that three
  /// cuts make the eight children of a node.
  private static func arrange(_ points: UnsafeMutableBufferPointer<Point>) {
    guard points.count > 8 else {
      var points = points
      points.sort { $0.row < $1.row }
      return
    }
    var half = 8
    while half * 2 < points.count { half *= 2 }
    var box = Box()
    for point in points { box.include(Box(low: point.place, high: point.place)) }
    let extent = box.high - box.low
    let axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2
    select(points, axis: axis, first: half)
    arrange(UnsafeMutableBufferPointer(rebasing: points[..<half]))
    arrange(UnsafeMutableBufferPointer(rebasing: points[half...]))
  }

  /// Moves the `count` lowest points along an axis to the front; linear on average.
  private static func select(
    _ points: UnsafeMutableBufferPointer<Point>, axis: Int, first count: Int
  ) {
    func precedes(_ a: Point, _ b: Point) -> Bool {
      a.place[axis] != b.place[axis] ? a.place[axis] < b.place[axis] : a.row < b.row
    }
    var low = 0
    var high = points.count - 1
    while low < high {
      // The median of three keeps sorted points from being the worst case.
      let middle = low + (high - low) / 2
      if precedes(points[middle], points[low]) { points.swapAt(middle, low) }
      if precedes(points[high], points[low]) { points.swapAt(high, low) }
      if precedes(points[high], points[middle]) { points.swapAt(high, middle) }
      let pivot = points[middle]
      var i = low
      var j = high
      while i <= j {
        while precedes(points[i], pivot) { i += 1 }
        while precedes(pivot, points[j]) { j -= 1 }
        if i <= j {
          points.swapAt(i, j)
          i += 1
          j -= 1
        }
      }
      if count <= j { high = j } else if count >= i { low = i } else { return }
    }
  }

  private mutating func addLeaves(_ points: [Point]) -> [Box] {
    stride(from: 0, to: points.count, by: 8).map { start in
      var leaf = BoxTree.Leaf()
      var box = Box()
      for (lane, point) in points[start..<min(start + 8, points.count)].enumerated() {
        leaf.x[lane] = point.place.x
        leaf.y[lane] = point.place.y
        leaf.z[lane] = point.place.z
        leaf.rows[lane] = point.row
        box.include(Box(low: point.place, high: point.place))
      }
      leaves.append(leaf)
      return box
    }
  }

  private mutating func addLevel(_ children: [Box]) -> [Box] {
    stride(from: 0, to: children.count, by: 8).map { start in
      var node = BoxTree.Node()
      var box = Box()
      for (lane, child) in children[start..<min(start + 8, children.count)].enumerated() {
        node.minX[lane] = child.low.x
        node.minY[lane] = child.low.y
        node.minZ[lane] = child.low.z
        node.maxX[lane] = child.high.x
        node.maxY[lane] = child.high.y
        node.maxZ[lane] = child.high.z
        box.include(child)
      }
      nodes.append(node)
      return box
    }
  }
}
