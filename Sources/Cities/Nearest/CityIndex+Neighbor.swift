extension CityIndex {
  /// A city near a position, as cheap as can be: the index gives the city of its row.
  public struct Neighbor: Hashable, Sendable, Comparable, BitwiseCopyable {
    /// Where in the index the city is.
    public let row: Row
    /// The id of the city.
    public let id: Int
    /// The length in metres of the geodesic to it.
    public internal(set) var distance: Double

    /// Orders by distance, equal ones by id.
    public static func < (a: Neighbor, b: Neighbor) -> Bool {
      a.distance != b.distance ? a.distance < b.distance : a.id < b.id
    }
  }
}
