import ArgumentParser
import FaketrackFeatures
import FaketrackFeeds
import FaketrackSupport
import Foundation
import GPX
import Locations
import PhotoSearch
import Receivers

extension CompositionRoot {
  /// Opens tracks; warns about each file of a folder that cannot be used.
  func trackOpener(_ walk: ScreenWalkOptions) -> TrackOpener {
    TrackOpener(source: walk.source, converter: trackConverter) { [console] in
      console.note("warning: \($0.message)")
    }
  }

  /// The tracks of receivers, then the tracks of files and folders.
  ///
  /// - Throws: `Failure` for a file that cannot be read, or if no track can be used.
  private func tracks(_ names: [String], _ walk: ScreenWalkOptions) async throws -> [Track] {
    let receivers = names.compactMap(ReceiverAddress.init).map { address in
      Track(
        receiver: LiveTrack(
          address.provider(distanceFilter: 0), distanceFilter: walk.distanceFilter),
        name: address.text)
    }
    let paths = names.filter { !ReceiverAddress.isAddress($0) }
    if let missing = paths.first(where: { access($0, R_OK) != 0 }) {
      throw Failure.unreadable(missing)
    }
    return try await receivers + trackOpener(walk).tracks(at: paths)
  }

  /// The locations of a walk that a screen can show, and that can be kept: 2,000 km at 100 m.
  private static let memory = 20_000

  /// The walk that the screens watch.
  ///
  /// - Parameters:
  ///   - others: further tracks.
  ///   - additions: the maximum number of tracks that are opened later.
  ///   - hub: sends the walk to targets; between walks, the caller lets it follow the states.
  ///   - isSteered: whether commands steer the walk.
  func tracking(
    _ files: [String], _ options: ScreenOptions, source: PhotoPipeline?, own: OwnPhotos? = nil,
    others: [Track] = [], additions: Int = TrackCatalog.additionLimit, feeding hub: FeedHub? = nil,
    isSteered: Bool = false
  ) async throws -> TrackingViewModel {
    let console = console
    let (walk, photos, device) = (options.walk, options.photos, options.device)
    photos.seed.note(on: console)
    let script = try device.script.map(WalkScript.init(file:))
    let cities = try options.cities.names(self)
    let choice = photos.choice(distanceFilter: walk.distanceFilter)
    let sources = own == nil ? PhotoSourceChoice.allCases.map(\.rawValue) : []
    let tracks = try await tracks(files, walk) + others
    if own != nil, tracks.contains(where: \.isLive) {
      throw PhotoAlbum.unplaceable
    }
    let reported = Locked<Set<String>>([])
    return TrackingViewModel(
      catalog: TrackCatalog(
        tracks, walkingSpeed: walk.walkingSpeed, additionLimit: additions), speed: walk.speed,
      permission: device.authorization.status, searchesPhotos: source != nil || own != nil,
      clocks: options.cities.areOmitted ? .utc : options.output.clocks.clocks,
      memory: Self.memory, photoSources: sources, cities: cities
    ) { [self] request in
      let track = request.track
      var plan = WalkPlan(
        track, distanceFilter: request.distanceFilter ?? walk.distanceFilter, speed: request.speed)
      plan.options = ReplayOptions(
        walkingSpeed: walk.walkingSpeed, start: request.start.map(ReplayPosition.meters) ?? .start)
      plan.script = script ?? WalkScript()
      plan.isSteered = isSteered
      if let status = request.answer ?? (script == nil ? device.authorization.status : nil) {
        plan.script.setPermission(status)
      }
      device.signal.disturb(&plan.options, seed: photos.seed)
      plan.cities = cities
      plan.endsWhenDenied = !track.isLive && (request.answer != nil || script == nil)
      plan.endsWhenAsking = plan.endsWhenDenied
      plan.follower = hub
      plan.followerInterval = options.feed.interval ?? plan.followerInterval
      plan.untimedStart = StartArgument.now
      plan.note = console.notes(on: track)
      if let own {
        plan.photos = .album(own, radius: choice.radius) { report in
          let isNew = reported.withLock { $0.insert(track.name).inserted }
          if isNew { console.note(report) }
        }
      } else if let source = try request.photoSource.map({ try photoSource(photos, named: $0) })
        ?? source
      {
        plan.photos = .search(
          PhotoPicker(source, settings: choice), concurrency: photos.concurrency, folder: nil)
      }
      return plan.walk()
    }
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

  /// Rejects addresses that do not name a receiver, and options that need a file if there is no file.
  func validate(_ tracks: [String], _ device: DeviceOptions) throws {
    let receivers = tracks.filter { ReceiverAddress.isAddress($0) }
    try require(
      receivers.allSatisfy { ReceiverAddress($0) != nil },
      "A receiver is named as gpsd://host[:port], nmea://host:port or nmea:///dev/ttyUSB0.")
    let changesTrack =
      speed != Self.defaultSpeed || walkingSpeed != ReplayOptions().walkingSpeed || source != .auto
    try require(
      receivers.isEmpty || receivers.count < tracks.count
        || !changesTrack && !device.isChanged, ReceiverAddress.isLive)
  }
}
