/// Arranges cities in the leaves and nodes of a ``BoxTree``; O(n log n).
struct BoxTreeBuilder {
  private(set) var leaves: [BoxTree.Leaf] = []
  private(set) var nodes: [BoxTree.Node] = []
  private(set) var rows: [UInt32] = []
  private(set) var lowestInLeaves: [UInt32] = []
  private(set) var lowestInNodes: [UInt32] = []

  private struct Point {
    var position: SIMD3<Double>
    var row: UInt32
  }

  private struct Box {
    var low = SIMD3<Double>(repeating: .infinity)
    var high = SIMD3<Double>(repeating: -.infinity)

    mutating func include(_ box: Box) {
      low = pointwiseMin(low, box.low)
      high = pointwiseMax(high, box.high)
    }
  }

  /// The finest grid with steps from 0 to `last` that spans a box.
  private struct Grid {
    let origin: SIMD3<Float>
    let scale: Float

    init(_ box: Box, last: Double) {
      /// The greatest single-precision number that is not above another one.
      func roundedDown(_ number: Double) -> Float {
        let rounded = Float(number)
        return Double(rounded) > number ? rounded.nextDown : rounded
      }
      origin = SIMD3(roundedDown(box.low.x), roundedDown(box.low.y), roundedDown(box.low.z))
      let extent = (box.high - SIMD3<Double>(origin)).max()
      scale = max(Float(extent / last).nextUp, 1e-3)
    }

    func steps(to point: SIMD3<Double>) -> SIMD3<Double> {
      (point - SIMD3<Double>(origin)) / Double(scale)
    }
  }

  /// Every box is this much larger on each side than its points, in meters: more than the distance
  /// to a box can lose by rounding to single precision.
  private static let margin = 2.0

  /// - Parameter records: the cities in the order of their rows, at least one.
  init(_ records: [CityRecord]) {
    var points = records.enumerated().map { row, record in
      Point(position: EarthVector.at(record.coordinate), row: UInt32(row))
    }
    points.withUnsafeMutableBufferPointer { Self.arrange($0) }
    rows = points.map(\.row)
    (lowestInLeaves, lowestInNodes) = BoxTree.lowestRows(rows)
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
    for point in points { box.include(Box(low: point.position, high: point.position)) }
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
    var (low, high) = (0, points.count)
    while low < count, count < high {
      points.swapAt(low, low + (high - low) / 2)
      let pivot = points[low]
      let (value, row) = (pivot.position[axis], pivot.row)
      var others = UnsafeMutableBufferPointer(rebasing: points[(low + 1)..<high])
      let lower = others.partition {
        $0.position[axis] != value ? $0.position[axis] > value : $0.row > row
      }
      points.swapAt(low, low + lower)
      if count <= low + lower { high = low + lower } else { low += lower + 1 }
    }
  }

  private mutating func addLeaves(_ points: [Point]) -> [Box] {
    stride(from: 0, to: points.count, by: 8).map { start in
      let positions = points[start..<min(start + 8, points.count)].map(\.position)
      var box = Box()
      for position in positions { box.include(Box(low: position, high: position)) }
      let grid = Grid(box, last: 65_535)
      var leaf = BoxTree.Leaf(
        originX: grid.origin.x, originY: grid.origin.y, originZ: grid.origin.z, scale: grid.scale,
        x: .zero, y: .zero, z: .zero)
      for (lane, position) in positions.enumerated() {
        let steps = SIMD3<UInt16>(grid.steps(to: position), rounding: .toNearestOrEven)
        leaf.x[lane] = steps.x
        leaf.y[lane] = steps.y
        leaf.z[lane] = steps.z
      }
      leaves.append(leaf)
      return Box(low: box.low - Self.margin, high: box.high + Self.margin)
    }
  }

  private mutating func addLevel(_ children: [Box]) -> [Box] {
    stride(from: 0, to: children.count, by: 8).map { start in
      let children = children[start..<min(start + 8, children.count)]
      var box = Box()
      for child in children { box.include(child) }
      let grid = Grid(box, last: 255)
      var node = BoxTree.Node(
        originX: grid.origin.x, originY: grid.origin.y, originZ: grid.origin.z, scale: grid.scale,
        minX: .zero, minY: .zero, minZ: .zero, maxX: .zero, maxY: .zero, maxZ: .zero)
      for (lane, child) in children.enumerated() {
        let low = SIMD3<UInt8>(grid.steps(to: child.low), rounding: .down)
        let high = SIMD3<UInt8>(grid.steps(to: child.high), rounding: .up)
        node.minX[lane] = low.x
        node.minY[lane] = low.y
        node.minZ[lane] = low.z
        node.maxX[lane] = high.x
        node.maxY[lane] = high.y
        node.maxZ[lane] = high.z
      }
      nodes.append(node)
      return box
    }
  }
}
