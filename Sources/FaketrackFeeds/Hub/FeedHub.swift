import FaketrackSupport
import Geodesy
import Locations
import Synchronization

/// Sends one walk to many targets. Each has a ``FeedLane``, so no target waits for another, and the
/// walk waits for none unless it is to be taken as a whole.
package final class FeedHub: Sendable {
  /// The time that targets get to take the end of the walk, unless they keep all positions.
  private static let closingTime = Duration.seconds(3)
  /// The time between positions that are repeated.
  private static let repetitionTime = Duration.seconds(1)

  private let lanes: [FeedLane]
  private let clock: AnyClock
  private let note: @Sendable (String) -> Void
  private let isDenied = Atomic(false)
  private let lastPosition = Locked<Fix?>(nil)
  /// The number of signals that each target had missed when the walk was last waited for.
  private let missed: Locked<[Int]>
  /// Whether the walk waits for the targets, each of which then gets every signal.
  private let isAwaited: Bool

  package convenience init(_ feeds: [Feed], in context: FeedContext, clock: AnyClock) {
    self.init(
      feeds.map { FeedLane($0, in: context, clock: clock) }, isAwaited: context.isAwaited,
      clock: clock, note: context.note)
  }

  private init(
    _ lanes: [FeedLane], isAwaited: Bool, clock: AnyClock,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.lanes = lanes
    self.isAwaited = isAwaited
    self.clock = clock
    self.note = note
    missed = Locked(lanes.map { _ in 0 })
  }

  /// The target with this number, counted from 0, for a walk that goes to it alone; this hub opens, holds and
  /// closes it. `nil` for a number without a target.
  package func part(_ number: Int) -> FeedHub? {
    guard lanes.indices.contains(number) else { return nil }
    return FeedHub([lanes[number]], isAwaited: isAwaited, clock: clock, note: note)
  }

  /// Connects all targets.
  ///
  /// - Parameter wait: the time in which a target, and something that takes its positions, may come.
  /// - Throws: ``UnreachableTarget`` for the first one that cannot be reached.
  package func open(waiting wait: Duration = .zero) async throws {
    let failures = await withTaskGroup(of: (Int, UnreachableTarget?).self) { group in
      for (number, lane) in lanes.enumerated() {
        group.addTask {
          do throws(UnreachableTarget) {
            try await lane.open(waiting: wait)
            return (number, nil)
          } catch {
            return (number, error)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    guard let first = failures.keys.min(), let failure = failures[first] else { return }
    _ = await close()
    throw failure
  }

  /// Sends the updates of a walk until they end or the task is canceled.
  ///
  /// - Parameter speed: returns the speed of the replay.
  package func follow(_ updates: LocationUpdates, at speed: @Sendable () -> ReplaySpeed) async {
    var updates = updates.makeAsyncIterator()
    // The walk itself reports the errors of its track.
    while let update = try? await updates.next() {
      if let fix = update.location {
        send(.position(fix), at: speed())
      } else if update.locationUnavailable {
        send(.unavailable(at: updates.moment?.time))
      } else if update.authorization?.isAuthorized == false {
        send(.denied(at: updates.moment?.time))
      }
      if isAwaited { for lane in lanes { _ = await lane.settle() } }
    }
  }

  /// Waits until each target has taken what there is.
  ///
  /// - Returns: the first target that did not in this time, or that missed a signal of a walk which waits
  ///   for its targets, and the reason.
  package func settle(within time: Duration) async -> (target: String, reason: String)? {
    let deadline = clock.now + time
    var late: (target: String, reason: String)?
    for (number, lane) in lanes.enumerated() {
      while let reason = lane.absence {
        guard clock.now < deadline, (try? await clock.sleep(for: .milliseconds(2))) != nil else {
          late = late ?? (lane.report.target, reason)
          break
        }
      }
      let report = lane.report
      let (count, before) = missed.withLock { missed in
        defer { missed[number] = report.replaced + report.lost }
        return (report.replaced + report.lost, missed[number])
      }
      if isAwaited, count > before, late == nil {
        late = (report.target, "missed \(count - before) of it: \(report.reason ?? "it was away")")
      }
    }
    return late
  }

  /// The totals of the targets up to now.
  package var currentReports: [FeedReport] { lanes.map(\.report) }

  /// The position that was sent last.
  package var position: Fix? { lastPosition.withLock(\.self) }

  /// Sends a signal; a denial, if the permission was missing before, only to receivers, which go on to say
  /// that they have no position.
  package func send(_ signal: FeedSignal, at speed: ReplaySpeed = .realTime) {
    if case .position(let fix) = signal { lastPosition.withLock { $0 = fix } }
    let wasDenied = isDenied.exchange(signal.isDenial, ordering: .relaxed)
    for lane in lanes where !wasDenied || !signal.isDenial || lane.needsRepetition {
      lane.put(lane.tellsTime ? signal : signal.hastened(by: speed.multiple ?? 1))
    }
  }

  /// Keeps the last position for a time, or until the task is canceled; targets that need it get the position
  /// each second.
  package func hold(for time: Duration) async {
    var rest = time
    while rest > .zero {
      let pause = min(Self.repetitionTime, rest)
      guard (try? await clock.sleep(for: pause)) != nil else { return }
      for lane in lanes { lane.repeatPosition(after: pause) }
      rest -= pause
    }
  }

  /// Lets the targets take what is left, disconnects them and returns their reports.
  ///
  /// - Parameter drain: the time in which a target that keeps all positions gets those that are left.
  package func close(draining drain: Duration = .seconds(30)) async -> [FeedReport] {
    for lane in lanes { lane.finish() }
    // Run in separate tasks: interrupting the walk cancels the walk's task.
    let deadlines = lanes.map { lane in
      Task { [clock, note] in
        let time = lane.keepsPositions ? drain : Self.closingTime
        try await clock.sleep(for: min(time, Self.closingTime))
        if time > Self.closingTime {
          if let remainder = lane.remainder { note(remainder) }
          try await clock.sleep(for: time - Self.closingTime)
        }
        lane.cancel()
      }
    }
    defer { for deadline in deadlines { deadline.cancel() } }
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
  /// Signals that should have arrived, and could not be sent.
  package var lost = 0
  /// The longest time from the moment of a signal to its answer.
  package var delay = Duration.zero

  /// Whether the target took nothing of what there was.
  package var isEmpty: Bool { sent == refused && sent + replaced + lost > 0 }

  package init(target: String) {
    self.target = target
  }
}
