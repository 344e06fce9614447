// Runs the providers on the stubs of Core Location.
import CoreLocation
import Geodesy
import Locations

@main
@MainActor
enum ProviderChecks {
  static func main() async throws {
    try checkValues()
    try await checkLiveUpdates()
    try await checkManager()
    print("3 passed, 0 failed")
  }

  static let here = CLLocation(
    coordinate: CLLocationCoordinate2D(latitude: 52, longitude: 13), altitude: 40,
    horizontalAccuracy: 8, verticalAccuracy: 3, course: 90, courseAccuracy: 10, speed: 1.5,
    speedAccuracy: 0.5, timestamp: Date(timeIntervalSince1970: 1_777_622_400))

  static func location(horizontal: Double, vertical: Double) -> CLLocation {
    CLLocation(
      coordinate: here.coordinate, altitude: 40, horizontalAccuracy: horizontal,
      verticalAccuracy: vertical, course: -1, courseAccuracy: -1, speed: -1, speedAccuracy: -1,
      timestamp: here.timestamp)
  }

  static func checkValues() throws {
    let fix = Fix(here)
    precondition(fix.flatMap { Fix(CLLocation($0)) } == fix)
    precondition(fix?.elevation == 40 && fix?.courseAccuracy == 10)
    precondition(Fix(location(horizontal: -1, vertical: 3)) == nil)
    let flat = Fix(location(horizontal: 8, vertical: -1))
    precondition(flat?.elevation == nil && flat?.speed == nil && flat?.course == nil)
    let bare = CLLocation(Fix(try Coordinate(latitude: 52, longitude: 13)))
    precondition(bare.horizontalAccuracy == 5 && bare.verticalAccuracy == -1 && bare.speed == -1)
  }

  static func checkLiveUpdates() async throws {
    CLLocationManager.status = .notDetermined
    CLLocationUpdate.script = [
      CLLocationUpdate { $0.authorizationRequestInProgress = true },
      CLLocationUpdate { $0.authorizationDenied = true },
      CLLocationUpdate { $0.authorizationDeniedGlobally = true },
      CLLocationUpdate { $0.authorizationRestricted = true },
    ]
    let refusals = try await all(CoreLocationProvider())
    precondition(
      refusals == [
        .authorization(.notDetermined), .authorization(.denied), LocationUpdate(),
        .authorization(.restricted),
      ])

    CLLocationManager.status = .authorizedAlways
    CLLocationUpdate.script = [
      CLLocationUpdate { $0.location = here },
      CLLocationUpdate {
        $0.location = here
        $0.accuracyLimited = true
      },
      CLLocationUpdate { $0.locationUnavailable = true },
      CLLocationUpdate { $0.insufficientlyInUse = true },
      CLLocationUpdate { $0.stationary = true },
    ]
    let updates = try await all(CoreLocationProvider(.fitness))
    precondition(
      updates == [
        LocationUpdate(location: Fix(here), authorization: .authorizedAlways),
        LocationUpdate(location: Fix(here), accuracyLimited: true), .unavailable,
        LocationUpdate(insufficientlyInUse: true), LocationUpdate(isStationary: true),
      ])
  }

  static func checkManager() async throws {
    CLLocationManager.status = .authorizedWhenInUse
    var received: [LocationUpdate] = []
    let provider = LocationManagerProvider(distanceFilter: 100)
    let running = Task {
      for try await update in provider.updates() { received.append(update) }
    }
    await wait { CLLocationManager.running != nil }
    guard let manager = CLLocationManager.running else { preconditionFailure() }
    precondition(manager.distanceFilter == 100)
    manager.delegate?.locationManager(manager, didUpdateLocations: [here, here])
    manager.delegate?.locationManager(manager, didFailWithError: CLError(.locationUnknown))
    manager.delegate?.locationManager(manager, didFailWithError: CLError(.denied))
    (CLLocationManager.status, CLLocationManager.accuracy) = (.denied, .reducedAccuracy)
    manager.delegate?.locationManagerDidChangeAuthorization(manager)
    await wait { received.count == 5 }
    precondition(
      received == [
        .authorization(.authorizedWhenInUse), LocationUpdate(location: Fix(here)),
        LocationUpdate(location: Fix(here)), .unavailable,
        LocationUpdate(authorization: .denied, accuracyLimited: true),
      ])
    running.cancel()
    await wait { CLLocationManager.running == nil }
  }

  static func all(_ provider: CoreLocationProvider) async throws -> [LocationUpdate] {
    var updates: [LocationUpdate] = []
    for try await update in provider.updates() { updates.append(update) }
    return updates
  }

  /// Waits for what a task on the main actor does.
  static func wait(_ condition: () -> Bool) async {
    for _ in 0..<1_000 where !condition() { try? await Task.sleep(for: .milliseconds(5)) }
    precondition(condition())
  }
}
