#if canImport(CoreLocation)
  import CoreLocation
  import Geodesy

  extension Fix {
    /// A fix with what is known of a location; `nil` if its position is not valid.
    ///
    /// Core Location marks unknown values by negative numbers.
    public init?(_ location: CLLocation) {
      let (here, known) = (location.coordinate, { (value: Double) in value < 0 ? nil : value })
      guard location.horizontalAccuracy >= 0,
        let coordinate = try? Coordinate(latitude: here.latitude, longitude: here.longitude)
      else { return nil }
      let hasAltitude = location.verticalAccuracy > 0
      self.init(
        coordinate, time: location.timestamp,
        elevation: hasAltitude ? location.altitude : nil,
        speed: known(location.speed), course: known(location.course),
        horizontalAccuracy: location.horizontalAccuracy,
        verticalAccuracy: hasAltitude ? location.verticalAccuracy : nil,
        speedAccuracy: known(location.speedAccuracy),
        courseAccuracy: known(location.courseAccuracy))
    }
  }

  extension CLLocation {
    /// The location of a fix, for code that takes Core Location's type.
    ///
    /// Unknown values are negative. Core Location has no position and no altitude without an accuracy:
    /// where it is unknown, it is 5 m, as in a location that Xcode simulates. A time that is unknown is
    /// now.
    public convenience init(_ fix: Fix) {
      let position = CLLocationCoordinate2D(
        latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
      let assumed = 5.0
      self.init(
        coordinate: position, altitude: fix.elevation ?? 0,
        horizontalAccuracy: fix.horizontalAccuracy ?? assumed,
        verticalAccuracy: fix.elevation == nil ? -1 : fix.verticalAccuracy ?? assumed,
        course: fix.course ?? -1, courseAccuracy: fix.courseAccuracy ?? -1,
        speed: fix.speed ?? -1, speedAccuracy: fix.speedAccuracy ?? -1,
        timestamp: fix.time ?? Date())
    }
  }

  extension AuthorizationStatus {
    /// The status of Core Location; one that is not known here is not determined.
    public init(_ status: CLAuthorizationStatus) {
      switch status {
      case .restricted: self = .restricted
      case .denied: self = .denied
      case .authorizedAlways: self = .authorizedAlways
      #if !os(macOS)
        case .authorizedWhenInUse: self = .authorizedWhenInUse
      #endif
      default: self = .notDetermined
      }
    }
  }
#endif
