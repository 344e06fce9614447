import ArgumentParser
import FaketrackFeatures
import FaketrackFeeds
import FaketrackSupport
import FaketrackWeb
import Geodesy
import Locations

/// The commands of a program that steers the walk.
struct ControlOptions: ParsableArguments {
  @Option(
    name: .customLong("control"),
    help: .init(
      "Take commands for the walk over HTTP, such as walk to 1km.",
      discussion:
        "127.0.0.1:port, or unix:file; port 0 picks a free one. See faketrack help control.",
      valueName: "address"), transform: ControlAddress.parser)
  var address: ControlAddress?
}

/// The commands for a walk of `replay`.
struct ReplayControlOptions: ParsableArguments {
  @OptionGroup var control: ControlOptions

  @Flag(
    name: .customLong("step"),
    help: .init(
      "Wait for commands of --control from the start, and let no time pass between.",
      discussion: "The walk stays at its end until the command stop."))
  var isStepped = false

  mutating func validate() throws {
    try require(!isStepped || control.address != nil, "--step waits for commands: add --control.")
  }
}

extension CompositionRoot {
  /// Runs work while commands steer its walk, if there is an address for them.
  ///
  /// - Throws: errors of the work, or `Failure` if the address cannot be listened on.
  func controlling(
    _ options: ControlOptions, _ control: WalkControl?, _ work: () async throws -> Void
  ) async throws {
    guard let address = options.address, let control else { return try await work() }
    let server = try await ControlServer(address, control)
    // Also with --quiet: a program may wait for the port.
    console.say("control: \(server.address)")
    let result: Result<Void, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    await server.finish()
    try result.get()
  }
}

extension FeedHub: WalkTargets {
  /// The time in which a target that is away may come back.
  private static let patience = Duration.seconds(10)

  package func settle() async throws(Failure) {
    guard let late = await settle(within: Self.patience) else { return }
    throw Failure(
      message: "feed \(late.target): did not take the walk: \(late.reason)",
      hint: "Start the app under test first.", kind: .serviceUnavailable)
  }

  package var reports: [WalkReport.Target] {
    currentReports.map {
      WalkReport.Target(
        target: $0.target, sent: $0.sent, confirmed: $0.confirmed, refused: $0.refused,
        replaced: $0.replaced, lost: $0.lost, reason: $0.reason)
    }
  }
}

/// The steps by which keys and commands control a walk of `replay`.
extension WalkRun: SteeredWalk {
  var currentReplay: ReplayLocationProvider? { walk.replay?.provider }

  func replay() throws(Failure) -> ReplayLocationProvider {
    guard let provider = currentReplay else {
      throw Failure(message: "the walk of a receiver is not steered")
    }
    return provider
  }

  func note(isPaused: Bool) {
    store.update { $0.apply(isPaused ? .paused : .resumed) }
  }

  func pause() {
    walk.pace?.pause()
    note(isPaused: true)
  }

  func resume() {
    walk.pace?.resume()
    note(isPaused: false)
  }

  func setSpeed(_ speed: ReplaySpeed) {
    walk.pace?.speed = speed
    store.update { $0.apply(.speedChanged(speed)) }
  }

  func setPermission(_ status: AuthorizationStatus) async throws {
    try await replay().change(.status(status))
  }

  func jump(to position: ReplayPosition) async throws {
    try await replay().jump(to: position)
  }

  func begin(_ track: Track) async throws {
    // An unusable track leaves the walk where it is; the catalog of the page reads a track, too.
    _ = try await TrackCatalog([]).add(track)
    let track = track.recorded()
    try await replay().jump(toStartOf: { track.fixes().batches })
    note(isPaused: true)
  }

  func stop() { stopping.stop() }
}
