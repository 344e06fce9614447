import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackTerminal
import Foundation
import Locations
import PhotoSearch

// What the options of `replay` and `serve` make of a walk.

extension SimulationOptions {
  /// The permission on the walk; `not-determined` is requested, then granted.
  func permission() throws -> [AuthorizationChange] {
    if let permissionScript { return try PermissionScriptFile.read(permissionScript) }
    let initial = AuthorizationChange.initially(authorization.status)
    return authorization == .notDetermined
      ? [initial, .after(.zero, .authorizedWhenInUse)] : [initial]
  }

  /// Noise and losses of the signal.
  func signal(seed: UInt64) -> SignalConditions {
    SignalConditions(noise: noise, outages: outage.map(\.outage), seed: seed)
  }

  /// Names the cities along a walk; `nil` where they are left out.
  @MainActor
  func cities(_ root: CompositionRoot) throws -> CityNames? {
    noCities
      ? nil
      : CityNames(
        NearestCityCursor(
          try root.cities().index, within: maxCityDistance * 1_000,
          minPopulation: citySize.minPopulation))
  }
}

extension Console {
  /// Says which number a random seed is, with which the run can be repeated.
  func note(_ seed: SeedArgument) {
    if seed.isRandom { note("seed: \(seed.number)") }
  }
}

extension PhotoOptions {
  /// How a location's photo is chosen.
  func choice(distanceFilter: Double) -> PhotoPickerSettings {
    PhotoPickerSettings(
      radius: radius * 1_000, distanceFilter: distanceFilter, size: size, license: license,
      seed: seed.number)
  }

  /// Makes what downloads the photos of a track, if `--download` names a folder.
  func archives(
    in services: ServiceEnvironment
  ) -> (@Sendable (_ track: String?) -> PhotoArchive)? {
    download.map { folder in
      let client = PhotoArchive.client(
        userAgent: Product.userAgent(library: "PhotoSearch"), in: services)
      return { track in
        PhotoArchive(
          PhotoArchive.folder(of: track, in: folder), header: PhotoCredits.header,
          fetching: client, credit: PhotoCredits.line)
      }
    }
  }
}
