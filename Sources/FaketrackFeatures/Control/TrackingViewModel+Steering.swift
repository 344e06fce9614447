import FaketrackSupport
import Locations

extension TrackingViewModel: SteeredWalk {
  package var currentReplay: ReplayLocationProvider? { running?.walk.replay?.provider }

  package func replay() async throws(Failure) -> ReplayLocationProvider {
    if running == nil, state.phase != .blocked { await beginPaused() }
    if let replay = running?.walk.replay { return replay.provider }
    throw state.phase == .blocked
      ? Failure(message: "the permission is missing", hint: "Grant it with allow.")
      : Failure(
        message: "there is no track that can be steered", hint: "Open one with track walk.gpx.")
  }

  package func note(isPaused: Bool) async {
    await isPaused ? send(.pause) : noteGoing()
  }

  package func resume() async throws(Failure) {
    _ = try await replay()
    await send(.resume)
    await settle()
  }

  package func setSpeed(_ speed: ReplaySpeed) async { await send(.setSpeed(speed)) }

  package func setPermission(_ status: AuthorizationStatus) async throws {
    await send(.answer(status))
    await settle()
  }

  /// Waits until a walk that has begun again is at its place.
  private func settle() async { try? await running?.walk.replay?.provider.settle() }

  package func jump(to position: ReplayPosition) async throws {
    if let end = state.shape?.end,
      position.isBeyond(distance: end.distance, elapsed: state.shape?.duration ?? .infinity)
    {
      throw Failure(message: "the track ends before that")
    }
    switch position.place {
    case .start: await send(.move(to: 0))
    case .end: await send(.move(to: state.shape?.length ?? 0))
    case .meters(let meters): await send(.move(to: meters))
    case .elapsed(let time):
      guard let place = state.shape?.place(atElapsed: time.seconds) else {
        throw Failure(message: "the track is still read", hint: "Try again.")
      }
      await send(.move(to: place.distance))
    }
    await settle()
  }

  package func begin(_ track: Track) async throws {
    let id = try await catalog.add(track, protecting: state.track)
    await beginPaused(id)
    await settle()
  }

  package func stop() async { await send(.stop) }
}
