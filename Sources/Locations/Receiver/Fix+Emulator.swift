import FaketrackSupport
import Geodesy

extension Fix {
  /// The fix without an elevation of 1,000 km or more, a speed of 100 km/s or more, and an infinite
  /// accuracy: the protocols of receivers have no exponents.
  var limitedToReceivers: Fix {
    var fix = self
    fix.elevation = elevation.flatMap { abs($0) < 1e6 ? $0 : nil }
    fix.speed = speed.flatMap { abs($0) < 1e5 ? $0 : nil }
    fix.horizontalAccuracy = horizontalAccuracy.flatMap { $0.isFinite ? $0 : nil }
    return fix
  }

  /// The position for the `geo fix` command of an Android emulator: longitude, latitude, meters,
  /// satellites and knots. Unknown values are 0.
  package var emulatorPosition: String {
    let fix = limitedToReceivers
    let knots = (fix.speed ?? 0) * NMEASentences.knotsPerMeterPerSecond
    let satellites = NMEASentences.satellites(of: fix, accuracy: fix.horizontalAccuracy)
    return DecimalText.fixed(coordinate.longitude, places: 7)
      + " " + DecimalText.fixed(coordinate.latitude, places: 7)
      + " " + DecimalText.fixed(fix.elevation ?? 0, places: 1)
      + " \(satellites) " + DecimalText.fixed(knots, places: 2)
  }
}
