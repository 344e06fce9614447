import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import Testing

@testable import FaketrackFeatures

/// The formats simctl and adb, without the functions at their beginning.
@Suite struct ScriptFormatTests {
  /// A visit some meters north of the start.
  private func visit(
    _ meters: Double, at seconds: Double?, segment: Int = 0
  ) throws -> Visit {
    let start = try Coordinate(latitude: -33.5, longitude: -70.25)
    return Visit(
      index: 0,
      fix: Fix(
        start.destination(distance: meters, bearing: 0),
        time: seconds.map { Visits.start.addingTimeInterval($0) }, segment: segment))
  }

  private func text(_ format: OutputFormat, _ steps: [Step]) -> String {
    var renderer = format.renderer(nil)
    var text = TextBuffer()
    renderer.appendOpening(to: &text)
    for step in steps {
      switch step {
      case .visit(let visit): renderer.append(visit, to: &text)
      case .event(let change, let seconds):
        let time = Visits.start.addingTimeInterval(seconds)
        renderer.append(WalkEvent(change: change, time: time), to: &text)
      }
    }
    renderer.appendClosing(nil, to: &text)
    return text.string
  }

  private enum Step {
    case visit(Visit)
    case event(WalkEvent.Change, at: Double)
  }

  @Test func stepsOfEqualSpeedAreOneStretch() throws {
    let steps = try [(0, 0), (2, 1), (4, 2), (9, 3), (14, 4.5)].map { meters, seconds in
      Step.visit(try visit(meters, at: seconds))
    }
    #expect(
      text(.simctl, steps) == """
        play 2.0 start --speed=2.00 - <<EOF
        -33.5000000,-70.2500000
        -33.4999820,-70.2500000
        -33.4999639,-70.2500000
        EOF
        play 1.0 start --speed=5.00 - <<EOF
        -33.4999639,-70.2500000
        -33.4999189,-70.2500000
        EOF
        play 1.5 start --speed=3.33 - <<EOF
        -33.4999189,-70.2500000
        -33.4998738,-70.2500000
        EOF

        """)
  }

  @Test func stopsGapsAndLossesTakeTheirTime() throws {
    let steps: [Step] = [
      .visit(try visit(0, at: 0)), .visit(try visit(0, at: 1)), .visit(try visit(0, at: 2)),
      .visit(try visit(2, at: 3)), .visit(try visit(2, at: 5)),
      .visit(try visit(900, at: 60, segment: 1)), .event(.signalLost, at: 61),
      .visit(try visit(950, at: 91, segment: 1)), .event(.authorized, at: 92),
    ]
    #expect(
      text(.simctl, steps) == """
        play 2.0 set -33.5000000,-70.2500000
        play 1.0 start --speed=2.00 - <<EOF
        -33.5000000,-70.2500000
        -33.4999820,-70.2500000
        EOF
        play 57.0 set -33.4999820,-70.2500000
        play 1.0 set -33.4918856,-70.2500000
        play 30.0 clear
        play 0.0 set -33.4914348,-70.2500000

        """)
  }

  @Test func noStretchLeadsThroughALossOrAJump() throws {
    let steps: [Step] = [
      .visit(try visit(0, at: 0)), .visit(try visit(2, at: 1)), .event(.signalLost, at: 2),
      .event(.signalLost, at: 3), .event(.signalLost, at: 4), .visit(try visit(10, at: 5)),
      .visit(try visit(12, at: 6)), .visit(try visit(6_012, at: 36)),
      .visit(try visit(6_014, at: 37)),
    ]
    #expect(
      text(.simctl, steps) == """
        play 1.0 start --speed=2.00 - <<EOF
        -33.5000000,-70.2500000
        -33.4999820,-70.2500000
        EOF
        play 1.0 set -33.4999820,-70.2500000
        play 3.0 clear
        play 1.0 start --speed=2.00 - <<EOF
        -33.4999098,-70.2500000
        -33.4998918,-70.2500000
        EOF
        play 30.0 set -33.4998918,-70.2500000
        play 1.0 start --speed=2.00 - <<EOF
        -33.4457953,-70.2500000
        -33.4457773,-70.2500000
        EOF

        """)
    #expect(OutputFormat.simctl.repeatsLoss)
  }

  @Test func aLongStretchIsInPieces() throws {
    let steps = try (0..<1_000).map { Step.visit(try visit(Double($0), at: Double($0))) }
    let pieces = text(.simctl, steps).split(separator: "play ")
    #expect(pieces.count == 4)
    let seconds = pieces.compactMap { Double($0.prefix { $0 != " " }) }
    #expect(seconds.reduce(0, +) == 999)
  }

  @Test func anUnknownTimeIsASecond() throws {
    let steps = try [0, 2, 4].map { Step.visit(try visit($0, at: nil)) }
    #expect(text(.simctl, steps).hasPrefix("play 2.0 start --speed=2.00 - <<EOF\n"))
    #expect(
      text(.adb, steps).split(separator: "\n").map { $0.prefix(8) } == [
        "play 1.0", "play 1.0", "send fix",
      ])
  }

  @Test func anEmulatorGetsEachFixAndTheLossOfTheSignal() throws {
    let full = try Visits.full(0)
    var later = try Visits.full(0)
    later.fix.time = Visits.start.addingTimeInterval(31.5)
    let steps: [Step] = [.visit(full), .event(.signalLost, at: 1), .visit(later)]
    #expect(
      text(.adb, steps) == """
        play 1.0 fix 13.0591000 52.4009000 35.2 4 2.55
        send nmea '$GPRMC,080001.00,V,,,,,,,010526,,,N*74'
        send nmea '$GPVTG,,T,,M,,N,,K,N*2C'
        send nmea '$GPGSA,A,1,,,,,,,,,,,,,,,*1E'
        play 30.5 nmea '$GPGGA,080001.00,,,,,0,00,,,M,,M,,*41'
        send fix 13.0591000 52.4009000 35.2 4 2.55

        """)
    #expect(OutputFormat.adb.repeatsLoss)
  }
}
