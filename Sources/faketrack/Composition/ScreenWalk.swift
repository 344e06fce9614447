import ArgumentParser
import FaketrackFeatures
import FaketrackFeeds
import FaketrackSupport
import Foundation
import GPX
import Locations
import PhotoSearch

extension CompositionRoot {
  /// The tracks of files and folders; notes those of a folder that cannot be used.
  ///
  /// - Throws: `Failure` for a file that cannot be read, or if no track can be used.
  private func trackFiles(_ paths: [String], source: GPXSource) async throws -> [TrackFile] {
    if let missing = paths.first(where: { access($0, R_OK) != 0 }) {
      throw Failure.unreadable(missing)
    }
    var files: [TrackFile] = []
    var failures: [Failure] = []
    let tracks = try BatchTracks(paths)
    while let track = try await tracks.next() {
      do {
        let name = URL(fileURLWithPath: track.id).lastPathComponent
        files.append(TrackFile(name: name, input: try track.input.get(), source: source))
      } catch {
        failures.append(error)
      }
    }
    if files.isEmpty, let failure = failures.first { throw failure }
    for failure in failures { console.note("warning: \(failure.message)") }
    return files
  }

  /// The walk that the screens watch.
  ///
  /// - Parameters:
  ///   - memory: the number of locations that are remembered with their photos.
  ///   - hub: sends the walk to targets.
  func tracking(
    _ files: [String], _ walk: ScreenWalkOptions, _ photos: PhotoOptions,
    _ simulation: SimulationOptions, source: PhotoPipeline?, own: OwnPhotos? = nil, clocks: Clocks,
    memory: Int = 0, feeding hub: FeedHub? = nil
  ) async throws -> TrackingViewModel {
    let console = console
    photos.seed.note(on: console)
    let script = try simulation.permissionScript.map(PermissionScript.steps(inFile:))
    let cities = try simulation.cities(self)
    let choice = photos.choice(distanceFilter: walk.distanceFilter)
    let tracks = try await trackFiles(files, source: walk.source)
    let reported = Locked<Set<String>>([])
    let tracking = TrackingViewModel(
      catalog: TrackCatalog(tracks, walkingSpeed: walk.walkingSpeed), speed: walk.speed,
      permission: simulation.authorization.status, searchesPhotos: source != nil || own != nil,
      clocks: simulation.noCities ? .utc : clocks, memory: memory, cities: cities
    ) { request in
      let fixes = GPXFixes(request.track.input, source: request.track.source, notes: console)
      let answer = request.answer.map { [AuthorizationChange.initially($0)] }
      let isScripted = answer == nil && script != nil
      let options = ReplayOptions(
        walkingSpeed: walk.walkingSpeed, start: request.start.map(ReplayPosition.meters))
      func provider(_ fixes: GPXFixes, _ speed: ReplaySpeed)
        -> ReplayLocationProvider<ContinuousClock>
      {
        ReplayLocationProvider(
          batches: fixes, distanceFilter: walk.distanceFilter, speed: speed,
          clock: ContinuousClock(),
          authorization: answer ?? script ?? [.initially(simulation.authorization.status)],
          options: options, signal: simulation.signal(seed: photos.seed))
      }
      func quietFixes() -> GPXFixes {
        GPXFixes(request.track.input, source: request.track.source)
      }
      let album = own.map { own in
        PhotoAlbum(
          own, on: request.track.input, source: request.track.source, radius: choice.radius,
          options: options, rehearsal: provider(quietFixes(), .max)
        ) { report in
          let isNew = reported.withLock { $0.insert(request.track.name).inserted }
          if isNew { console.note(report) }
        }
      }
      let provider = provider(fixes, request.speed)
      var tracker = Tracker(
        locations: provider, pace: provider,
        photos: source.map { PhotoPicker($0, settings: choice) }, album: album,
        cities: cities, concurrency: photos.concurrency,
        endsWhenDenied: !isScripted, endsWhenAsking: !isScripted)
      tracker.companion = hub?.companion(of: provider, quietFixes())
      return tracker
    }
    if let hub { Task { await hub.follow(tracking.states()) } }
    return tracking
  }
}

/// The options of a walk on the screens.
struct ScreenWalkOptions: ParsableArguments {
  @Option(help: .init("Meters between new locations.", valueName: "m"))
  var distanceFilter = 100.0

  @Option(
    help: .init(
      "Multiple of the recorded pace to begin with, 0.1 to 1000, or max.", valueName: "x|max"))
  var speed = ReplaySpeed(multiple: 50) ?? .realTime

  @Option(help: .init("Pace of a track without usable times.", valueName: "m/s"))
  var walkingSpeed = 1.3

  @Option(
    help: "Points to replay; auto uses tracks, else routes, else waypoints.")
  var source = GPXSource.auto

  mutating func validate() throws {
    try require(
      distanceFilter >= 1 && distanceFilter.isFinite, "--distance-filter takes meters, 1 or more.")
    try requirePace(walkingSpeed)
  }
}
