import FaketrackFeatures
import Locations

/// What a key does to a walk.
enum WalkKey: Hashable {
  case pauseOrResume, faster, slower, quit

  /// The meaning of a byte that the terminal sent; `nil` for most of them.
  init?(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: " "): self = .pauseOrResume
    // The key of the plus without shift, on many keyboards.
    case UInt8(ascii: "+"), UInt8(ascii: "="): self = .faster
    case UInt8(ascii: "-"), UInt8(ascii: "_"): self = .slower
    case UInt8(ascii: "q"), UInt8(ascii: "Q"): self = .quit
    default: return nil
    }
  }

  /// What it asks of a walk in this phase and at this speed; `nil` where there is nothing to do.
  func action(
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

extension ReplaySpeed {
  /// Twice as fast; after the fastest multiple comes ``max``.
  var faster: ReplaySpeed {
    let fastest = SpeedArgument.range.upperBound
    switch self {
    case .max: return .max
    case .multiple(let multiple):
      return multiple >= fastest ? .max : .multiple(Swift.min(multiple * 2, fastest))
    }
  }

  /// Half as fast, down to the slowest multiple.
  var slower: ReplaySpeed {
    switch self {
    case .max: .multiple(SpeedArgument.range.upperBound)
    case .multiple(let multiple):
      .multiple(Swift.max(multiple / 2, SpeedArgument.range.lowerBound))
    }
  }
}
