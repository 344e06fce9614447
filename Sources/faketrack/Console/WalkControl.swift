import FaketrackFeatures
import Locations

/// Lets the keys of the terminal control a walk: space pauses and resumes it, + and - change its
/// speed, q ends it.
@MainActor
final class WalkControl {
  private let model: TrackingViewModel
  private var speed: ReplaySpeed
  private let console: Console
  private var keyboard: Keyboard?

  init(_ model: TrackingViewModel, speed: ReplaySpeed, console: Console) {
    self.model = model
    self.speed = speed
    self.console = console
  }

  /// Listens, where there is a terminal that shows what the keys do.
  func open() {
    guard console.showsProgress else { return }
    keyboard = Keyboard { [weak self] byte in
      guard let key = WalkKey(byte) else { return }
      Task { @MainActor in self?.press(key) }
    }
  }

  /// Leaves the terminal as it was.
  func close() {
    keyboard?.close()
    keyboard = nil
  }

  private func press(_ key: WalkKey) {
    guard let action = key.action(in: model.state.phase, at: speed) else { return }
    if case .setSpeed(let speed) = action {
      self.speed = speed
      console.note("speed: \(SpeedArgument(speed))")
    }
    model.send(action)
  }
}
