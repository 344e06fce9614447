import FaketrackFeatures
import FaketrackTerminal

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
    keyboard = Keyboard { [weak self] bytes in
      let keys = bytes.compactMap { WalkKey(Character(UnicodeScalar($0))) }
      guard !keys.isEmpty else { return }
      Task { @MainActor in
        for key in keys { await self?.press(key) }
      }
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
