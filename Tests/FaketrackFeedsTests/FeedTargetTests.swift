import Testing

@testable import FaketrackFeeds

@Suite struct FeedTargetTests {
  @Test(arguments: [
    "nmea:tcp:127.0.0.1:0", "nmea:tcp:[::1]:2000", "nmea:udp:localhost:2947", "nmea:pty",
    "chrome:127.0.0.1:9222/test,shim", "traccar:https://demo.example/?id=7",
    "android:5554", "android:5554:/a:b", "owntracks:http://127.0.0.1:8083/pub?u=me",
    "simulator:booted", "webdriver:ws://127.0.0.1:9515/session/a1",
    "webdriver:http://127.0.0.1:4444/wd/hub/session/a1",
  ])
  func aTargetIsNamedAsItWasTyped(text: String) throws {
    #expect(try FeedTarget.feed(text).name == text)
  }

  @Test func aPasswordIsNotShown() throws {
    #expect(
      try FeedTarget.feed("owntracks:http://me:secret@127.0.0.1:8083/pub").name
        == "owntracks:http://me:***@127.0.0.1:8083/pub")
  }

  @Test(arguments: [
    ("nmea:tcp:127.0.0.1", "nmea:tcp:HOST:PORT"), ("nmea:tcp:", "nmea:tcp:HOST:PORT"),
    ("nmea:tcp:::1:2000", "nmea:tcp:HOST:PORT"), ("nmea:tcp:host:65536", "nmea:tcp:HOST:PORT"),
    ("nmea:udp:host:0", "nmea:udp:HOST:PORT"), ("nmea:pty:1", "nmea:pty"),
    ("chrome:9222", "chrome:HOST:PORT[/URL-PART][,shim]"), ("traccar:host:5055", "traccar:URL"),
    ("traccar:ftp://host", "traccar:URL"), ("owntracks:host", "owntracks:URL"),
    ("android:0", "android:PORT[:TOKEN-FILE]"), ("android:5554:", "android:PORT[:TOKEN-FILE]"),
    ("simulator:", "simulator:UDID|booted"), ("simulator:--help", "simulator:UDID|booted"),
    ("webdriver:http://127.0.0.1:9515", "webdriver:URL"),
    ("webdriver:a/session/1", "webdriver:URL"),
  ])
  func anAddressOfAnotherFormIsNamedWithItsForm(text: String, form: String) {
    #expect(throws: FeedError.unusableAddress(text, form: form)) { try FeedTarget.feed(text) }
  }

  @Test(arguments: ["", "nmea", "firefox:127.0.0.1:1", "Chrome:host:1"])
  func anUnknownTargetIsNamed(text: String) throws {
    #expect(throws: FeedError.unknownTarget(text)) { try FeedTarget.feed(text) }
    #expect(FeedError.unknownTarget(text).reason == "unknown target '\(text)'")
    #expect(FeedError.unknownTarget(text).hint == "See faketrack help feeds.")
  }
}
