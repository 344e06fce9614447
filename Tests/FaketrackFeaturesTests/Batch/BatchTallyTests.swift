import Geodesy
import Locations
import Testing

@testable import FaketrackFeatures

@Suite struct BatchTallyTests {
  private static func failed(_ kind: Failure.Kind) -> TrackOutcome {
    TrackOutcome(failure: Failure(message: "down", kind: kind))
  }

  private static func tally(_ outcomes: TrackOutcome...) -> BatchTally {
    outcomes.reduce(into: BatchTally()) { $0.add($1) }
  }

  @Test func sumsWhatTheTracksHave() {
    let tally = Self.tally(
      TrackOutcome(
        TrackTotals(locations: 3, photos: 2, length: 200.5, skipped: 1), searches: 3,
        unusableTimes: UnusableTimes(
          missing: 1, repeated: 2, outOfLine: 3, firstOutOfLine: 7, stepsBack: 4, leaps: 5,
          jumps: 6, longLegs: 7)),
      TrackOutcome(
        TrackTotals(locations: 10, photos: 0, length: 900, skipped: 0),
        failure: Failure(message: "cut", kind: .unusableInput), searches: 10,
        unusableTimes: UnusableTimes(missing: 1, outOfLine: 1, firstOutOfLine: 3)))
    #expect(tally.tracks == 2)
    #expect(tally.failed == 1)
    #expect(tally.totals == TrackTotals(locations: 13, photos: 2, length: 1_100.5, skipped: 1))
    #expect(tally.searches == 13)
    #expect(
      tally.unusableTimes
        == UnusableTimes(
          missing: 2, repeated: 2, outOfLine: 4, stepsBack: 4, leaps: 5,
          jumps: 6, longLegs: 7))
  }

  @Test func theWholeFailsAsItsTracksDo() {
    let whole = TrackOutcome(TrackTotals(locations: 1, photos: 0, length: 0, skipped: 0))
    #expect(Self.tally().failureKind == nil)
    #expect(Self.tally(whole).failureKind == nil)
    #expect(Self.tally(whole, Self.failed(.failed)).failureKind == .unusableInput)
    #expect(Self.tally(whole, Self.failed(.wrongUsage)).failureKind == .unusableInput)
    #expect(Self.tally(Self.failed(.serviceUnavailable)).failureKind == .serviceUnavailable)
    #expect(Self.tally(Self.failed(.serviceUnavailable), whole).failureKind == .unusableInput)
    #expect(Self.tally(Self.failed(.permissionDenied)).failureKind == .permissionDenied)
    #expect(
      Self.tally(Self.failed(.permissionDenied), Self.failed(.serviceUnavailable)).failureKind
        == .unusableInput)
  }
}
