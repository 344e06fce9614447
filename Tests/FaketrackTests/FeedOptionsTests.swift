import ArgumentParser
import Receivers
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
    (["walk.gpx", "--feed", "nmea:tcp:1"], "does not have the form nmea:tcp:HOST:PORT"),
    (["walk.gpx", "--feed", "firefox"], "unknown target 'firefox'"),
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

  @Test(arguments: [
    (
      ["gpsd://host/path"],
      "A receiver is named as gpsd://host[:port], nmea://host:port or nmea:///dev/ttyUSB0."
    ),
    (["gpsd://host:99999", "walk.gpx"], "A receiver is named as"),
    (["gpsd://", "--speed", "2"], "A receiver is live"),
    (["gpsd://", "--noise", "5"], "A receiver is live"),
  ])
  func screensTakeWholeAddressesAndNoSimulation(arguments: [String], message: String) throws {
    #expect {
      try ServeCommand.parse(arguments)
    } throws: { error in
      ServeCommand.message(for: error).contains(message)
    }
    #expect(throws: (any Error).self) { try AppCommand.parse(arguments) }
    _ = try ServeCommand.parse(["gpsd://[::1]:2948"])
    _ = try AppCommand.parse(["gpsd://host", "walk.gpx", "--speed", "2", "--noise", "5"])
  }

  @Test(arguments: [
    ("gpsd://", "gpsd://127.0.0.1:2947"), ("gpsd://host", "gpsd://host:2947"),
    ("gpsd://[::1]:2948/", "gpsd://[::1]:2948"),
  ])
  func aReceiverIsShownWithItsWholeAddress(typed: String, shown: String) {
    #expect(ReceiverAddress(typed)?.text == shown)
  }
}
