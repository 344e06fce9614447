import Cities
import FaketrackSupport
import Foundation

/// The time of day where somebody is.
package struct LocalTime: Hashable, Sendable {
  /// Hours and minutes, as `08:05`.
  package let clock: String
  /// The zone as people there call it where English has a name for it, as `CEST` or `GMT+9`.
  package let zone: String

  /// Tells the time near a city, or else in UTC; `nil` for a time beyond all calendars.
  package init?(_ time: Date, near city: City?) {
    let zone = city?.timezone.flatMap(TimeZone.init(identifier:))
    let local = time.timeIntervalSinceReferenceDate + Double(zone?.secondsFromGMT(for: time) ?? 0)
    guard let seconds = Int(exactly: local.rounded(.down)) else { return nil }
    let minutes = seconds.flooredQuotientAndRemainder(86_400).remainder / 60
    clock =
      DecimalText.padded(minutes / 60, digits: 2) + ":"
      + DecimalText.padded(minutes % 60, digits: 2)
    guard let zone else {
      self.zone = "UTC"
      return
    }
    let style: TimeZone.NameStyle =
      zone.isDaylightSavingTime(for: time) ? .shortDaylightSaving : .shortStandard
    // People in Berlin say CEST, those in New York do not.
    let country = city?.country.map { "en_\($0)" } ?? "en"
    self.zone = zone.localizedName(for: style, locale: Locale(identifier: country)) ?? "UTC"
  }

  /// The time and its zone, as `10:05 CEST`.
  package var text: String { "\(clock) \(zone)" }
}
