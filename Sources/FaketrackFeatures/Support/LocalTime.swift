import Cities
import FaketrackSupport
import Foundation

/// The time of day where somebody is.
package struct LocalTime: Hashable, Sendable {
  /// Hours and minutes, as `08:05`.
  package let clock: String
  private let time: Date
  private let timeZone: TimeZone?
  private let country: String?

  /// Tells the time near a city, or else in UTC; `nil` for a time beyond all calendars.
  package init?(_ time: Date, near city: City?) {
    self.time = time
    timeZone = city?.timezone.flatMap(TimeZone.init(identifier:))
    country = city?.country
    let shift = timeZone?.secondsFromGMT(for: time) ?? 0
    let local = time.timeIntervalSinceReferenceDate + Double(shift)
    guard let seconds = Int(exactly: local.rounded(.down)) else { return nil }
    let minutes = seconds.flooredQuotientAndRemainder(86_400).remainder / 60
    clock =
      DecimalText.padded(minutes / 60, digits: 2) + ":"
      + DecimalText.padded(minutes % 60, digits: 2)
  }

  /// The zone as people there call it where English has a name for it, as `CEST` or `GMT+9`.
  package var zone: String {
    guard let timeZone else { return "UTC" }
    let style: TimeZone.NameStyle =
      timeZone.isDaylightSavingTime(for: time) ? .shortDaylightSaving : .shortStandard
    // People in Berlin say CEST, those in New York do not.
    let locale = Locale(identifier: country.map { "en_\($0)" } ?? "en")
    return timeZone.localizedName(for: style, locale: locale) ?? timeZone.identifier
  }

  /// The time and its zone, as `10:05 CEST`.
  package var text: String { "\(clock) \(zone)" }
}
