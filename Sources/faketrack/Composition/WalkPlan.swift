import Cities
import FaketrackFeatures
import FaketrackServices
import FaketrackTerminal
import Foundation
import GPX
import Locations
import PhotoSearch

/// What the options of `replay` make of every track.
struct WalkPlan: Sendable {
  let format: OutputFormat
  /// How text is shown.
  let style: TerminalStyle
  let walkingSpeed: Double
  let speed: ReplaySpeed
  let permission: AuthorizationStatus
  let photos: PhotoSource?
  private let source: GPXSource
  private let isStrict: Bool
  private let distanceFilter: Double
  private let options: ReplayOptions
  private let authorization: [AuthorizationChange]
  private let isScripted: Bool
  private let signal: SignalConditions
  private let choice: PhotoPickerSettings
  private let cities: CityNames?
  private let concurrency: Int
  private let console: Console
  private let makeArchive: (@Sendable (_ track: String?) -> PhotoArchive)?

  @MainActor
  init(_ command: ReplayCommand, _ root: CompositionRoot) throws {
    format = command.output.format.format
    style = command.output.clocks.style(of: root.console)
    walkingSpeed = command.walk.walkingSpeed
    speed = command.walk.speed.speed
    permission = command.simulation.authorization.status
    photos = format.showsPhotos ? try root.photoSource(command.photos) : nil
    source = command.walk.source
    isStrict = command.output.strict
    distanceFilter = command.distanceFilter
    options = command.replayOptions
    authorization = try command.simulation.permission()
    isScripted = command.simulation.permissionScript != nil
    root.console.note(command.photos.seed)
    signal = command.simulation.signal(seed: command.photos.seed.number)
    choice = command.photos.choice(distanceFilter: distanceFilter)
    cities = try command.simulation.cities(root)
    concurrency = command.photos.concurrency
    console = root.console
    makeArchive = command.photos.archives(in: root.services)
  }

  /// The file of a track.
  func file(_ input: GPXInput, named name: String) -> TrackFile {
    TrackFile(name: name, input: input, source: source)
  }

  /// A walk along a track, ready to begin.
  ///
  /// - Parameters:
  ///   - name: what the records of one of many tracks call it.
  ///   - isMeasured: whether somebody asks how much of it lies behind the walker.
  func walk(_ file: TrackFile, name: String? = nil, isMeasured: Bool = false) -> TrackWalk {
    let track = TrackReader(
      file, isStrict: isStrict, isLooped: options.laps > 1,
      // Of a part of a track, nobody knows how long it will be.
      isMeasured: isMeasured && options.start == nil && options.end == .end,
      isOneOfMany: name != nil, console: console)
    let provider = ReplayLocationProvider(
      batches: track.batches, distanceFilter: distanceFilter, speed: speed,
      clock: ContinuousClock(), authorization: authorization, options: options, signal: signal)
    let tracker = Tracker(
      locations: provider, pace: provider,
      photos: photos.map { PhotoPicker($0.search, settings: choice, counter: $0.counter) },
      archive: makeArchive?(name), cities: cities, concurrency: concurrency,
      endsWhenDenied: !isScripted)
    return TrackWalk(track: track, provider: provider, tracker: tracker, photos: photos?.provider)
  }
}

/// A walk along a track, and what is to be said of it.
struct TrackWalk: Sendable {
  let track: TrackReader
  let provider: ReplayLocationProvider<ContinuousClock>
  let tracker: Tracker
  fileprivate let photos: PhotoProvider?

  /// Why a walk that came to its end did not yield what it should.
  func failure(_ state: TrackingState) -> Failure? {
    if let status = state.authorization, status == .denied || status == .restricted {
      return Failure(
        message: "location permission \(status.rawValue)",
        hint: "Allow it with --authorization authorized.", kind: .permissionDenied)
    }
    if state.locations == 0, state.isAvailable, state.authorization?.isAuthorized == true {
      return NothingToReplay(name: track.name, contents: track.contents, skipped: track.skipped)
        .failure
    }
    guard let counts = state.searches, let photos else { return nil }
    if counts.isKeyRejected {
      let variable = photos.keyVariable ?? "the environment"
      return Failure(
        message: "\(photos.title) rejected the key in \(variable)",
        hint: "Set \(variable) to a valid key, or use --photos commons, which needs none.",
        kind: .serviceUnavailable)
    }
    if state.failures > 0, counts.failed == state.searched {
      return Failure(
        message: "every photo search failed: \(state.failure ?? "unknown")",
        hint: "Try again later, or use another source with --photos.", kind: .serviceUnavailable)
    }
    if state.found > 0, state.failedDownloads == state.found {
      return Failure(
        message: "no photo could be downloaded: \(state.failure ?? "unknown")",
        hint: "Try again later: the searches are remembered.", kind: .serviceUnavailable)
    }
    return nil
  }
}
