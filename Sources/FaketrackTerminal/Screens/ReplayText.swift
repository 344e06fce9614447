import FaketrackFeatures
import FaketrackServices
import FaketrackSupport
import Locations
import PhotoSearch

/// The line that a terminal shows during a walk.
package struct ProgressLine: Sendable {
  private let style: TerminalStyle
  /// The share of the walk that is done, 0 ... 1, if it is known.
  private let share: Double?

  package init(share: Double?, style: TerminalStyle) {
    self.share = share
    self.style = style
  }

  /// - Parameters:
  ///   - state: the walk now.
  ///   - elapsed: seconds since it began, by the user's clock.
  ///   - waiting: the reason why the walk waits, such as a service that asked for a pause.
  package func text(for state: TrackingState, elapsed: Double, waiting: String? = nil) -> String {
    var columns: [String] = []
    if let share {
      let percent = DecimalText.fixed((share * 100).rounded(.down), places: 0)
      columns.append(Self.bar(share) + " " + "\(percent)%".padded(toColumns: 4, onLeft: true))
    }
    columns.append(Quantity.distance(state.distance))
    if let city = state.city?.city.name.safeForTerminal { columns.append(city) }
    columns.append(Quantity.count(state.found, "photo"))
    if state.failures > 0 { columns.append("\(Quantity.grouped(state.failures)) failed") }
    if let waiting {
      columns.append(waiting)
    } else if state.phase == .paused {
      columns.append("paused")
    } else if !state.isAvailable {
      columns.append("no signal")
    } else if let share, share > 0.01, elapsed > 1 {
      columns.append("\(Quantity.duration(elapsed * (1 - share) / share)) left")
    }
    return style.fitted(columns.joined(separator: "  "))
  }

  /// A bar filled to this share, 0 ... 1.
  static func bar(_ share: Double) -> String {
    let width = 20
    let full = Int((share * Double(width)).rounded(.down))
    return String(repeating: "━", count: full) + String(repeating: "┄", count: width - full)
  }
}

/// Messages about a replay.
package enum ReplayText {
  /// The result of a replay.
  ///
  /// - Parameters:
  ///   - state: the walk at its end.
  ///   - skipped: points of the file that could not be used.
  package static func summary(of state: TrackingState, skipped: Int) -> String {
    var facts = [
      Quantity.count(state.searched, "location"),
      Quantity.distance(state.lastVisit?.fix.distance ?? 0),
    ]
    if let counts = state.searches {
      facts.append(Quantity.count(state.found, "photo"))
      // A photo that was found and could not be downloaded is a failure too.
      let lost = state.failedDownloads
      let failed = state.failures - lost
      let missing = state.searched - state.found - failed
      if missing > 0 { facts.append("\(Quantity.grouped(missing)) without a photo") }
      if lost > 0 { facts.append("\(Quantity.grouped(lost)) not downloaded") }
      if failed > 0 {
        facts.append(Quantity.count(failed, "failed search", plural: "failed searches"))
      }
      facts.append(
        "\(Quantity.count(counts.calls, "call")) (\(Quantity.grouped(counts.saved)) saved)")
    }
    if skipped > 0 { facts.append("\(Quantity.count(skipped, "point")) skipped") }
    return facts.joined(separator: ", ")
  }

  /// The problems with the times of a track; `nil` when every time could be used.
  package static func note(on times: UnusableTimes, walkingSpeed: Double) -> String? {
    let facts = [
      (times.missing, "without a time"), (times.repeated, "with the time of the point before"),
      (times.backward, "earlier than the point before"),
      (times.jumps, "more than 6 h after the point before"),
    ].filter { $0.0 > 0 }.map { "\(Quantity.count($0.0, "point")) \($0.1)" }
    if facts.isEmpty { return nil }
    return "\(facts.joined(separator: ", ")): walked to at \(walkingSpeed) m/s"
  }

  /// An event of a service client.
  package static func line(for event: ServiceEvent) -> String {
    switch event {
    case .called(let call):
      let outcome = call.failure ?? call.status.map { "HTTP \($0)" } ?? "done"
      let attempt = call.attempt > 1 ? ", attempt \(call.attempt)" : ""
      let time = DecimalText.fixed(call.duration / .seconds(1), places: 3)
      return "call: \(call.service) \(call.url) \(outcome), \(time) s\(attempt)".safeForTerminal
    case .waiting(let service, let duration, let cause):
      let reason =
        switch cause {
        case .retry: "before another attempt"
        case .retryAfter: "as the service asks"
        case .budget: "as the budget of calls is used up"
        }
      let time = DecimalText.fixed(duration / .seconds(1), places: 2)
      return "wait: \(service) \(time) s \(reason)"
    }
  }
}
