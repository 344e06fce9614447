import FaketrackFeatures
import Locations

/// A key that controls a walk, in the app and during a replay.
package enum WalkKey: Hashable, Sendable {
  case pauseOrResume, faster, slower, quit

  /// The meaning of a character; `nil` for most of them.
  package init?(_ character: Character) {
    switch character {
    case " ": self = .pauseOrResume
    // The key of the plus without shift, on many keyboards.
    case "+", "=": self = .faster
    case "-", "_": self = .slower
    case "q", "Q": self = .quit
    default: return nil
    }
  }

  /// The action for a walk in this phase and at this speed; `nil` if there is nothing to do.
  package func action(
    in phase: TrackingState.Phase, at speed: ReplaySpeed
  ) -> TrackingViewModel.Action? {
    switch self {
    case .pauseOrResume: phase == .paused ? .resume : phase == .running ? .pause : nil
    case .faster: speed.faster == speed ? nil : .setSpeed(speed.faster)
    case .slower: speed.slower == speed ? nil : .setSpeed(speed.slower)
    case .quit: .stop
    }
  }
}
