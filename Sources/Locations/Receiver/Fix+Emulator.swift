import FaketrackSupport
import Geodesy

extension Fix {
  /// The fix without an elevation, speed and accuracy that no receiver has: the protocols of receivers
  /// have no exponents.
  var ofReceiver: Fix {
    var fix = self
    if fix.elevation.map({ abs($0) < 1e6 }) != true { fix.elevation = nil }
    if fix.speed.map({ abs($0) < 1e5 }) != true { fix.speed = nil }
    if fix.horizontalAccuracy?.isFinite != true { fix.horizontalAccuracy = nil }
    return fix
  }

  /// The position for the `geo fix` command of an Android emulator: longitude, latitude, meters,
  /// satellites and knots. Unknown values are 0.
  package var emulatorPosition: String {
    let fix = ofReceiver
    let knots = (fix.speed ?? 0) * NMEASentences.knotsPerMeterPerSecond
    let satellites = NMEASentences.satellites(of: fix, accuracy: fix.horizontalAccuracy)
    return DecimalText.fixed(coordinate.longitude, places: 7)
      + " " + DecimalText.fixed(coordinate.latitude, places: 7)
      + " " + DecimalText.fixed(fix.elevation ?? 0, places: 1)
      + " \(satellites) " + DecimalText.fixed(knots, places: 2)
  }
}
