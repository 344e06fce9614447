import Cities
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch
import WorldCities

/// The services of the app: the device's services, or a replay in a preview or a test.
public struct AppServices: Sendable {
  /// The source of locations.
  public var locations: any LocationProviding
  /// The source of photos.
  public var photos: any PhotoSearching
  /// The cities to name.
  public var cities: CityIndex

  /// Creates services.
  public init(
    locations: any LocationProviding, photos: any PhotoSearching, cities: CityIndex = .world
  ) {
    self.locations = locations
    self.photos = photos
    self.cities = cities
  }

  /// A walk through a park with the photos that come with the library, for previews.
  public static func replay(speed: ReplaySpeed) throws -> AppServices {
    AppServices(
      locations: ReplayLocationProvider(try park, speed: speed), photos: SamplePhotoSearch())
  }

  /// The fixes of a walk through a park: 2.4 km in half an hour.
  public static var park: [Fix] {
    get throws {
      guard let url = Bundle.module.url(forResource: "park", withExtension: "gpx") else {
        throw CocoaError(.fileNoSuchFile)
      }
      return try GPXDocument(contentsOf: url).fixes
    }
  }
}
