import Geodesy
import Testing

@Suite struct TimeStepTests {
  @Test(
    arguments: [
      (1, .advance(1)), (0.001, .advance(0.001)), (21_600, .advance(21_600)), (0, .repeated),
      (-0.0, .repeated), (0.000_34, .repeated), (-0.000_34, .repeated), (-0.001, .backward),
      (-86_400, .backward), (1e9, .advance(1e9)),
    ] as [(Double, TimeStep)])
  func tellsAnAdvanceOfAnyLengthFromOthers(seconds: Double, expected: TimeStep) {
    #expect(TimeStep(seconds: seconds) == expected)
  }
}
