import FaketrackFeatures
import FaketrackTerminal
import FaketrackTestSupport
import Geodesy
import Locations
import Testing

@testable import FaketrackServices
@testable import PhotoSearch

/// The line for a share of a walk.
private struct ProgressLine {
  var share: Double?
  var style: TerminalStyle

  func text(for state: TrackingState, elapsed: Double, waiting: String? = nil) -> String {
    ReplayText.progress(state, share: share, elapsed: elapsed, waiting: waiting, style: style)
  }
}

@Suite struct ProgressLineTests {
  private static func state(walked: Double?, visits: [Visit] = []) throws -> TrackingState {
    var state = TrackingState()
    state.apply(.started(at: 0))
    if let walked {
      let place = try Coordinate(latitude: 52, longitude: 13)
      state.apply(
        .updated([.location(Fix(place, distance: walked))], city: visits.last?.city))
    }
    for visit in visits { state.apply(.visited([visit])) }
    return state
  }

  @Test func showsBarPercentageDistanceCityPhotosAndTimeLeft() throws {
    let state = try Self.state(walked: 2_500, visits: [try Visits.full()])
    let line = ProgressLine(share: 0.25, style: TerminalStyle()).text(for: state, elapsed: 60)
    #expect(line == "━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  25%  2.5 km  Potsdam  1 photo  3 min left")
  }

  @Test func aPartCountsFromItsFirstLocation() throws {
    var state = TrackingState()
    state.origin = nil
    let place = try Coordinate(latitude: 52, longitude: 13)
    for distance in [1_000.0, 1_100] {
      let fix = Fix(place, distance: distance)
      state.apply(.updated([.location(fix)]))
      state.apply(.visited([Visit(index: 0, fix: fix)]))
    }
    let line = ProgressLine(share: nil, style: TerminalStyle()).text(for: state, elapsed: 60)
    #expect(line == "100 m  0 photos")
    #expect(ReplayText.summary(of: state, skipped: 0) == "2 locations, 100 m")
  }

  @Test func aWalkOfUnknownLengthHasNoBar() throws {
    let line = ProgressLine(share: nil, style: TerminalStyle())
      .text(for: try Self.state(walked: 2_500), elapsed: 60)
    #expect(line == "2.5 km  0 photos")
  }

  @Test func beforeTheFirstLocationNothingIsWalked() throws {
    let line = ProgressLine(share: 0, style: TerminalStyle())
    let bar = String(repeating: "┄", count: 20)
    #expect(line.text(for: TrackingState(), elapsed: 0) == "\(bar)   0%  0 m  0 photos")
    #expect(
      line.text(for: try Self.state(walked: nil), elapsed: 9) == "\(bar)   0%  0 m  0 photos")
  }

  @Test(arguments: [
    (0.0, "┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄   0%"), (0.0499, "┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄   4%"),
    (0.05, "━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄   5%"), (0.9999, "━━━━━━━━━━━━━━━━━━━┄  99%"),
    (1, "━━━━━━━━━━━━━━━━━━━━ 100%"),
  ])
  func theBarShowsTheShare(share: Double, bar: String) throws {
    let line = ProgressLine(share: share, style: TerminalStyle())
      .text(for: try Self.state(walked: 2_500), elapsed: 0.5)
    #expect(line.hasPrefix(bar + "  "))
    #expect(!line.contains("left"))
  }

  @Test(
    arguments: [
      (0.5, nil), (1.5, "5 s left"), (60, "3 min left"), (3_600, "3 h 00 min left"),
    ] as [(Double, String?)])
  func theTimeLeftIsToldOnceItCanBeGuessed(elapsed: Double, left: String?) throws {
    let line = ProgressLine(share: 0.25, style: TerminalStyle())
      .text(for: try Self.state(walked: 2_500), elapsed: elapsed)
    #expect(line.hasSuffix(left.map { "  \($0)" } ?? "  0 photos"))
  }

  @Test func tellsWhatHoldsTheWalkUp() throws {
    let line = ProgressLine(share: 0.5, style: TerminalStyle())
    var state = try Self.state(walked: 5_000)
    #expect(line.text(for: state, elapsed: 60).hasSuffix("  1 min left"))
    state.apply(.updated([.unavailable]))
    #expect(line.text(for: state, elapsed: 60).hasSuffix("  no signal"))
    state.apply(.paused)
    #expect(line.text(for: state, elapsed: 60).hasSuffix("  paused"))
    #expect(
      line.text(for: state, elapsed: 60, waiting: "Flickr asks to wait (30 s)")
        .hasSuffix("  Flickr asks to wait (30 s)"))
    state.apply(.resumed)
    state.apply(
      .updated([.location(Fix(try Coordinate(latitude: 52, longitude: 13), distance: 7_500))]))
    #expect(
      ProgressLine(share: 0.75, style: TerminalStyle()).text(for: state, elapsed: 60)
        .hasSuffix("  20 s left"))
  }

  @Test func countsFailures() throws {
    var visit = try Visits.bare()
    visit.error = "HTTP 502"
    let state = try Self.state(walked: 100, visits: [visit, try Visits.full()])
    let line = ProgressLine(share: nil, style: TerminalStyle()).text(for: state, elapsed: 1)
    #expect(line == "100 m  Potsdam  1 photo  1 failed")
  }

  @Test func aNameCannotSteerTheTerminal() throws {
    let state = try Self.state(walked: 100, visits: [try Visits.hostile()])
    let line = ProgressLine(share: nil, style: TerminalStyle()).text(for: state, elapsed: 1)
    #expect(line == "100 m  Pots [2J,dam  1 photo")
  }

  @Test(arguments: [0, 1, 2, 10, 30, 60, 200])
  func staysWithinTheWidth(width: Int) throws {
    let line = ProgressLine(share: 0.25, style: TerminalStyle(width: width))
      .text(for: try Self.state(walked: 2_500, visits: [try Visits.full()]), elapsed: 60)
    #expect(line.columns <= max(1, width - 1))
  }
}

@Suite struct PhotoFailuresTextTests {
  @Test(
    arguments: [
      (0, 0, nil), (2, 0, "2 of 1,200 photo searches failed; the first: down"),
      (0, 1, "1 of 900 photo downloads failed; the first: down"),
      (2, 1, "2 of 1,200 photo searches and 1 of 900 photo downloads failed; the first: down"),
    ] as [(Int, Int, String?)])
  func saysHowManyAndWhy(searches: Int, downloads: Int, note: String?) {
    var failures = PhotoFailures()
    (failures.searches, failures.downloads) = (searches, downloads)
    failures.first = note.map { _ in "down" }
    let totals = TrackTotals(locations: 1_200, photos: 900)
    #expect(ReplayText.note(on: failures, of: totals) == note)
  }
}

@Suite struct ReplaySummaryTests {
  private static func counts(
    searches: Int = 0, failed: Int = 0, calls: Int = 0
  ) -> PhotoCounts {
    var counts = PhotoCounts()
    counts.searches = searches
    counts.failed = failed
    counts.calls = calls
    counts.remoteSearches = calls
    return counts
  }

  @Test func countsWhatWasDone() throws {
    var state = TrackingState()
    for index in 0..<3 { state.apply(.visited([try Visits.full(index * 10)])) }
    state.apply(.visited([try Visits.bare()]))
    var failed = try Visits.full(20)
    failed.photo = nil
    failed.error = "HTTP 502"
    state.apply(.visited([failed]))
    state.apply(.finished(Self.counts(searches: 6, failed: 1, calls: 2)))
    #expect(
      ReplayText.summary(of: state, skipped: 1)
        == "5 locations, 2.0 km, 3 photos, 1 without a photo, 1 failed search, "
        + "2 calls (4 saved), 1 point skipped")
  }

  @Test func manyOfEachAreInThePlural() throws {
    var state = TrackingState()
    for index in 0..<1_200 { state.apply(.visited([try Visits.full(index)])) }
    var failed = try Visits.bare()
    failed.error = "down"
    for _ in 0..<2 { state.apply(.visited([failed])) }
    for _ in 0..<1_500 { state.apply(.visited([try Visits.bare()])) }
    state.apply(.stopped(Self.counts(searches: 3_000, failed: 2, calls: 1)))
    #expect(
      ReplayText.summary(of: state, skipped: 2_000)
        == "2,702 locations, 0 m, 1,200 photos, 1,500 without a photo, 2 failed searches, "
        + "1 call (2,999 saved), 2,000 points skipped")
  }

  @Test func photosThatWereNotDownloadedAreNoFailedSearches() throws {
    var state = TrackingState()
    var lost = try Visits.full(1)
    lost.error = "the photo's server answered HTTP 404"
    for visit in [lost, lost, try Visits.full(2)] { state.apply(.visited([visit])) }
    state.apply(.finished(Self.counts(searches: 3, calls: 3)))
    #expect(
      ReplayText.summary(of: state, skipped: 0)
        == "3 locations, 200 m, 3 photos, 2 not downloaded, 3 calls (0 saved)")
  }

  @Test func withoutPhotosThereIsNothingToSayOfThem() throws {
    var state = TrackingState()
    #expect(ReplayText.summary(of: state, skipped: 0) == "0 locations, 0 m")
    state.apply(.visited([try Visits.full(1)]))
    state.apply(.finished(nil))
    #expect(ReplayText.summary(of: state, skipped: 0) == "1 location, 100 m")
  }

  @Test func locationsThatWereNotDoneDoNotCount() throws {
    var state = TrackingState()
    for index in 0..<3 {
      state.apply(.updated([.location(try Visits.full(index).fix)]))
    }
    state.apply(.visited([try Visits.full(1)]))
    #expect(ReplayText.summary(of: state, skipped: 0) == "1 location, 100 m")
  }
}

@Suite struct UnusableTimesTextTests {
  @Test func timesInOrderNeedNoWord() {
    #expect(ReplayText.note(on: UnusableTimes(), walkingSpeed: 1.3) == nil)
  }

  @Test(
    arguments: [
      (UnusableTimes(missing: 1), "1 point without a time"),
      (UnusableTimes(missing: 2_000), "2,000 points without a time"),
      (UnusableTimes(repeated: 1), "1 point with the time of the point before"),
    ])
  func saysWhatWasWrong(times: UnusableTimes, words: String) {
    #expect(ReplayText.note(on: times, walkingSpeed: 1.3) == "\(words): assuming 1.3 m/s")
  }

  @Test func saysAllThatWasWrongAndWhatWasDone() {
    let times = UnusableTimes(
      missing: 1, repeated: 2, outOfLine: 1_300, firstOutOfLine: 812, stepsBack: 2, leaps: 1,
      jumps: 1, longLegs: 3)
    #expect(
      ReplayText.note(on: times, walkingSpeed: 2)
        == "1 point without a time, 2 points with the time of the point before: "
        + "assuming 2.0 m/s; 1,300 times out of line, the first in line 812: left out; "
        + "2 steps back in time, 1 step of more than 366 days: "
        + "kept as recorded, not counted as time; "
        + "1 leg longer than 5 km, 3 legs of more than 6 h: not interpolated")
    #expect(
      ReplayText.note(on: UnusableTimes(jumps: 2), walkingSpeed: 2)
        == "2 legs longer than 5 km: not interpolated")
  }

  @Test func withoutAReplayMissingTimesAreNoProblem() {
    let times = UnusableTimes(missing: 1, repeated: 2, outOfLine: 1)
    #expect(
      ReplayText.note(on: times, walkingSpeed: nil) == "1 time out of line: left out")
  }
}

@Suite struct ServiceEventTextTests {
  private static func call(status: Int?, failure: String?, attempt: Int) -> ServiceEvent {
    .called(
      ServiceCall(
        service: "Flickr", url: "https://flickr.example/?lat=1\u{1B}[2J", attempt: attempt,
        duration: .milliseconds(123), status: status, failure: failure))
  }

  @Test(
    arguments: [
      (200, nil, 1, "HTTP 200, 0.123 s"), (nil, nil, 1, "done, 0.123 s"),
      (nil, "no answer in time", 2, "no answer in time, 0.123 s, attempt 2"),
      (502, "HTTP 502\nBad", 3, "HTTP 502 Bad, 0.123 s, attempt 3"),
    ] as [(Int?, String?, Int, String)])
  func tellsACallItsOutcomeAndItsTime(
    status: Int?, failure: String?, attempt: Int, outcome: String
  ) {
    let event = Self.call(status: status, failure: failure, attempt: attempt)
    #expect(
      ReplayText.line(for: event) == "call: Flickr https://flickr.example/?lat=1 [2J \(outcome)")
  }

  @Test(arguments: [
    (ServiceEvent.WaitCause.retry, "before another attempt"), (.retryAfter, "as the service asks"),
    (.budget, "as the budget of calls is used up"),
  ])
  func tellsWhatIsWaitedFor(cause: ServiceEvent.WaitCause, words: String) {
    let event = ServiceEvent.waiting(service: "Flickr", duration: .milliseconds(250), cause: cause)
    #expect(ReplayText.line(for: event) == "wait: Flickr 0.25 s \(words)")
  }
}
