import FaketrackFeatures

/// The one line that a terminal shows of a walk under way.
package struct ProgressLine: Sendable {
  private let style: TerminalStyle
  /// Metres of the whole walk, if they are known.
  private let length: Double?

  package init(length: Double?, style: TerminalStyle) {
    self.length = length
    self.style = style
  }

  /// - Parameters:
  ///   - state: the walk now.
  ///   - elapsed: seconds since it began, by the user's clock.
  ///   - waiting: what is being waited for, such as a service that asked for a pause.
  package func text(for state: TrackingState, elapsed: Double, waiting: String? = nil) -> String {
    var parts: [String] = []
    let share = length.map { $0 > 0 ? min(1, state.distance / $0) : 1 }
    if let share {
      parts.append(bar(share) + " " + "\(Int(share * 100))%".padded(toColumns: 4, onLeft: true))
    }
    parts.append(Quantity.distance(state.distance))
    if let city = state.visits.last?.city?.city.name.safeForTerminal { parts.append(city) }
    parts.append(Quantity.count(state.photos, "photo"))
    if state.failures > 0 { parts.append("\(Quantity.grouped(state.failures)) failed") }
    if let waiting {
      parts.append(waiting)
    } else if state.phase == .paused {
      parts.append("paused")
    } else if !state.isAvailable {
      parts.append("no signal")
    } else if let share, share > 0.01, elapsed > 1 {
      parts.append("\(Quantity.duration(elapsed * (1 - share) / share)) left")
    }
    let line = parts.joined(separator: "  ")
    return style.width.map { line.truncated(toColumns: max(1, $0 - 1)) } ?? line
  }

  private func bar(_ share: Double) -> String {
    let width = 20
    let full = Int((share * Double(width)).rounded(.down))
    return String(repeating: "━", count: full) + String(repeating: "┄", count: width - full)
  }
}
