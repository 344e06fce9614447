// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of Core Location that are used here, for checks where it does not exist. A check sets the
// static properties, which Core Location does not have.
@_exported import Foundation

public typealias CLLocationDegrees = Double

public let kCLDistanceFilterNone = -1.0
public let kCLLocationAccuracyBest = -1.0

public struct CLLocationCoordinate2D {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

open class CLLocation: NSObject, @unchecked Sendable {
  public let coordinate: CLLocationCoordinate2D
  public let altitude: Double
  public let horizontalAccuracy: Double
  public let verticalAccuracy: Double
  public let course: Double
  public let courseAccuracy: Double
  public let speed: Double
  public let speedAccuracy: Double
  public let timestamp: Date

  public init(
    coordinate: CLLocationCoordinate2D, altitude: Double, horizontalAccuracy: Double,
    verticalAccuracy: Double, course: Double, courseAccuracy: Double, speed: Double,
    speedAccuracy: Double, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
  }
}

public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

public enum CLAccuracyAuthorization: Int, Sendable {
  case fullAccuracy, reducedAccuracy
}

public struct CLError: Error {
  public enum Code: Sendable {
    case locationUnknown, denied
  }

  public let code: Code

  public init(_ code: Code) {
    self.code = code
  }
}

public protocol CLLocationManagerDelegate: NSObjectProtocol {
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
}

public final class CLLocationManager: NSObject {
  nonisolated(unsafe) public static var status = CLAuthorizationStatus.notDetermined
  nonisolated(unsafe) public static var accuracy = CLAccuracyAuthorization.fullAccuracy
  /// The manager that runs.
  @MainActor public static weak var running: CLLocationManager?

  public var authorizationStatus: CLAuthorizationStatus { Self.status }
  public var accuracyAuthorization: CLAccuracyAuthorization { Self.accuracy }
  public weak var delegate: (any CLLocationManagerDelegate)? {
    didSet { delegate?.locationManagerDidChangeAuthorization(self) }
  }
  public var distanceFilter = kCLDistanceFilterNone
  public var desiredAccuracy = kCLLocationAccuracyBest

  @MainActor public func startUpdatingLocation() { Self.running = self }
  @MainActor public func stopUpdatingLocation() { Self.running = nil }
}

public final class CLServiceSession: Sendable {
  public enum AuthorizationRequirement: Sendable {
    case none, whenInUse, always
  }

  public init(authorization: AuthorizationRequirement) {}
}

public struct CLLocationUpdate: Sendable {
  public enum LiveConfiguration: Int, Sendable {
    case `default`, automotiveNavigation, otherNavigation, fitness, airborne
  }

  /// The updates to come.
  nonisolated(unsafe) public static var script: [CLLocationUpdate] = []

  public var location: CLLocation?
  public var stationary = false
  public var authorizationDenied = false
  public var authorizationDeniedGlobally = false
  public var authorizationRestricted = false
  public var authorizationRequestInProgress = false
  public var insufficientlyInUse = false
  public var locationUnavailable = false
  public var accuracyLimited = false

  public init(_ change: (inout CLLocationUpdate) -> Void = { _ in }) {
    change(&self)
  }

  public struct Updates: AsyncSequence, Sendable {
    public struct Iterator: AsyncIteratorProtocol {
      private var script = CLLocationUpdate.script[...]

      public mutating func next() async throws -> CLLocationUpdate? { script.popFirst() }
    }

    public func makeAsyncIterator() -> Iterator { Iterator() }
  }

  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates()
  }
}
