import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackTerminal
import Foundation
import Locations
import PhotoSearch

/// What a replay is made of, as the options ask for it.
extension Replay {
  static func provider(
    of track: TrackFile, _ options: ReplayCommand
  ) throws -> ReplayLocationProvider<ContinuousClock> {
    let simulation = options.simulation
    return ReplayLocationProvider(
      batches: track.batches, distanceFilter: options.distanceFilter,
      speed: options.walk.speed.speed, clock: ContinuousClock(),
      authorization: try simulation.permission(), itinerary: options.itinerary,
      reception: Reception(
        noise: simulation.noise, outages: simulation.outage.map(\.outage),
        seed: options.photos.seed))
  }

  static func parts(
    provider: ReplayLocationProvider<ContinuousClock>, photos: PhotoSource?, options: ReplayCommand,
    settings: Settings, in services: ServiceEnvironment
  ) throws -> TrackingViewModel.Parts {
    let choice = PhotoPickerSettings(
      radius: options.photos.radius * 1_000, distanceFilter: options.distanceFilter,
      size: options.photos.size, license: options.photos.license, seed: options.photos.seed)
    return TrackingViewModel.Parts(
      locations: provider, pace: provider, photos: photos, choice: choice,
      archive: options.photos.download.map { PhotoArchive(keepingIn: $0, services) },
      cities: try cities(options.simulation, settings), concurrency: options.photos.concurrency,
      endsWhenDenied: options.simulation.permissionScript == nil)
  }

  private static func cities(
    _ options: SimulationOptions, _ settings: Settings
  ) throws -> CityNamer? {
    options.noCities
      ? nil : CityNamer(try CityLibrary(settings).index, within: options.maxCityDistance * 1_000)
  }
}

extension ReplayCommand {
  /// Metres between new locations; a receiver that speaks NMEA leaves out none.
  var distanceFilter: Double { walk.distanceFilter ?? (output.format == .nmea ? 0 : 100) }

  /// What is walked; a receiver that speaks NMEA tells where it is each second.
  var itinerary: Itinerary {
    var itinerary = walk.itinerary
    if output.format == .nmea, itinerary.interval == nil { itinerary.interval = .seconds(1) }
    return itinerary
  }
}

extension PhotoArchive {
  init(keepingIn directory: String, _ services: ServiceEnvironment) {
    self.init(
      directory, header: PhotoCredits.header, in: services, credit: PhotoCredits.line)
  }
}

extension SimulationOptions {
  /// The permission of the walk; one that is not determined is asked for, then granted.
  func permission() throws -> [AuthorizationChange] {
    if let permissionScript { return try PermissionScriptFile.read(permissionScript) }
    let initial = AuthorizationChange.initially(authorization.status)
    return authorization == .notDetermined
      ? [initial, .after(.zero, .authorizedWhenInUse)] : [initial]
  }
}

extension ReplayFormat {
  /// Whether there is a place for photos.
  var showsPhotos: Bool { self != .nmea }

  func renderer(style: TerminalStyle) -> any VisitFormatting {
    switch self {
    case .text: URLFormat()
    case .list: ListFormat(style: style)
    case .ndjson: NDJSONFormat()
    case .csv: CSVFormat()
    case .geojson: GeoJSONFormat()
    case .gpx: GPXFormat()
    case .nmea: NMEAFormat()
    }
  }
}
