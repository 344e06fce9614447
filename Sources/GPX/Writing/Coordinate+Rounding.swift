import FaketrackSupport
import Geodesy

extension Coordinate {
  /// The position to seven decimals, about a centimeter.
  package var roundedToCentimeters: Coordinate {
    .clamped(latitude: latitude.rounded(places: 7), longitude: longitude.rounded(places: 7))
  }
}
