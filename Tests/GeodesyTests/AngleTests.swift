import Testing

@testable import Geodesy

@Suite struct AngleTests {
  @Test(arguments: [
    (0.0, 0.0, 1.0), (90, 1, 0), (180, 0, -1), (270, -1, 0), (360, 0, 1), (-90, -1, 0),
    (-180, 0, -1), (-270, 1, 0), (450, 1, 0),
  ])
  func isExactAtQuarterTurns(degrees: Double, sine: Double, cosine: Double) {
    let angle = Angle(degrees: degrees)
    #expect(angle.sine == sine)
    #expect(angle.cosine == cosine)
  }

  @Test(arguments: Array(stride(from: -400.0, through: 400, by: 12.5)))
  func turnsDegreesIntoAUnitVectorAndBack(degrees: Double) {
    let angle = Angle(degrees: degrees)
    #expect(abs(angle.sine * angle.sine + angle.cosine * angle.cosine - 1) < 1e-15)
    #expect(abs((angle.degrees - degrees).remainder(dividingBy: 360)) < 1e-13)
  }

  @Test func keepsTheRelativePrecisionOfASmallSupplement() {
    let angle = Angle(degrees: 180 - 0x1p-40)
    let expected = 0x1p-40 * Double.pi / 180
    #expect(abs(angle.sine / expected - 1) < 1e-15)
  }

  @Test(arguments: [0.1, 1, 2, 3, -0.5, -3], [0.2, -1.5, 3])
  func addsAndSubtracts(a: Double, b: Double) {
    let sum = Angle(radians: a) + Angle(radians: b)
    let difference = Angle(radians: a) - Angle(radians: b)
    #expect(abs((sum.radians - (a + b)).remainder(dividingBy: 2 * .pi)) < 1e-15)
    #expect(abs((difference.radians - (a - b)).remainder(dividingBy: 2 * .pi)) < 1e-15)
  }
}
