import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackStore
import FaketrackWeb
import Foundation
import Locations
import PhotoSearch

/// A run of `serve`: puts the page together and serves it until it is told to end.
@MainActor
struct Serving {
  private let options: ServeCommand
  private let place: CityWorkplace
  private let photos: PhotoSource?
  private let parts: WebsiteParts

  init(_ options: ServeCommand) throws {
    self.options = options
    place = try CityWorkplace()
    let store = StoreFile(at: place.settings.storeFile)
    let services = ServiceEnvironment(budget: SharedCallBudget(store))
    photos = try PhotoSource.make(
      options: options.photos, settings: place.settings, store: store, in: services,
      console: place.console, sampleBase: SamplePhotos.base)
    parts = WebsiteParts(
      dependencies: try place.dependencies(feed: options.page.lists),
      tracks: options.files.map { file in
        WebTrack(
          name: URL(fileURLWithPath: file).lastPathComponent, input: .file(file),
          source: options.walk.source)
      },
      photos: photos?.kind, tiles: options.page.tileTemplate, speed: options.walk.speed.speed,
      permission: options.simulation.authorization.status,
      makeWalk: try Self.makeWalk(options, place, photos))
  }

  /// Serves until the task is cancelled.
  ///
  /// - Throws: `WebServer.Failure`.
  func run() async throws {
    let (console, output) = (place.console, place.output)
    try await WebServer(parts, host: options.page.host, port: options.page.port).run { address in
      console.note("the page is at \(address) until you press Ctrl-C")
      try? await output.write(address + "\n")
    }
  }

  private static func makeWalk(
    _ options: ServeCommand, _ place: CityWorkplace, _ photos: PhotoSource?
  ) throws -> WalkMaking {
    let (walk, simulation) = (options.walk, options.simulation)
    let (index, console) = (place.library.index, place.console)
    let script = try simulation.permissionScript.map(PermissionScriptFile.read)
    let choice = PhotoPickerSettings(
      radius: options.photos.radius * 1_000, distanceFilter: walk.distanceFilter,
      size: options.photos.size, license: options.photos.license, seed: options.photos.seed)
    let concurrency = options.photos.concurrency
    return { plan in
      let track = TrackFile(plan.track.input, source: plan.track.source, console: console)
      let asked = plan.permission.map { [AuthorizationChange.initially($0)] }
      let provider = ReplayLocationProvider(
        batches: track.batches, distanceFilter: walk.distanceFilter, speed: plan.speed,
        clock: ContinuousClock(),
        authorization: asked ?? script ?? [.initially(simulation.authorization.status)],
        itinerary: Itinerary(
          walkingSpeed: walk.walkingSpeed, start: plan.start.map(ReplayPosition.meters)),
        reception: Reception(
          noise: simulation.noise, outages: simulation.outage.map(\.outage), seed: choice.seed))
      return TrackingViewModel.Parts(
        locations: provider, pace: provider, photos: photos, choice: choice,
        cities: simulation.noCities
          ? nil : CityNamer(index, within: simulation.maxCityDistance * 1_000),
        concurrency: concurrency, endsWhenDenied: asked != nil || script == nil)
    }
  }
}
