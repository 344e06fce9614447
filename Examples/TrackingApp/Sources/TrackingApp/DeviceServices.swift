#if canImport(CoreLocation)
  import CoreLocation
  import Locations
  import PhotoSearch
  import Tracking

  extension AppServices {
    /// The location of this device, and photos of Wikimedia Commons, which asks each app for its name.
    static let device = AppServices(
      locations: DeviceLocations(),
      photos: CommonsPhotoSearch(userAgent: "TrackingApp/1.0 (https://app.example)"))
  }

  /// Core Location, which asks for the permission when the tracking screen needs it.
  struct DeviceLocations: LocationProviding {
    func updates() -> LocationUpdates {
      LocationUpdates {
        let session = CLServiceSession(authorization: .whenInUse)
        var updates = CoreLocationProvider(.fitness).updates().makeAsyncIterator()
        return { isolation in
          defer { withExtendedLifetime(session) {} }
          return try await updates.next(isolation: isolation)
        }
      }
    }
  }
#endif
