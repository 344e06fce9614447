import Geodesy

extension CityIndex {
  /// Returns the nearest city to a position, with its distance; of cities at the same distance, the one
  /// with the lowest id.
  ///
  /// Distances are measured on the WGS-84 ellipsoid, also across the poles and the date line. For
  /// consecutive positions of a track, use a ``NearestCityCursor``.
  ///
  /// - Parameters:
  ///   - coordinate: the position.
  ///   - limit: the maximum distance in meters, inclusive.
  ///   - minimumPopulation: the minimum population; an unknown population counts as 0.
  /// - Returns: `nil` if there is no such city within the limit.
  /// - Complexity: about logarithmic in the number of cities.
  public func nearest(
    to coordinate: Coordinate, within limit: Double = .infinity, minimumPopulation: Int = 0
  ) -> NearbyCity? {
    let end = end(ofPopulation: minimumPopulation)
    guard end > 0, limit >= 0 else { return nil }
    let nearest = withCandidates(1, near: coordinate, within: limit, below: end) {
      candidates -> Neighbor? in
      var nearest: Neighbor?
      for candidate in candidates {
        let neighbor = neighbor(candidate, from: coordinate)
        nearest = nearest.map { min($0, neighbor) } ?? neighbor
      }
      return nearest
    }
    guard let nearest, nearest.distance <= limit else { return nil }
    return NearbyCity(city: city(Int(nearest.row)), distance: nearest.distance)
  }

  /// Returns the nearest cities to a position with their distances, sorted by distance, then by id.
  ///
  /// - Parameters:
  ///   - count: the maximum number of cities; negative counts as 0.
  ///   - coordinate: the position.
  ///   - limit: the maximum distance in meters, inclusive.
  ///   - minimumPopulation: the minimum population; an unknown one counts as 0.
  /// - Returns: fewer than `count` cities if there are no more within the limit.
  /// - Complexity: about logarithmic in the number of cities for a small `count`.
  public func nearest(
    _ count: Int, to coordinate: Coordinate, within limit: Double = .infinity,
    minimumPopulation: Int = 0
  ) -> [NearbyCity] {
    let end = end(ofPopulation: minimumPopulation)
    let count = min(count, end)
    guard count > 0, limit >= 0 else { return [] }
    return withNeighbors(count, of: coordinate, within: limit, below: end) { neighbors in
      neighbors.map { NearbyCity(city: city(Int($0.row)), distance: $0.distance) }
    }
  }

  /// Passes the nearest cities in the rows before `end` to `body`, sorted by distance, then by id;
  /// allocates no memory for a few cities.
  ///
  /// - Parameter wanted: the maximum number of cities, 1 ... `end`.
  func withNeighbors<Result>(
    _ wanted: Int, of coordinate: Coordinate, within limit: Double, below end: Int,
    _ body: (UnsafeMutableBufferPointer<Neighbor>) -> Result
  ) -> Result {
    withCandidates(wanted, near: coordinate, within: limit, below: end) { candidates in
      withRoom(of: Neighbor.self, for: candidates.count) { room in
        var count = 0
        for candidate in candidates {
          room[count] = neighbor(candidate, from: coordinate)
          if room[count].distance <= limit { count += 1 }
        }
        var neighbors = UnsafeMutableBufferPointer(rebasing: room[..<count])
        neighbors.sort()
        return body(UnsafeMutableBufferPointer(rebasing: neighbors[..<min(wanted, count)]))
      }
    }
  }

  @inline(__always)
  private func neighbor(_ candidate: BoxTree.Candidate, from coordinate: Coordinate) -> Neighbor {
    let record = sections.records[Int(candidate.row)]
    return Neighbor(
      row: candidate.row, id: record.id, distance: coordinate.distance(to: record.coordinate))
  }

  /// Passes all cities that may be among the nearest to `body`, in no particular order: mostly as
  /// many as are wanted.
  @inline(__always)
  private func withCandidates<Result>(
    _ wanted: Int, near coordinate: Coordinate, within limit: Double, below end: Int,
    _ body: (UnsafeMutableBufferPointer<BoxTree.Candidate>) -> Result
  ) -> Result {
    let point = SIMD3<Float>(EarthVector.at(coordinate))
    func search(_ capacity: Int) -> Result? {
      withRoom(of: BoxTree.Candidate.self, for: capacity) { room in
        sections.tree.candidates(
          near: point, wanted: wanted, within: limit, below: UInt32(end), room
        ).map { body(UnsafeMutableBufferPointer(rebasing: room[..<$0])) }
      }
    }
    // More than these are at nearly the same distance only far from all cities.
    guard let result = search(max(2 * wanted + 32, 64)) ?? search(count) else {
      preconditionFailure("a search has no more candidates than there are cities")
    }
    return result
  }
}

/// The row of a city near a position.
struct Neighbor: Comparable, BitwiseCopyable {
  var row: UInt32
  var id: UInt32
  /// The length of the geodesic in meters.
  var distance: Double

  @inline(__always)
  static func < (a: Neighbor, b: Neighbor) -> Bool {
    a.distance != b.distance ? a.distance < b.distance : a.id < b.id
  }
}

/// Provides room for elements of a trivial type, on the stack for up to 64.
///
/// The stack is only guaranteed for a capacity that the compiler knows.
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
