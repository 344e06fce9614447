import FaketrackFeatures
import FaketrackTerminal

/// Controls a walk by the keys of the terminal: space pauses and resumes it, + and - change its speed,
/// q ends it.
@MainActor
final class WalkControl {
  private let walk: TrackWalk
  private let console: Console
  private var keyboard: Keyboard?

  init(_ walk: TrackWalk, console: Console) {
    self.walk = walk
    self.console = console
  }

  /// Listens to the keys if the terminal shows progress.
  func open() {
    guard console.showsProgress else { return }
    keyboard = Keyboard { [weak self] event in
      guard case .bytes(let bytes) = event else { return }
      let keys = bytes.compactMap { WalkKey(Character(UnicodeScalar($0))) }
      guard !keys.isEmpty else { return }
      Task { @MainActor in
        for key in keys { self?.press(key) }
      }
    }
  }

  /// Restores the terminal.
  func close() {
    keyboard?.close()
    keyboard = nil
  }

  private func press(_ key: WalkKey) {
    let (store, pace) = (walk.store, walk.provider)
    switch key.action(in: store.state.phase, at: store.state.speed) {
    case .pause:
      pace.pause()
      store.update { $0.apply(.paused) }
    case .resume:
      pace.resume()
      store.update { $0.apply(.resumed) }
    case .setSpeed(let speed):
      console.note("speed: \(speed.label)")
      pace.setSpeed(speed)
      store.update { $0.apply(.speedChanged(speed)) }
    case .stop:
      walk.stop()
    default:
      break
    }
  }
}
