import Geodesy

/// A made-up walk of 4,000 positions, with those that a distance filter of 100 m lets through.
///
/// The positions come from whole numbers alone, so that the script which asked GeographicLib for
/// the distances (`Tests/GeodesyTests/make-fixtures`) made the same ones, bit for bit. No distance
/// that decides is within a millimeter of 100 m.
package struct ReferenceWalk: Sendable, CustomStringConvertible {
  /// The number of positions.
  package static let count = 4_000

  /// A short description.
  package let name: String
  /// The positions, in order.
  package let coordinates: [Coordinate]
  /// The indices of the positions that are delivered, ascending: the first one, and each that is
  /// at least 100 m from the one delivered before.
  package let delivered: [Int]

  package var description: String { name }

  /// Makes the walk that starts at a position and goes on, step by step, by a drift and a wobble.
  ///
  /// All lengths are in units of 10⁻⁷ degrees, about a centimeter of latitude. `wobbleEast`
  /// stretches the wobble as the parallels are shrunk, and `deliveredSteps` lists the differences
  /// of the delivered indices.
  init(
    name: String, seed: UInt64, latitude: Int, longitude: Int, north: Int, east: Int,
    wobbleEast: Int, deliveredSteps: String
  ) {
    self.name = name
    coordinates = Self.positions(
      seed: seed, latitude: latitude, longitude: longitude, north: north, east: east,
      wobbleEast: wobbleEast)
    delivered = deliveredSteps.split(separator: " ").reduce(into: [0]) { indices, step in
      indices.append(indices[indices.count - 1] + (Int(step) ?? 0))
    }
  }

  private static func positions(
    seed: UInt64, latitude: Int, longitude: Int, north: Int, east: Int, wobbleEast: Int
  ) -> [Coordinate] {
    let degree = 10_000_000
    var (state, latitude, longitude, north) = (seed, latitude, longitude, north)

    func draw(_ reach: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(2 * reach + 1)) - reach
    }

    return (0..<count).map { _ in
      let position = Coordinate(
        validLatitude: Double(latitude) / Double(degree),
        longitude: Double(longitude) / Double(degree))
      let (wobbleNorth, wobble) = (draw(300), draw(300))
      let isPause = draw(20) == 0
      guard !isPause else { return position }
      latitude += north + wobbleNorth
      longitude += east + wobble * wobbleEast
      if latitude > 90 * degree {
        (latitude, longitude, north) = (180 * degree - latitude, longitude + 180 * degree, -north)
      }
      if longitude > 180 * degree { longitude -= 360 * degree }
      if longitude < -180 * degree { longitude += 360 * degree }
      return position
    }
  }
}
