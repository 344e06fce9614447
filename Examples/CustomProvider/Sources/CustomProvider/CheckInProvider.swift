import Geodesy
import Locations

/// Somebody's check-ins, one after the other: a provider that makes each update when it is asked
/// for.
public struct CheckInProvider: LocationProviding {
  private let places: [Coordinate]

  public init(_ places: [Coordinate]) {
    self.places = places
  }

  public func updates() -> LocationUpdates {
    LocationUpdates { [places] in
      var hasBegun = false
      var rest = places[...]
      return { _ in
        guard hasBegun else {
          hasBegun = true
          return .authorization(.authorizedAlways)
        }
        return rest.popFirst().map { .fix(Fix($0)) }
      }
    }
  }
}
