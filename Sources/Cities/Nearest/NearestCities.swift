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
  ///   - minPopulation: the fewest people that a city has; where it is not known, none.
  /// - Returns: fewer than `count` cities if no more are in the index or within the limit.
  /// - Complexity: about logarithmic in the number of cities for a small `count`.
  public func nearest(
    to coordinate: Coordinate, count: Int = 1, within limit: Double = .infinity,
    minPopulation: Int = 0
  ) -> [NearbyCity] {
    let end = end(ofPopulation: minPopulation)
    let count = min(count, end)
    guard count > 0, limit >= 0 else { return [] }
    return withRoom(of: Neighbor.self, for: count) { room in
      let found = findNearest(to: coordinate, within: limit, below: end, room)
      // An array of known size is made in half the time.
      if found == 1 { return [nearbyCity(room[0], to: coordinate)] }
      return room[..<found].map { nearbyCity($0, to: coordinate) }
    }
  }

  @inline(__always)
  private func nearbyCity(_ neighbor: Neighbor, to coordinate: Coordinate) -> NearbyCity {
    let city = city(Int(neighbor.row))
    return neighbor.distance.isNaN
      ? NearbyCity(city: city, from: coordinate)
      : NearbyCity(city: city, distance: neighbor.distance)
  }

  /// Fills `room` with the nearest cities in order, and returns their number; allocates nothing for
  /// up to 16 cities.
  ///
  /// - Parameter end: the row from which on cities are of no interest.
  ///
  /// Chords sort cities nearly as geodesics do, so they leave few candidates, mostly one.
  func findNearest(
    to coordinate: Coordinate, within limit: Double, below end: Int,
    _ room: UnsafeMutableBufferPointer<Neighbor>
  ) -> Int {
    var nearest = BoundedHeap(room)
    // More than these are at nearly the same distance only far from all cities.
    let expected = max(2 * room.count + 32, 64)
    if !collect(&nearest, from: coordinate, within: limit, below: end, candidates: expected) {
      _ = collect(&nearest, from: coordinate, within: limit, below: end, candidates: count)
    }
    return nearest.sort()
  }

  /// Collects the nearest cities, unless there are more candidates than expected.
  @inline(__always)
  private func collect(
    _ nearest: inout BoundedHeap<Neighbor>, from coordinate: Coordinate, within limit: Double,
    below end: Int, candidates capacity: Int
  ) -> Bool {
    withRoom(of: BoxTree.Candidate.self, for: capacity) { candidates in
      let point = SIMD3<Float>(EarthVector.at(coordinate))
      guard
        let count = sections.tree.candidates(
          near: point, wanted: nearest.capacity, within: limit,
          below: UInt32(end), candidates)
      else { return false }
      // Nothing depends on the distance of the only candidate for the only place.
      let isMeasured = count > 1 || nearest.capacity > 1 || limit < .infinity
      for position in 0..<count {
        let row = candidates[position].row
        let record = sections.records[Int(row)]
        let distance = isMeasured ? coordinate.distance(to: record.coordinate) : .nan
        guard !(distance > limit) else { continue }
        nearest.insert(Neighbor(row: row, id: record.id, distance: distance))
      }
      return true
    }
  }
}

/// The row of a city near a position.
struct Neighbor: Equatable, Comparable, BitwiseCopyable {
  var row: UInt32
  var id: UInt32
  /// The length of the geodesic in meters; not a number if it has not been measured.
  var distance: Double

  static func < (a: Neighbor, b: Neighbor) -> Bool {
    a.distance != b.distance ? a.distance < b.distance : a.id < b.id
  }
}

/// Provides room for elements of a trivial type, on the stack if there are at most 64.
///
/// The stack is only certain for a capacity that the compiler knows.
@inline(__always)
func withRoom<Element: BitwiseCopyable, Result>(
  of type: Element.Type, for count: Int,
  _ body: (UnsafeMutableBufferPointer<Element>) -> Result
) -> Result {
  if count <= 64 {
    withUnsafeTemporaryAllocation(of: type, capacity: 64) {
      body(UnsafeMutableBufferPointer(rebasing: $0[..<count]))
    }
  } else {
    withUnsafeTemporaryAllocation(of: type, capacity: count, body)
  }
}
