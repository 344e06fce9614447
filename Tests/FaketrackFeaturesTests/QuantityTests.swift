import FaketrackFeatures
import FaketrackSupport
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [
    (0.0, "0 m"), (0.4, "0 m"), (99.5, "100 m"), (999.4, "999 m"), (999.5, "1.0 km"),
    (1_250, "1.3 km"), (9_390.8, "9.4 km"), (12_345_678, "12345.7 km"),
  ])
  func wordsDistances(meters: Double, text: String) {
    #expect(Quantity.distance(meters) == text)
  }

  @Test(arguments: [
    (0.0, "0 s"), (0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (90, "2 min"), (3_569, "59 min"),
    (3_570, "1 h 00 min"), (3_600, "1 h 00 min"), (7_499, "2 h 05 min"), (90_000, "25 h 00 min"),
  ])
  func wordsDurations(seconds: Double, text: String) {
    #expect(Quantity.duration(seconds) == text)
  }

  @Test(arguments: [
    (0, "0 photos"), (1, "1 photo"), (2, "2 photos"), (1_234, "1,234 photos"),
    (1_000_000, "1,000,000 photos"),
  ])
  func countsWithANoun(number: Int, text: String) {
    #expect(Quantity.count(number, "photo") == text)
  }

  @Test func knowsIrregularPlurals() {
    #expect(Quantity.count(1, "failed search", plural: "failed searches") == "1 failed search")
    #expect(Quantity.count(3, "failed search", plural: "failed searches") == "3 failed searches")
  }

  @Test(arguments: [
    (0, "0"), (-1, "-1"), (999, "999"), (-1_000, "-1,000"), (234_908, "234,908"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func groupsDigits(number: Int, text: String) {
    #expect(Quantity.grouped(number) == text)
  }

  @Test(arguments: [(0.0, "0.0"), (49, "0.0"), (1_250, "1.3"), (100_000, "100.0")])
  func tellsKilometersWithoutTheUnit(meters: Double, text: String) {
    #expect(Quantity.kilometers(meters) == text)
  }

  @Test(arguments: [
    (0.0, 2, 0.0), (87.204, 2, 87.2), (359.994, 2, 359.99), (359.996, 2, 0), (359.96, 1, 0),
    (359.5, 0, 0), (359.4, 0, 359),
  ])
  func aCourseStaysBelowAFullTurn(degrees: Double, places: Int, course: Double) {
    #expect(degrees.roundedCourse(places: places) == course)
  }

  @Test(arguments: [Double.nan, .infinity, 1e300])
  func survivesWhatHasNoWords(number: Double) {
    #expect(Quantity.duration(number) == "\(number) s")
    #expect(!Quantity.distance(number).isEmpty)
    #expect(!Quantity.kilometers(number).isEmpty)
  }

  @Test(
    arguments: [
      (0.0, "0 m", "0 ft"), (100, "100 m", "328 ft"), (304.6, "305 m", "999 ft"),
      (304.7, "305 m", "0.2 mi"), (999.4, "999 m", "0.6 mi"), (1_609.344, "1.6 km", "1.0 mi"),
      (42_195, "42.2 km", "26.2 mi"),
    ])
  func lengthsAreInTheUnitsThatAreRead(meters: Double, metric: String, imperial: String) {
    #expect(Quantity.distance(meters) == metric)
    #expect(Quantity.distance(meters, in: .imperial) == imperial)
  }

  @Test(
    arguments: [
      (1.25, "13:20 /km", "21:27 /mi"), (3.0, "5:33 /km", "8:56 /mi"), (0, nil, nil),
      (.nan, nil, nil), (1e-300, nil, nil),
    ] as [(Double, String?, String?)])
  func paceIsMinutesForALength(speed: Double, metric: String?, imperial: String?) {
    #expect(Quantity.pace(speed) == metric)
    #expect(Quantity.pace(speed, in: .imperial) == imperial)
  }

  @Test(
    arguments: [
      (0.3, Units.metric, 1.0), (3, .metric, 5), (120, .metric, 200), (1_300, .metric, 2_000),
      (30, .imperial, 100 * 0.3048), (152.4, .imperial, 500 * 0.3048), (153, .imperial, 160.9344),
      (1_000, .imperial, 1_609.344),
    ])
  func roundDistancesAreOneTwoOrFive(meters: Double, units: Units, step: Double) {
    #expect(abs(units.roundDistance(atLeast: meters) - step) < 1e-6)
  }
}
