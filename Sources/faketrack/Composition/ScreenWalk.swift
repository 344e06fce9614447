import ArgumentParser
import FaketrackFeatures
import FaketrackFeeds
import FaketrackSupport
import Foundation
import GPX
import Locations
import PhotoSearch

extension CompositionRoot {
  /// The tracks of receivers, then those of files and folders; notes those of a folder that cannot be
  /// used.
  ///
  /// - Throws: `Failure` for a file that cannot be read, or if no track can be used.
  private func tracks(_ names: [String], _ walk: ScreenWalkOptions) async throws -> [TrackFile] {
    let receivers = names.compactMap(GPSDAddress.init).map { address in
      TrackFile(
        name: address.text,
        receiver: LiveTrack(
          address.provider(distanceFilter: 0), distanceFilter: walk.distanceFilter))
    }
    let paths = names.filter { !$0.hasPrefix(GPSDAddress.scheme) }
    if let missing = paths.first(where: { access($0, R_OK) != 0 }) {
      throw Failure.unreadable(missing)
    }
    var files: [TrackFile] = []
    var failures: [Failure] = []
    let tracks = try BatchTracks(paths)
    while let track = try await tracks.next() {
      do {
        let name = URL(fileURLWithPath: track.id).lastPathComponent
        files.append(TrackFile(name: name, input: try track.input.get(), source: walk.source))
      } catch {
        failures.append(error)
      }
    }
    if files.isEmpty, let failure = failures.first { throw failure }
    for failure in failures { console.note("warning: \(failure.message)") }
    return receivers + files
  }

  /// The walk that the screens watch.
  ///
  /// - Parameters:
  ///   - others: further tracks.
  ///   - memory: the number of locations that are remembered with their photos.
  ///   - hub: sends the walk to targets.
  func tracking(
    _ files: [String], _ options: ScreenOptions, source: PhotoPipeline?, own: OwnPhotos? = nil,
    others: [TrackFile] = [], memory: Int = 0, feeding hub: FeedHub? = nil
  ) async throws -> TrackingViewModel {
    let console = console
    let (walk, photos, device) = (options.walk, options.photos, options.device)
    photos.seed.note(on: console)
    let script = try device.permissionScript.map(PermissionScript.steps(inFile:))
    let cities = try options.cities.names(self)
    let choice = photos.choice(distanceFilter: walk.distanceFilter)
    let tracks = try await tracks(files, walk) + others
    if own != nil, tracks.contains(where: { $0.live != nil }) {
      throw PhotoAlbum.unrepeatable("a receiver")
    }
    let reported = Locked<Set<String>>([])
    let tracking = TrackingViewModel(
      catalog: TrackCatalog(tracks, walkingSpeed: walk.walkingSpeed), speed: walk.speed,
      permission: device.authorization.status, searchesPhotos: source != nil || own != nil,
      clocks: options.cities.areOmitted ? .utc : options.output.clocks.clocks, memory: memory,
      cities: cities
    ) { request in
      let picker = source.map { PhotoPicker($0, settings: choice) }
      let input: GPXInput
      switch request.track.input {
      case .file(let file): input = file
      case .receiver(let live):
        var tracker = Tracker(
          locations: live, pace: live, photos: picker, cities: cities,
          concurrency: photos.concurrency)
        if let hub { tracker.companion = { _ in await hub.follow(live.liveUpdates()) } }
        return tracker
      }
      let fixes = GPXFixes(input, source: request.track.source, notes: console)
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
          authorization: answer ?? script ?? [.initially(device.authorization.status)],
          options: options, signal: device.signal(seed: photos.seed))
      }
      func quietFixes() -> GPXFixes {
        GPXFixes(input, source: request.track.source)
      }
      let album = own.map { own in
        PhotoAlbum(
          own, on: input, source: request.track.source, radius: choice.radius,
          options: options, rehearsal: provider(quietFixes(), .max)
        ) { report in
          let isNew = reported.withLock { $0.insert(request.track.name).inserted }
          if isNew { console.note(report) }
        }
      }
      let provider = provider(fixes, request.speed)
      var tracker = Tracker(
        locations: provider, pace: provider,
        photos: picker, album: album,
        cities: cities, concurrency: photos.concurrency,
        endsWhenDenied: !isScripted, endsWhenAsking: !isScripted)
      tracker.companion = hub?.companion(of: provider, quietFixes())
      return tracker
    }
    if let hub { Task { await hub.follow(tracking.states()) } }
    return tracking
  }
}

/// The options of `serve` and `app`.
struct ScreenOptions: ParsableArguments {
  @OptionGroup(title: OptionGroupTitle.part) var walk: ScreenWalkOptions
  @OptionGroup(title: OptionGroupTitle.photos) var photos: PhotoOptions
  @OptionGroup(title: OptionGroupTitle.ownPhotos) var own: OwnPhotoOptions
  @OptionGroup(title: OptionGroupTitle.cities) var cities: CityOptions
  @OptionGroup(title: OptionGroupTitle.device) var device: DeviceOptions
  @OptionGroup(title: OptionGroupTitle.output) var output: ScreenOutputOptions
  @OptionGroup(title: OptionGroupTitle.output) var feed: FeedOptions
  @OptionGroup(title: OptionGroupTitle.diagnostics) var diagnostics: DiagnosticOptions
}

/// Output options of `serve` and `app`.
struct ScreenOutputOptions: ParsableArguments {
  @OptionGroup var clocks: ClockOptions
  @OptionGroup var units: UnitOptions
}

/// The options of a walk on the screens.
struct ScreenWalkOptions: ParsableArguments {
  @Option(
    help: .init(
      "Straight-line distance from one location to the next. (default: 100m)",
      valueName: "distance"),
    transform: Expected.distance(1...1e12, " of 1 m or more", such: "100m, 0.5km or 300ft"))
  var distanceFilter = 100.0

  @Option(
    help: .init(
      "Multiple of the recorded pace to begin with, 0.1 to 1000, or max. (default: 50)",
      valueName: "x|max"), transform: Expected.replaySpeed)
  var speed = Self.defaultSpeed

  @Option(
    help: .init(
      "Pace of a track without usable times, such as 5km/h. (default: 1.3)", valueName: "speed"),
    transform: Expected.speed)
  var walkingSpeed = ReplayOptions().walkingSpeed

  @Option(
    help: "Points to replay; auto uses tracks, else routes, else waypoints.")
  var source = GPXSource.auto

  private static let defaultSpeed = ReplaySpeed(multiple: 50) ?? .realTime

  /// Rejects addresses that are not those of a receiver, and options that need a file without one.
  func validate(_ tracks: [String], _ device: DeviceOptions) throws {
    let receivers = tracks.filter { $0.hasPrefix(GPSDAddress.scheme) }
    try require(
      receivers.allSatisfy { GPSDAddress($0) != nil },
      "A receiver is named as gpsd://host or gpsd://host:port.")
    let changesTrack =
      speed != Self.defaultSpeed || walkingSpeed != ReplayOptions().walkingSpeed || source != .auto
    try require(
      receivers.isEmpty || receivers.count < tracks.count
        || !changesTrack && !device.isChanged, GPSDAddress.isLive)
  }
}
