import FaketrackSupport
import Locations
import Synchronization

/// Sends one walk to many targets. Each has a ``FeedLane``, so no target waits for another, and the
/// walk waits for none.
package final class FeedHub: Sendable {
  /// The time that targets get to take the end of the walk.
  private static let closingTime = Duration.seconds(3)

  private let lanes: [FeedLane]
  private let clock: AnyClock
  private let isDenied = Atomic(false)

  package init(_ feeds: [Feed], in context: FeedContext, clock: AnyClock) {
    lanes = feeds.map { FeedLane($0, in: context, clock: clock) }
    self.clock = clock
  }

  /// Connects all targets.
  ///
  /// - Throws: ``UnreachableTarget`` for the first one that cannot be reached.
  package func open() async throws {
    for lane in lanes {
      do {
        try await lane.open()
      } catch {
        _ = await close()
        throw error
      }
    }
  }

  /// Sends the updates of a walk until they end or the task is canceled.
  package func follow(_ updates: LocationUpdates) async {
    var updates = updates.makeAsyncIterator()
    // The walk itself reports the errors of its track.
    while let update = try? await updates.next() {
      if let fix = update.location {
        send(.position(fix))
      } else if update.locationUnavailable {
        send(.unavailable(at: updates.moment?.time))
      } else if update.authorization?.isAuthorized == false {
        send(.denied)
      }
    }
  }

  /// Sends a signal; a denial only if the permission was not missing before.
  package func send(_ signal: FeedSignal) {
    let wasDenied = isDenied.exchange(signal == .denied, ordering: .relaxed)
    if wasDenied, signal == .denied { return }
    for lane in lanes { lane.put(signal) }
  }

  /// Lets the targets take what is left, disconnects them and returns their reports.
  package func close() async -> [FeedReport] {
    for lane in lanes { lane.finish() }
    // Runs in a separate task: interrupting the walk cancels the walk's task.
    let deadline = Task { [clock, lanes] in
      try await clock.sleep(for: Self.closingTime)
      for lane in lanes { lane.cancel() }
    }
    defer { deadline.cancel() }
    var reports: [FeedReport] = []
    for lane in lanes { reports.append(await lane.end()) }
    return reports
  }
}

/// A target that could not be reached before the walk.
package struct UnreachableTarget: Error {
  package let target: String
  package let error: any Error
}

/// The totals of a target.
package struct FeedReport: Hashable, Sendable {
  /// The target as it was typed.
  package var target: String
  /// Signals that were sent, whatever the answer.
  package var sent = 0
  /// Signals that the target said it took.
  package var confirmed = 0
  package var refused = 0
  /// The newest reason of a refusal or a lost connection.
  package var reason: String?
  /// Signals that a newer one replaced while the target was slow or away.
  package var replaced = 0
  /// The longest time from the moment of a signal to its answer.
  package var delay = Duration.zero

  /// Whether the target took nothing of what there was.
  package var isEmpty: Bool { sent == refused && sent + replaced > 0 }

  package init(target: String) {
    self.target = target
  }
}
