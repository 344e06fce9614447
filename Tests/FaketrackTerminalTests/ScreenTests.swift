import Cities
import FaketrackFeatures
@testable import FaketrackServices
import FaketrackTerminal
import Geodesy
import Locations
@testable import PhotoSearch
import Testing

@Suite struct ProgressLineTests {
  private static func state(walked: Double, visits: [Visit] = []) throws -> TrackingState {
    var state = TrackingState()
    state.apply(.started)
    var fix = Fix(try Coordinate(latitude: 52, longitude: 13))
    fix.distance = walked
    state.apply(.updated(.fix(fix)))
    for visit in visits { state.apply(.visited(visit)) }
    return state
  }

  @Test func showsBarShareDistanceCityPhotosAndTimeLeft() throws {
    let state = try Self.state(walked: 2_500, visits: [try Visits.full()])
    let line = ProgressLine(length: 10_000, style: TerminalStyle()).text(for: state, elapsed: 60)
    #expect(line == "━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  25%  2.5 km  Potsdam  1 photo  3 min left")
  }

  @Test func aWalkOfUnknownLengthHasNoBar() throws {
    let line = ProgressLine(length: nil, style: TerminalStyle())
      .text(for: try Self.state(walked: 2_500), elapsed: 60)
    #expect(line == "2.5 km  0 photos")
  }

  @Test(arguments: [(0.0, "  0%"), (9_999, " 99%"), (10_000, "100%"), (10_500, "100%")])
  func theShareIsNeverTooLarge(walked: Double, share: String) throws {
    let line = ProgressLine(length: 10_000, style: TerminalStyle())
      .text(for: try Self.state(walked: walked), elapsed: 0.5)
    #expect(line.contains(" \(share) "))
    #expect(!line.contains("left"))
  }

  @Test func aTrackWithoutLengthIsDone() throws {
    let line = ProgressLine(length: 0, style: TerminalStyle())
      .text(for: try Self.state(walked: 0), elapsed: 5)
    #expect(line.contains("100%"))
  }

  @Test func tellsWhatHoldsTheWalkUp() throws {
    let line = ProgressLine(length: 10_000, style: TerminalStyle())
    var state = try Self.state(walked: 5_000)
    #expect(
      line.text(for: state, elapsed: 60, waiting: "Flickr asks to wait (30 s)")
        .hasSuffix("  Flickr asks to wait (30 s)"))
    state.apply(.updated(.unavailable))
    #expect(line.text(for: state, elapsed: 60).hasSuffix("  no signal"))
    state.apply(.paused)
    #expect(line.text(for: state, elapsed: 60).hasSuffix("  paused"))
  }

  @Test func countsFailures() throws {
    var visit = try Visits.bare()
    visit.error = "HTTP 502"
    let state = try Self.state(walked: 100, visits: [visit, try Visits.full()])
    let line = ProgressLine(length: nil, style: TerminalStyle()).text(for: state, elapsed: 1)
    #expect(line == "100 m  Potsdam  1 photo  1 failed")
  }

  @Test(arguments: [1, 2, 10, 30, 60])
  func staysWithinTheWidth(width: Int) throws {
    let line = ProgressLine(length: 10_000, style: TerminalStyle(width: width))
      .text(for: try Self.state(walked: 2_500, visits: [try Visits.full()]), elapsed: 60)
    #expect(line.columns <= max(1, width - 1))
  }
}

@Suite struct ReplaySummaryTests {
  @Test func countsWhatWasDone() throws {
    var state = TrackingState()
    for index in 0..<3 { state.apply(.visited(try Visits.full(index * 10))) }
    state.apply(.visited(try Visits.bare()))
    var failed = try Visits.full(20)
    failed.photo = nil
    failed.error = "HTTP 502"
    state.apply(.visited(failed))
    var counts = PhotoCounts()
    counts.searches = 6
    counts.failed = 1
    counts.calls = 2
    #expect(
      ReplaySummary.text(for: state, counts: counts, skipped: 1)
        == "5 locations, 2.0 km, 3 photos, 1 without a photo, 1 failed search, "
        + "2 calls (4 saved), 1 point skipped")
  }

  @Test func withoutPhotosThereIsNothingToSayOfThem() throws {
    var state = TrackingState()
    state.apply(.visited(try Visits.full(1)))
    #expect(ReplaySummary.text(for: state, counts: nil, skipped: 0) == "1 location, 100 m")
    #expect(
      ReplaySummary.text(for: TrackingState(), counts: nil, skipped: 0) == "0 locations, 0 m")
  }

  @Test func locationsThatWereNotDoneDoNotCount() throws {
    var state = TrackingState()
    for index in 0..<3 {
      state.apply(.updated(.fix(try Visits.full(index).fix)))
    }
    state.apply(.visited(try Visits.full(1)))
    #expect(ReplaySummary.text(for: state, counts: nil, skipped: 0) == "1 location, 100 m")
  }
}

@Suite struct TimeFaultsTextTests {
  @Test func timesInOrderNeedNoWord() {
    #expect(TimeFaultsText.note(TimeFaults(), walkingSpeed: 1.3) == nil)
  }

  @Test func saysWhatWasWrongAndWhatWasDone() {
    var faults = TimeFaults()
    faults.missing = 1
    faults.repeated = 2
    faults.backward = 1_300
    faults.jumps = 1
    #expect(
      TimeFaultsText.note(faults, walkingSpeed: 1.3)
        == "1 point without a time, 2 points at the time of the one before, "
        + "1,300 points before the one before, 1 point more than 6 h after the one before: "
        + "walked to at 1.3 m/s")
  }
}

@Suite struct ServiceEventTextTests {
  private static func call(status: Int?, failure: String?, attempt: Int) -> ServiceEvent {
    .called(
      ServiceCall(
        service: "Flickr", url: "https://flickr.example/?lat=1\u{1B}[2J", attempt: attempt,
        duration: .milliseconds(123), status: status, failure: failure))
  }

  @Test func tellsACallItsOutcomeAndItsTime() {
    #expect(
      ServiceEventText.line(Self.call(status: 200, failure: nil, attempt: 1))
        == "call: Flickr https://flickr.example/?lat=1 [2J HTTP 200, 0.123 s")
    #expect(
      ServiceEventText.line(Self.call(status: 502, failure: "HTTP 502\nBad", attempt: 3))
        .hasSuffix(" HTTP 502 Bad, 0.123 s, attempt 3"))
  }

  @Test(arguments: [
    (ServiceEvent.WaitCause.retry, "before another attempt"), (.retryAfter, "as the service asks"),
    (.budget, "as the budget of calls is used up"),
  ])
  func tellsWhatIsWaitedFor(cause: ServiceEvent.WaitCause, words: String) {
    let event = ServiceEvent.waiting(service: "Flickr", duration: .milliseconds(250), cause: cause)
    #expect(ServiceEventText.line(event) == "wait: Flickr 0.25 s \(words)")
  }
}
