#if canImport(CoreLocation)
  import CoreLocation
  import Geodesy
  import Locations

  /// The location of the device, from Core Location.
  public struct DeviceProvider: LocationProviding {
    /// Creates a provider.
    public init() {}

    /// The updates of the device from now on.
    public func updates() -> LocationUpdates {
      LocationUpdates {
        var updates = CLLocationUpdate.liveUpdates(.fitness).makeAsyncIterator()
        var status: AuthorizationStatus?
        var pending: [LocationUpdate] = []
        return { isolation in
          while pending.isEmpty {
            guard let update = try await updates.next(isolation: isolation) else { return nil }
            if update.status != status { pending.append(.authorization(update.status)) }
            status = update.status
            if let fix = update.location.flatMap(Fix.init) {
              pending.append(.fix(fix))
            } else if update.locationUnavailable {
              pending.append(.unavailable)
            }
          }
          return pending.removeFirst()
        }
      }
    }
  }

  extension CLLocationUpdate {
    var status: AuthorizationStatus {
      if authorizationRestricted { return .restricted }
      if authorizationDenied || authorizationDeniedGlobally { return .denied }
      return authorizationRequestInProgress ? .notDetermined : .authorizedWhenInUse
    }
  }

  extension Fix {
    /// Core Location marks unknown values by negative numbers.
    init?(_ location: CLLocation) {
      let (here, known) = (location.coordinate, { (value: Double) in value < 0 ? nil : value })
      guard location.horizontalAccuracy >= 0,
        let coordinate = try? Coordinate(latitude: here.latitude, longitude: here.longitude)
      else { return nil }
      self.init(
        coordinate, time: location.timestamp,
        elevation: location.verticalAccuracy > 0 ? location.altitude : nil,
        speed: known(location.speed), course: known(location.course),
        horizontalAccuracy: location.horizontalAccuracy)
    }
  }
#endif
