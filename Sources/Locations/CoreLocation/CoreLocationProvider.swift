#if canImport(CoreLocation)
  import CoreLocation
  import Geodesy

  /// The location of the device, from Core Location's live updates.
  ///
  /// Iterating starts them, and ending the iteration stops them. The app asks for the permission, for
  /// example with a `CLServiceSession` that it holds while it shows the location.
  public struct CoreLocationProvider: LocationProviding {
    private let configuration: CLLocationUpdate.LiveConfiguration

    /// Creates a provider.
    ///
    /// - Parameter configuration: the kind of movement, from which the system chooses the accuracy
    ///   and the pauses.
    public init(_ configuration: CLLocationUpdate.LiveConfiguration = .default) {
      self.configuration = configuration
    }

    /// The updates of the device from now on, one for each of Core Location's.
    public func updates() -> LocationUpdates {
      LocationUpdates { [configuration] in
        var updates = CLLocationUpdate.liveUpdates(configuration).makeAsyncIterator()
        let manager = CLLocationManager()
        var known: AuthorizationStatus?
        return { isolation in
          guard let update = try await updates.next(isolation: isolation) else { return nil }
          let status = update.refusal ?? AuthorizationStatus(manager.authorizationStatus)
          defer { known = status }
          return LocationUpdate(update, authorization: status == known ? nil : status)
        }
      }
    }
  }

  extension CLLocationUpdate {
    /// The permission, if this update says that there is none.
    fileprivate var refusal: AuthorizationStatus? {
      if authorizationRestricted { return .restricted }
      if authorizationDenied || authorizationDeniedGlobally { return .denied }
      return authorizationRequestInProgress ? .notDetermined : nil
    }
  }

  extension LocationUpdate {
    fileprivate init(_ update: CLLocationUpdate, authorization: AuthorizationStatus?) {
      self.init(
        location: update.location.flatMap(Fix.init), authorization: authorization,
        locationUnavailable: update.locationUnavailable, accuracyLimited: update.accuracyLimited,
        isStationary: update.stationary, insufficientlyInUse: update.insufficientlyInUse)
    }
  }
#endif
