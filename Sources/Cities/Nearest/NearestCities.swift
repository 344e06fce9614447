import Geodesy

extension CityIndex {
  /// The nearest cities to a position, sorted by exact geodesic distance, then by id.
  ///
  /// The distances are those of the WGS-84 ellipsoid, also across the poles and the date line. To ask
  /// for one position after another along a track, use a ``NearestCityCursor``.
  ///
  /// - Parameters:
  ///   - count: the number of cities wanted; none for 0 and negative numbers.
  ///   - limit: the greatest distance in meters, inclusive.
  /// - Returns: fewer than `count` cities if no more are in the index or within the limit.
  /// - Complexity: about logarithmic in the number of cities for a small `count`.
  public func nearest(
    to coordinate: Coordinate, count: Int = 1, within limit: Double = .infinity
  ) -> [NearbyCity] {
    let count = min(count, self.count)
    guard count > 0, limit >= 0 else { return [] }
    return withRoom(of: Neighbor.self, for: count) { room in
      let found = findNearest(to: coordinate, within: limit, room)
      return room[..<found].map { NearbyCity(city: city(Int($0.row)), distance: $0.distance) }
    }
  }

  /// Fills `room` with the nearest cities in order, and returns their number; allocates nothing for
  /// up to 15 cities.
  func findNearest(
    to coordinate: Coordinate, within limit: Double, _ room: UnsafeMutableBufferPointer<Neighbor>
  ) -> Int {
    let point = EarthVector.at(coordinate)
    var geodesics = GeodesicCollector(
      sections.records, from: coordinate, within: limit, BoundedHeap(room))
    // One city more than wanted tells whether chords alone decide who is among them.
    withRoom(of: ChordCandidate.self, for: room.count + 1) { candidates in
      var chords = ChordCollector(BoundedHeap(candidates), reach: EarthVector.reach(limit))
      sections.tree.visit(from: point, &chords)
      if let reach = chords.undecidedReach() {
        geodesics.limit = reach
        sections.tree.visit(from: point, &geodesics)
      } else {
        for position in 0..<chords.heap.count { geodesics.add(chords.heap[position].row) }
      }
    }
    return geodesics.sort()
  }
}

/// The row of a city near a position.
struct Neighbor: Equatable, Comparable, BitwiseCopyable {
  var row: UInt32
  var id: UInt32
  /// The length of the geodesic in meters.
  var distance: Double

  static func < (a: Neighbor, b: Neighbor) -> Bool {
    a.distance != b.distance ? a.distance < b.distance : a.id < b.id
  }
}

/// A city that may be near, by the square of its chord.
private struct ChordCandidate: Comparable, BitwiseCopyable {
  var square: Float
  var row: UInt32

  static func < (a: ChordCandidate, b: ChordCandidate) -> Bool { a.square < b.square }
}

/// Collects the cities with the shortest chords, one more than are wanted.
private struct ChordCollector: BoxTreeVisitor {
  private(set) var heap: BoundedHeap<ChordCandidate>
  private(set) var limit: Float

  /// - Parameter reach: the longest chord of interest, in meters.
  init(_ heap: BoundedHeap<ChordCandidate>, reach: Double) {
    self.heap = heap
    limit = Self.square(reach)
  }

  @inline(__always)
  mutating func visit(_ row: UInt32, _ square: Float) {
    heap.insert(ChordCandidate(square: square, row: row))
    // The extra city only matters if its geodesic may be as short as one of the others.
    guard heap.isFull else { return }
    limit = min(limit, heap.greatest.square, Self.reach(heap.secondGreatest))
  }

  /// Drops the extra city. If it may be as near as one of the others, chords do not decide: then this
  /// returns the square of the chord within which all cities that may be as near lie.
  mutating func undecidedReach() -> Float? {
    guard heap.isFull else { return nil }
    let extra = heap.removeGreatest().square
    let reach = Self.reach(heap.greatest)
    return extra <= reach ? reach : nil
  }

  private static func reach(_ candidate: ChordCandidate) -> Float {
    square(EarthVector.reach(Double(candidate.square).squareRoot()))
  }

  /// The square of a chord, rounded up; no chord is longer than the Earth is wide.
  private static func square(_ chord: Double) -> Float {
    let chord = min(chord, 13_000_000)
    return Float(chord * chord).nextUp
  }
}

/// Collects the cities with the shortest geodesics.
private struct GeodesicCollector: BoxTreeVisitor {
  var limit = Float.infinity
  private var heap: BoundedHeap<Neighbor>
  private let records: UnsafeBufferPointer<CityRecord>
  private let coordinate: Coordinate
  private let distance: Double

  /// - Parameter distance: the length in meters of the longest geodesic of interest.
  init(
    _ records: UnsafeBufferPointer<CityRecord>, from coordinate: Coordinate,
    within distance: Double, _ heap: BoundedHeap<Neighbor>
  ) {
    self.heap = heap
    self.records = records
    self.coordinate = coordinate
    self.distance = distance
  }

  mutating func visit(_ row: UInt32, _ square: Float) { add(row) }

  mutating func add(_ row: UInt32) {
    let record = records[Int(row)]
    let neighbor = Neighbor(
      row: row, id: record.id, distance: coordinate.distance(to: record.coordinate))
    if neighbor.distance <= distance { heap.insert(neighbor) }
  }

  /// Sorts the cities within the memory of the heap, the nearest first, and returns their number.
  mutating func sort() -> Int { heap.sort() }
}

/// Provides room for elements of a trivial type, on the stack if there are at most 16.
///
/// The stack is only certain for a capacity that the compiler knows.
@inline(__always)
private func withRoom<Element: BitwiseCopyable, Result>(
  of type: Element.Type, for count: Int,
  _ body: (UnsafeMutableBufferPointer<Element>) -> Result
) -> Result {
  if count <= 16 {
    withUnsafeTemporaryAllocation(of: type, capacity: 16) {
      body(UnsafeMutableBufferPointer(rebasing: $0[..<count]))
    }
  } else {
    withUnsafeTemporaryAllocation(of: type, capacity: count, body)
  }
}
