import FaketrackSupport
import Geodesy

extension Fix {
  /// The position for the `geo fix` command of an Android emulator: longitude, latitude, meters,
  /// satellites and knots. Unknown values are 0.
  package var emulatorPosition: String {
    let knots = (speed ?? 0) * NMEASentences.knotsPerMeterPerSecond
    let satellites = NMEASentences.satellites(of: self, accuracy: horizontalAccuracy)
    return DecimalText.fixed(coordinate.longitude, places: 7)
      + " " + DecimalText.fixed(coordinate.latitude, places: 7)
      + " " + DecimalText.fixed(elevation ?? 0, places: 1)
      + " \(satellites) " + DecimalText.fixed(knots, places: 2)
  }
}
