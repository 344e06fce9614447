import ArgumentParser
import GPX
import Locations
import PhotoSearch

/// The values of `--format` in `replay`.
enum ReplayFormat: String, ExpressibleByArgument, CaseIterable {
  case text, list, ndjson, csv, geojson, gpx, nmea
}

/// The values of `--authorization`, and of a permission script.
enum PermissionName: String, ExpressibleByArgument, CaseIterable {
  case authorized, denied, restricted
  case notDetermined = "not-determined"

  var status: AuthorizationStatus {
    switch self {
    case .authorized: .authorizedWhenInUse
    case .denied: .denied
    case .restricted: .restricted
    case .notDetermined: .notDetermined
    }
  }
}

extension PhotoSourceChoice: ExpressibleByArgument {}
extension GPXSource: ExpressibleByArgument {}
extension PhotoSize: ExpressibleByArgument {}
extension LicenseFilter: ExpressibleByArgument {}

/// A part of a walk without a signal: two places with a hyphen between them.
struct OutageArgument: ExpressibleByArgument, Hashable {
  let outage: Reception.Outage

  init?(argument: String) {
    let ends = argument.split(separator: "-", maxSplits: 1).map(String.init)
    guard ends.count == 2, let start = ReplayPosition(text: ends[0]),
      let end = ReplayPosition(text: ends[1])
    else { return nil }
    outage = Reception.Outage(from: start, to: end)
  }
}
