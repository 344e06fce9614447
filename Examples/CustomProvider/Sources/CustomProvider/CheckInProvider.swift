import Geodesy
import Locations

/// A list of check-ins as a location provider: each update is made when it is asked for.
public struct CheckInProvider: LocationProviding {
  private let places: [Coordinate]

  /// Creates a provider of check-ins at these positions.
  public init(_ places: [Coordinate]) {
    self.places = places
  }

  /// The permission, then each check-in.
  public func updates() -> LocationUpdates {
    LocationUpdates { [places] in
      var hasBegun = false
      var rest = places[...]
      return { _ in
        guard hasBegun else {
          hasBegun = true
          return .authorization(.authorizedAlways)
        }
        return rest.popFirst().map { .location(Fix($0)) }
      }
    }
  }
}
