import Locations
import Testing

@testable import FaketrackFeatures

/// The names of speeds and the steps between them.
@Suite struct ReplaySpeedTests {
  @Test(
    arguments: [
      ("1", 1), ("10", 10), ("x10", 10), ("10x", 10), ("0.5", 0.5), ("x0.1", 0.1), ("1000", 1_000),
      ("1e2", 100),
    ])
  func readsMultiples(name: String, multiple: Double) {
    #expect(ReplaySpeed(name: name)?.multiple == multiple)
  }

  @Test(arguments: [
    (7_240.0, "30 s 241.3, 1 min 120.7, 3 min 40.2"), (60, "30 s 2"), (20, ""),
    (90_000, "3 min 500"),
  ])
  func aWholeWalkTakesHalfAMinuteOrMore(seconds: Double, lengths: String) {
    let texts = ReplaySpeed.lengths(of: seconds).map { "\($0.length) \($0.speed.name)" }
    #expect(texts.joined(separator: ", ") == lengths)
  }

  @Test func readsMax() {
    #expect(ReplaySpeed(name: "max") == .max)
  }

  @Test(arguments: [
    "", "x", "xx", "x1x", "MAX", "0", "-1", "0.09", "1000.1", "nan", "inf", "1e400", " 1", "1 ",
    "ten", "0x10", "x0x10",
  ])
  func refusesWhatIsNoSpeed(name: String) {
    #expect(ReplaySpeed(name: name) == nil)
  }

  @Test(arguments: [(1.0, "1"), (0.5, "0.5"), (25, "25"), (1_000, "1000"), (0.15, "0.15")])
  func hasAName(multiple: Double, name: String) {
    #expect(ReplaySpeed(multiple: multiple)?.name == name)
    #expect(ReplaySpeed(name: name)?.multiple == multiple)
  }

  @Test func theChoicesAreReadByTheirNames() {
    #expect(
      ReplaySpeed.choices.map(\.name) == ["1", "2", "5", "10", "25", "50", "100", "max"])
    #expect(ReplaySpeed.choices.compactMap { ReplaySpeed(name: $0.name) } == ReplaySpeed.choices)
  }

  @Test(
    arguments: [
      (1, 2, 0.5), (0.1, 0.2, 0.1), (0.15, 0.2, 0.1), (600, 1_000, 500), (500, 1_000, 200),
      (25, 50, 20),
    ] as [(Double, Double, Double)])
  func goesToTheNextOf1And2And5(multiple: Double, faster: Double, slower: Double) throws {
    let speed = try #require(ReplaySpeed(multiple: multiple))
    #expect(speed.faster.multiple == faster)
    #expect(speed.slower.multiple == slower)
  }

  @Test func maxLiesBeyondTheFastestMultiple() throws {
    let fastest = try #require(ReplaySpeed(multiple: 1_000))
    #expect(fastest.faster == .max)
    #expect(ReplaySpeed.max.faster == .max)
    #expect(ReplaySpeed.max.slower == fastest)
  }
}
