import ArgumentParser
import Testing

@testable import faketrack

@Suite struct FeedOptionsTests {
  @Test func withTargetsAWalkHasItsRecordedPace() throws {
    #expect(try ReplayCommand.parse(["walk.gpx"]).speed == .max)
    #expect(try ReplayCommand.parse(["walk.gpx", "--feed", "nmea:pty"]).speed == .realTime)
    let fast = try ReplayCommand.parse(["walk.gpx", "--feed", "nmea:pty", "--speed", "10"])
    #expect(fast.speed.multiple == 10)
  }

  @Test(arguments: [
    (["walk.gpx", "--feed", "nmea:pty", "--feed", "nmea:pty"], "--feed names nmea:pty twice."),
    (["walk.gpx", "--feed", "nmea:tcp:1"], "does not have the form nmea:tcp:HOST:PORT."),
    (["walk.gpx", "--feed", "firefox"], "is not a target. Targets are chrome:"),
    (["walk.gpx", "--feed", "nmea:pty", "--speed", "max"], "--feed needs a pace"),
    (["gpsd://", "--speed", "2"], "A receiver is live"),
    (["gpsd://", "walk.gpx"], "A receiver is named alone"),
    (["gpsd://host/path"], "A receiver is named alone"),
  ])
  func whatDoesNotFitIsRefused(arguments: [String], message: String) {
    #expect {
      try ReplayCommand.parse(arguments)
    } throws: { error in
      ReplayCommand.message(for: error).contains(message)
    }
  }
}
