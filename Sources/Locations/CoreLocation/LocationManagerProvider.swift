#if canImport(CoreLocation) && !os(tvOS)
  import CoreLocation
  import Geodesy

  /// The location of the device, from a `CLLocationManager` and its delegate, which has a distance
  /// filter.
  ///
  /// Each iteration has a manager, which lives on the main actor and stops when the iteration ends.
  /// The app asks for the permission.
  public struct LocationManagerProvider: LocationProviding {
    private let distanceFilter: Double
    private let desiredAccuracy: Double

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - distanceFilter: the distance in meters from one location to the next; by default every
    ///     location is reported.
    ///   - desiredAccuracy: the accuracy in meters, or one of Core Location's constants.
    public init(
      distanceFilter: Double = kCLDistanceFilterNone,
      desiredAccuracy: Double = kCLLocationAccuracyBest
    ) {
      self.distanceFilter = distanceFilter
      self.desiredAccuracy = desiredAccuracy
    }

    /// The updates of the device from now on. Updates that arrive while the iteration is busy are buffered.
    public func updates() -> LocationUpdates {
      LocationUpdates(delivering: { deliver in await manage(ManagerDelegate(deliver)) })
    }

    /// Holds a manager until the task is canceled.
    @MainActor
    private func manage(_ delegate: ManagerDelegate) async {
      let manager = CLLocationManager()
      manager.distanceFilter = distanceFilter
      manager.desiredAccuracy = desiredAccuracy
      manager.delegate = delegate
      manager.startUpdatingLocation()
      for await _ in AsyncStream<Never>.makeStream().stream {}
      manager.stopUpdatingLocation()
    }
  }

  /// Delivers what a manager reports.
  private final class ManagerDelegate: NSObject, CLLocationManagerDelegate, Sendable {
    private let deliver: @Sendable (LocationUpdate) -> Void

    init(_ deliver: @escaping @Sendable (LocationUpdate) -> Void) {
      self.deliver = deliver
    }

    /// Also called once when the manager is created.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
      deliver(
        LocationUpdate(
          authorization: AuthorizationStatus(manager.authorizationStatus),
          accuracyLimited: manager.isAccuracyLimited))
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
      for fix in locations.compactMap(Fix.init) {
        deliver(LocationUpdate(location: fix, accuracyLimited: manager.isAccuracyLimited))
      }
    }

    /// A refusal is a change of the permission too.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      if (error as? CLError)?.code != .denied { deliver(.unavailable) }
    }

    #if os(iOS)
      func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
        deliver(LocationUpdate(isStationary: true))
      }
    #endif
  }

  extension CLLocationManager {
    fileprivate var isAccuracyLimited: Bool { accuracyAuthorization == .reducedAccuracy }
  }
#endif
