import FaketrackSupport
import Foundation
import Geodesy
import Locations
import Receivers

extension OutputFormat {
  /// A shell script that plays the walk in the iOS simulator at the recorded pace.
  package static let simctl = OutputFormat(
    "simctl",
    summary: """
      A shell script that plays the walk in the iOS simulator at the
      recorded pace, in stretches of equal speed: sh walk.sh [UDID].
      A lost signal clears the location.
      """,
    showsPhotos: false, distanceFilter: 0, interval: 1, repeatsLoss: true,
    frame: { _ in
      DocumentFrame(
        opening: #"""
          #!/bin/sh
          # Plays a walk in the iOS simulator at the recorded pace.
          # usage: sh walk.sh [UDID|booted]
          set -eu
          device=${1:-booted}
          play() { # <seconds until the next command> <argument> …
            sleep "$1" >/dev/null 2>&1 &
            shift
            xcrun simctl location "$device" "$@"
            wait "$!"
          }

          """#)
    },
    recognizes: {
      $0.hasPrefix("#!/bin/sh\n# Plays a walk in the iOS simulator at the recorded pace.")
    }
  ) { _ in SimctlRenderer() }
}

/// Writes a command for each stretch of equal speed, which the simulator walks alone.
private struct SimctlRenderer: VisitRenderer {
  /// The difference of speeds within a stretch, in meters per second.
  private static let tolerance = 0.05
  /// The lowest speed, in meters per second.
  private static let slowest = 0.005
  private static let longestStretch = 300

  /// The waypoints of the stretch: one to stay there, none without a signal.
  private var points: [Coordinate] = []
  /// Whether the first point, or the loss, is in no command yet.
  private var isNew = false
  private var isLost: Bool { isNew && points.isEmpty }
  private var seconds = 0.0
  private var meters = 0.0
  private var time: Date?
  private var segment = 0

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    let fix = visit.fix
    let seconds = seconds(until: fix.time)
    defer { segment = fix.segment }
    let meters = points.last.map { $0.distance(to: fix.coordinate) } ?? .infinity
    guard segment == fix.segment, meters <= UnusableTimes.jump else {
      stay(for: seconds, to: &text)
      return begin([fix.coordinate], to: &text)
    }
    if meters <= Self.slowest * seconds { return stay(for: seconds, to: &text) }
    guard seconds > 0 else { return begin([fix.coordinate], to: &text) }
    let isSteady =
      points.count == 1
      ? self.seconds == 0
      : points.count < Self.longestStretch
        && abs(self.meters / self.seconds - meters / seconds) <= Self.tolerance
    if !isSteady { flush(to: &text) }
    points.append(fix.coordinate)
    self.seconds += seconds
    self.meters += meters
  }

  mutating func append(_ event: WalkEvent, to text: inout TextBuffer) {
    guard event.change == .signalLost else { return }
    stay(for: seconds(until: event.time), to: &text)
    if !isLost { begin([], to: &text) }
  }

  mutating func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer) {
    flush(to: &text)
  }

  /// The time since the fix before; one second if a time is not known.
  private mutating func seconds(until newTime: Date?) -> Double {
    defer { time = newTime ?? time }
    guard isNew || !points.isEmpty else { return 0 }
    guard let time, let newTime else { return 1 }
    return max(0, newTime.timeIntervalSince(time))
  }

  private mutating func stay(for seconds: Double, to text: inout TextBuffer) {
    if points.count > 1, seconds > 0 { flush(to: &text) }
    self.seconds += seconds
  }

  private mutating func begin(_ points: [Coordinate], to text: inout TextBuffer) {
    flush(to: &text)
    self.points = points
    isNew = true
  }

  /// Writes the command of the stretch; the next one begins at its end.
  private mutating func flush(to text: inout TextBuffer) {
    if isNew || seconds > 0 {
      let command = SimulatorCommand(along: points, speed: meters / seconds)
      text.append("play ")
      text.append(seconds, roundedTo: 3)
      command.appendArguments(to: &text)
      if command.hasInput {
        text.append(" <<EOF\n")
        command.appendInput(to: &text)
        text.append("EOF\n")
      } else {
        text.append("\n")
      }
    }
    points = Array(points.suffix(1))
    (isNew, seconds, meters) = (false, 0, 0)
  }
}
