import FaketrackSupport
import Foundation
import Geodesy
import Locations
import Receivers

extension OutputFormat {
  /// A shell script that plays the walk in an Android emulator, a fix every second.
  package static let adb = OutputFormat(
    "adb",
    summary: """
      A shell script that plays the walk in an Android emulator at the
      recorded pace, a fix each second: sh walk.sh [emulator-5554].
      """,
    showsPhotos: false, distanceFilter: 0, interval: 1, repeatsLoss: true,
    frame: { _ in
      DocumentFrame(
        opening: #"""
          #!/bin/sh
          # Plays a walk in an Android emulator at the recorded pace.
          # usage: sh walk.sh [serial number]
          set -eu
          device=${1:-emulator-5554}
          send() { # fix <longitude> <latitude> <meters> <satellites> <knots>, or nmea <sentence>
            adb -s "$device" emu geo "$@"
          }
          play() { # <seconds until the next command> <argument> …
            sleep "$1" >/dev/null 2>&1 &
            shift
            send "$@"
            wait "$!"
          }

          """#)
    },
    recognizes: {
      $0.hasPrefix("#!/bin/sh\n# Plays a walk in an Android emulator at the recorded pace.")
    }
  ) { _ in ADBRenderer() }
}

private struct ADBRenderer: VisitRenderer {
  private var commands = EmulatorCommands()
  /// The last command and its time; it holds until the next.
  private var last: (command: String, time: Date?)?

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    finishLast(at: visit.fix.time, to: &text)
    last = (EmulatorCommands.fix(visit.fix), visit.fix.time)
  }

  mutating func append(_ event: WalkEvent, to text: inout TextBuffer) {
    guard event.change == .signalLost else { return }
    finishLast(at: event.time, to: &text)
    let loss = commands.lossSentences(at: event.time).map { "nmea '\($0)'" }
    for command in loss.dropLast() { text.append(contentsOf: "send \(command)\n") }
    last = loss.last.map { ($0, event.time) }
  }

  mutating func appendClosing(_ outcome: TrackOutcome?, to text: inout TextBuffer) {
    if let last { text.append(contentsOf: "send \(last.command)\n") }
  }

  private func finishLast(at time: Date?, to text: inout TextBuffer) {
    guard let last else { return }
    let seconds =
      if let start = last.time, let time { max(0, time.timeIntervalSince(start)) } else { 1.0 }
    text.append("play ")
    text.append(seconds, roundedTo: 3)
    text.append(contentsOf: " \(last.command)\n")
  }
}
