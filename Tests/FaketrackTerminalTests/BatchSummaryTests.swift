import FaketrackFeatures
import FaketrackTerminal
import Testing

@Suite struct BatchSummaryTests {
  /// The tally of as many tracks, some of which failed.
  private static func tally(_ count: Int, failed: Int = 0, skipped: Int = 0) -> BatchTally {
    var tally = BatchTally()
    for number in 0..<count {
      tally.add(
        TrackOutcome(
          TrackTotals(locations: 10, photos: 9, length: 1_000, skipped: number == 0 ? skipped : 0),
          failure: number < failed ? Failure(message: "cut") : nil, searches: 10))
    }
    return tally
  }

  @Test func theSummaryTellsWhatCameOfAll() {
    #expect(
      ReplayText.summary(
        of: Self.tally(1_200, failed: 2, skipped: 3), leftOut: 40, calls: 2_500,
        remoteSearches: 2_000)
          == """
          1,200 tracks, 40 left out, 2 failed, 12,000 locations, 1200.0 km, 10,800 photos, \
          2,500 calls (10,000 saved), 3 points skipped
          """)
    #expect(
      ReplayText.summary(of: Self.tally(1), leftOut: 0, calls: nil)
        == "1 track, 10 locations, 1.0 km")
    #expect(
      ReplayText.summary(of: Self.tally(1), leftOut: 0, brokenOff: 7, calls: nil)
        == "1 track, 10 locations, 1.0 km, 7 locations of a track that broke off")
  }

  private func line(
    _ tally: BatchTally, leftOut: Int = 0, of total: Int? = 40, elapsed: Double = 20,
    waiting: String? = nil, width: Int? = nil
  ) -> String {
    ReplayText.progress(
      tally, leftOut: leftOut, of: total, elapsed: elapsed, waiting: waiting,
      style: TerminalStyle(width: width))
  }

  @Test func theLineTellsHowManyAreDoneAndHowLongTheRestTakes() {
    #expect(
      line(Self.tally(10, failed: 1))
        == "━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  10 of 40 tracks  1 failed  90 photos  1 min left")
    // What was left out took no time.
    #expect(
      line(Self.tally(10), leftOut: 20)
        == "━━━━━━━━━━━━━━━┄┄┄┄┄  30 of 40 tracks  90 photos  20 s left")
    #expect(line(Self.tally(10), of: nil) == "10 tracks  90 photos")
    #expect(line(Self.tally(0)) == "┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄  0 of 40 tracks")
    #expect(line(Self.tally(1), of: 1).hasPrefix("━━━━━━━━━━━━━━━━━━━━  1 of 1 track"))
  }

  @Test func aWaitIsTold() {
    #expect(
      line(Self.tally(10), of: nil, waiting: "Flickr asks to wait (30 s)")
        == "10 tracks  90 photos  Flickr asks to wait (30 s)")
  }

  @Test func theLineFits() {
    #expect(line(Self.tally(10), width: 30).count == 29)
  }
}
