import FaketrackFeatures
import Locations

/// Lets the keys of the terminal control a walk: space pauses and resumes it, + and - change its
/// speed, q ends it.
@MainActor
final class WalkControl {
  private let model: TrackingViewModel
  private let console: Console
  private var keyboard: Keyboard?

  init(_ model: TrackingViewModel, console: Console) {
    self.model = model
    self.console = console
  }

  /// Listens, where there is a terminal that shows what the keys do.
  func open() {
    guard console.showsProgress else { return }
    keyboard = Keyboard { [weak self] byte in
      guard let key = WalkKey(byte) else { return }
      Task { @MainActor in await self?.press(key) }
    }
  }

  /// Leaves the terminal as it was.
  func close() {
    keyboard?.close()
    keyboard = nil
  }

  private func press(_ key: WalkKey) async {
    let state = model.state
    guard let action = key.action(in: state.phase, at: state.speed) else { return }
    if case .setSpeed(let speed) = action { console.note("speed: \(speed.label)") }
    await model.send(action)
  }
}

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
