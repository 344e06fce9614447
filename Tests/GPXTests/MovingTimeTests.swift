import Testing

@testable import GPX

@Suite struct MovingTimeTests {
  private func seconds(_ legs: [(length: Double, duration: Double?)]) -> Double? {
    var time = MovingTime()
    for leg in legs { time.add(TrackLegs.Leg(length: leg.length, duration: leg.duration)) }
    return time.seconds
  }

  @Test(
    arguments: [
      ([(10, 10)], 10), ([(10, 10), (20, 30)], 40),
      // 10 m in 100 s contain a pause; at the pace of the other leg they take 10 s.
      ([(10, 10), (10, 100)], 20), ([(20, 10), (10, 100), (10, 1_000)], 20),
      // Exactly 0.3 m/s is movement.
      ([(3, 10)], 10), ([(2.99, 10)], 0), ([(10, 10), (10, nil)], 10), ([(0, 0), (10, 5)], 5),
    ] as [([(length: Double, duration: Double?)], Double)])
  func countsThePaceOfLegsWithoutAPause(
    legs: [(length: Double, duration: Double?)], expected: Double
  ) throws {
    #expect(abs(try #require(seconds(legs)) - expected) < 1e-9)
    #expect(abs(try #require(seconds(legs.reversed())) - expected) < 1e-9)
  }

  @Test(
    arguments: [
      [], [(10, nil)], [(0, 0)], [(10, 0)], [(10, nil), (10, nil)],
    ] as [[(length: Double, duration: Double?)]])
  func isUnknownWithoutTimes(legs: [(length: Double, duration: Double?)]) {
    #expect(seconds(legs) == nil)
  }

  @Test func isUnknownIfMostTimesCannotBeUsed() {
    var time = MovingTime()
    time.add(TrackLegs.Leg(length: 10, duration: 10))
    time.add(TrackLegs.Leg(length: 10, hasDisorder: true))
    #expect(time.seconds == 10)
    time.add(TrackLegs.Leg(length: 1, hasDisorder: true))
    #expect(time.seconds == nil)
  }

  @Test func leavesAStandstillOut() {
    var time = MovingTime()
    time.add(TrackLegs.Leg(length: 10, duration: 30, standstill: 20))
    #expect(time.seconds == 10)
    // A leg of nothing else takes the time of its meters at the pace of the others.
    time.add(TrackLegs.Leg(length: 2, duration: 30, standstill: 30))
    #expect(time.seconds == 12)
  }

  @Test func countsATimeOnce() {
    var time = MovingTime()
    time.add(TrackLegs.Leg(length: 10, duration: 10))
    time.add(TrackLegs.Leg(length: 20, duration: 10, repeated: 5))
    #expect(time.seconds == 15)
    // 20 m at this pace take 15 s; of the pause, a quarter is new.
    time.add(TrackLegs.Leg(length: 20, duration: 400, repeated: 300))
    #expect(time.seconds == 18.75)
    time.add(TrackLegs.Leg(length: 20, duration: 10, repeated: 10))
    #expect(time.seconds == 18.75)
    time.add(TrackLegs.Leg(length: 20, duration: 100, standstill: 90, repeatedStandstill: 90))
    #expect(time.seconds == 28.125)
  }

  @Test func isZeroForWhoNeverMoves() {
    var time = MovingTime()
    time.add(TrackLegs.Leg(length: 0, duration: 600))
    time.add(TrackLegs.Leg(length: 0, duration: 600, standstill: 600))
    #expect(time.seconds == 0)
  }
}
