import FaketrackFeatures
import FaketrackServices
import FaketrackTerminal
import Synchronization

/// What a service is being waited for, for the line of progress.
final class WaitingNotice: Sendable {
  private let wait = Mutex<(text: String, end: ContinuousClock.Instant)?>(nil)

  /// The newest wait, while it lasts.
  var text: String? {
    wait.withLock { wait in
      guard let wait, wait.end > .now else { return nil }
      return wait.text
    }
  }

  func receive(_ event: ServiceEvent) {
    guard case .waiting(let service, let duration, let cause) = event else { return }
    let reason =
      switch cause {
      case .retry: "trying \(service) again"
      case .retryAfter: "\(service) asks to wait"
      case .budget: "\(service) allows no more calls for now"
      }
    let text = "\(reason) (\(Quantity.duration(duration / .seconds(1))))"
    wait.withLock { $0 = (text, .now + duration) }
  }
}
