import FaketrackSupport
import Foundation
import Geodesy

/// The arguments of `geo` in the console of an Android emulator, which `adb emu geo` takes too.
///
/// Source: https://developer.android.com/studio/run/emulator-console
package struct EmulatorCommands: Sendable {
  private var sentences = NMEASentences()

  package init() {}

  /// The position as `fix` with longitude, latitude, meters, satellites and knots. Unknown values are 0.
  package static func fix(_ fix: Fix) -> String {
    let limited = fix.limitedToReceivers
    let knots = (limited.speed ?? 0) * NMEASentences.knotsPerMeterPerSecond
    let satellites = NMEASentences.satellites(of: limited, accuracy: limited.horizontalAccuracy)
    return "fix " + DecimalText.fixed(fix.coordinate.longitude, places: 7)
      + " " + DecimalText.fixed(fix.coordinate.latitude, places: 7)
      + " " + DecimalText.fixed(limited.elevation ?? 0, places: 1)
      + " \(satellites) " + DecimalText.fixed(knots, places: 2)
  }

  /// The sentences for `nmea` of a receiver without a signal.
  package mutating func lossSentences(at time: Date?) -> [Substring] {
    var text = TextBuffer()
    sentences.appendLoss(at: time, to: &text)
    return text.string.split(separator: "\r\n")
  }
}
