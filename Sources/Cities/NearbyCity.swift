/// A city and how far it is from the position that was asked for.
public struct NearbyCity: Hashable, Sendable {
  public var city: City
  /// The length in metres of the shortest path on the WGS-84 ellipsoid.
  public var distance: Double

  public init(city: City, distance: Double) {
    self.city = city
    self.distance = distance
  }
}
