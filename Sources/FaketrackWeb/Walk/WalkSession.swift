import FaketrackFeatures
import Locations

/// The walk that all browsers watch.
///
/// It goes on whether anybody watches or not, and never waits for who does. What it held is let go
/// when it ends; what it showed stays on the page.
@MainActor
final class WalkSession {
  private struct Current {
    let model: TrackingViewModel
    let running: Task<Void, Never>
  }

  private(set) var view: WalkView
  private(set) var photos = PhotoLog()
  /// How often something has changed.
  private(set) var revision = 0
  /// What the user answered when asked for the permission.
  private(set) var permission: AuthorizationStatus?

  let signals = SignalHub()
  private let library: TrackLibrary
  private let makeWalk: WalkMaking
  private var current: Current?
  /// Counts commands, so that one which had to wait sees that another has overtaken it.
  private var commands = 0
  private var walks = 0
  /// Tells walks of this server from those of one that ran here before.
  private let era = String(UInt32.random(in: .min ... .max), radix: 36)

  init(library: TrackLibrary, speed: ReplaySpeed, makeWalk: @escaping WalkMaking) {
    self.library = library
    self.makeWalk = makeWalk
    view = WalkView(walk: "\(era)-0", track: library.entries.first?.id, speed: speed)
  }

  /// The track that is walked, or will be.
  var track: TrackLibrary.Entry? { view.track.flatMap { library[$0] } }

  /// Whether a walk holds anything.
  var isUnderWay: Bool { current != nil }

  /// Chooses a track without walking it; does nothing during a walk.
  func choose(_ entry: TrackLibrary.Entry) {
    guard current == nil, view.track != entry.id else { return }
    reset(to: entry.id)
    change()
  }

  /// Walks a track from its start, in place of what is walked now.
  func start(_ entry: TrackLibrary.Entry) async {
    guard await endCurrent() else { return }
    reset(to: entry.id)
    begin(entry, at: nil)
  }

  /// Goes on from another place of the track; the photos stay.
  func move(to distance: Double) async {
    guard let entry = track, await endCurrent() else { return }
    begin(entry, at: max(0, distance))
  }

  /// Takes an answer to the question for the permission, and walks on or ends accordingly.
  func answer(_ status: AuthorizationStatus) async {
    permission = status
    guard let entry = track else { return change() }
    let distance = view.distance
    guard await endCurrent() else { return }
    begin(entry, at: distance > 0 ? distance : nil)
  }

  func pause() {
    current?.model.send(.pause)
  }

  func resume() {
    current?.model.send(.resume)
  }

  func setSpeed(_ speed: ReplaySpeed) {
    view.speed = speed
    current?.model.send(.setSpeed(speed))
    change()
  }

  /// Ends the walk; returns when all that it held is let go.
  func stop() async {
    _ = await endCurrent()
  }

  private func reset(to track: Int) {
    walks += 1
    view = WalkView(walk: "\(era)-\(walks)", track: track, speed: view.speed)
    photos = PhotoLog()
  }

  /// - Returns: whether no other command came meanwhile.
  private func endCurrent() async -> Bool {
    commands += 1
    let command = commands
    // Only what runs now: by the time it has ended, a later command may have begun another walk.
    if let running = current?.running {
      running.cancel()
      await running.value
    }
    return command == commands
  }

  private func begin(_ entry: TrackLibrary.Entry, at distance: Double?) {
    view.failure = nil
    view.failedSince = nil
    view.beginLeg(at: distance ?? 0)
    do {
      let parts = try makeWalk(
        WalkPlan(track: entry.track, start: distance, speed: view.speed, permission: permission))
      let model = TrackingViewModel(parts)
      model.send(.setSpeed(view.speed))
      let running = Task { [weak self] in
        await Self.follow(model) {
          self?.take($0)
        } visited: {
          self?.record($0)
        }
        self?.current = nil
        self?.change()
      }
      current = Current(model: model, running: running)
    } catch {
      view.failure = LoadingFailure(error)
    }
    change()
  }

  private static func follow(
    _ model: TrackingViewModel, changed: @escaping @MainActor (TrackingState) -> Void,
    visited: @MainActor (Visit) -> Void
  ) async {
    let watching = Task {
      for await state in model.states() { changed(state) }
    }
    // Its state tells how it ended.
    try? await model.run { visited($0) }
    watching.cancel()
    await watching.value
    changed(model.state)
  }

  private func take(_ state: TrackingState) {
    view.take(state)
    change()
  }

  private func record(_ visit: Visit) {
    photos.record(visit)
    view.record(visit)
    change()
  }

  private func change() {
    revision += 1
    signals.send()
  }
}
