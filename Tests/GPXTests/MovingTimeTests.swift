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
    time.add(TrackLegs.Leg(length: 10, beginsLine: true))
    #expect(time.seconds == 10)
    time.add(TrackLegs.Leg(length: 1, beginsLine: true))
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

  @Test func legsWithoutTimesGoWithTheNext() {
    var time = MovingTime()
    time.add(TrackLegs.Leg(length: 10, duration: 10))
    for _ in 0..<3 { time.add(TrackLegs.Leg(length: 10, duration: 0, isUntimed: true)) }
    time.add(TrackLegs.Leg(length: 10, duration: 50))
    #expect(time.seconds == 60)
  }

  @Test func isUnknownIfTheClockStoodWhileMoving() {
    var time = MovingTime()
    time.add(TrackLegs.Leg(length: 2_600, duration: 0))
    time.add(TrackLegs.Leg(length: 10, duration: 2_340))
    #expect(time.seconds == nil)
  }

  @Test func isZeroForWhoNeverMoves() {
    var time = MovingTime()
    time.add(TrackLegs.Leg(length: 0, duration: 600))
    time.add(TrackLegs.Leg(length: 0, duration: 600, standstill: 600))
    #expect(time.seconds == 0)
  }
}
