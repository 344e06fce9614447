import Cities
import FaketrackSupport
import Foundation

/// The time zone used for display.
package enum Clocks: Hashable, Sendable {
  /// The time zone of the nearest city; UTC if no city is within ``farthestCity``.
  case local
  case utc

  /// The maximum distance in meters of a city whose time zone is used.
  package static let farthestCity = 500_000.0

  /// The time in the zone of a city nearby, or else of a far city, or else UTC; `nil` outside of the years
  /// 1 to 9999.
  package func time(_ time: Date, near city: City?, orFar farCity: City? = nil) -> LocalTime? {
    var times = LocalTimes(self)
    return times.time(time, near: city, orFar: farCity)
  }

  /// The local time of a visit; `nil` if its time is unknown.
  package func time(of visit: Visit) -> LocalTime? {
    visit.fix.time.flatMap { time($0, near: visit.city?.city, orFar: visit.otherCity) }
  }
}

package struct LocalTime: Hashable, Sendable {
  /// The abbreviation of the zone in the English of the country, or its offset: `CEST`, `GMT+9`;
  /// with a leading `~` if it is the zone of a far city.
  package let zone: String
  /// Minutes since the beginning of 2001, local time.
  private let minutes: Int

  fileprivate init?(_ time: Date, _ setting: ClockSetting, isFar: Bool = false) {
    let local = (time.timeIntervalSinceReferenceDate + Double(setting.seconds)).rounded(.down)
    guard Self.years.contains(local), let minutes = Int(exactly: (local / 60).rounded(.down))
    else { return nil }
    self.minutes = minutes
    zone = isFar ? "~" + setting.name : setting.name
  }

  /// The years 1 to 9999, in seconds since the beginning of 2001.
  fileprivate static let years = start(ofYear: 1)..<start(ofYear: 10_000)

  private static func start(ofYear year: Int) -> Double {
    Double(CivilDate(year: year, month: 1, day: 1).daysSinceReferenceDate) * 86_400
  }

  /// Hours and minutes, as `08:05`.
  package var clock: String {
    let minutes = minutes.flooredQuotientAndRemainder(1_440).remainder
    return DecimalText.padded(minutes / 60, digits: 2) + ":"
      + DecimalText.padded(minutes % 60, digits: 2)
  }

  /// Days since the beginning of 2001.
  package var day: Int { minutes.flooredQuotientAndRemainder(1_440).quotient }

  /// The day, as `2026-05-01`.
  package var date: String { CivilDate(daysSinceReferenceDate: day).description }

  /// The day, as `1 May 2026`.
  package var longDate: String {
    let day = CivilDate(daysSinceReferenceDate: day)
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(day.day) \(months[day.month - 1]) \(day.year)"
  }

  /// The time and its zone, as `10:05 CEST`.
  package var text: String { "\(clock) \(zone)" }

  /// A period, as `2026-05-01 10:05 to 12:05 CEST`; a date or zone that changes is repeated.
  package static func text(from start: LocalTime, to end: LocalTime) -> String {
    let first = "\(start.date) " + (start.zone == end.zone ? start.clock : start.text)
    return "\(first) to " + (start.date == end.date ? end.text : "\(end.date) \(end.text)")
  }
}

/// Converts many times: the rules of a zone are looked up once for each period with the same offset.
package struct LocalTimes: Sendable {
  /// A zone and the country that determines its abbreviation.
  private struct Zone: Hashable {
    let identifier: String
    let country: String?
  }

  private let clocks: Clocks
  private var settings: [Zone: ClockSetting] = [:]

  package init(_ clocks: Clocks) {
    self.clocks = clocks
  }

  package mutating func time(
    _ time: Date, near city: City?, orFar farCity: City? = nil
  ) -> LocalTime? {
    guard LocalTime.years.contains(time.timeIntervalSinceReferenceDate) else { return nil }
    let isFar = city == nil
    guard clocks == .local, let city = city ?? farCity, let identifier = city.timezone else {
      return LocalTime(time, ClockSetting())
    }
    let zone = Zone(identifier: identifier, country: city.country)
    if let setting = settings[zone], setting.period.contains(time) {
      return LocalTime(time, setting, isFar: isFar)
    }
    let setting = ClockSetting(identifier, country: city.country, at: time)
    settings[zone] = setting
    return LocalTime(time, setting, isFar: isFar)
  }
}

/// The offset of a zone from UTC until its next transition.
private struct ClockSetting {
  var seconds = 0
  var name = "UTC"
  var period = Date.distantPast..<Date.distantFuture

  init() {}

  /// UTC for a zone that the system does not know.
  init(_ identifier: String, country: String?, at time: Date) {
    guard let zone = TimeZone(identifier: identifier) else { return }
    seconds = zone.secondsFromGMT(for: time)
    let end = zone.nextDaylightSavingTimeTransition(after: time) ?? .distantFuture
    period = time..<max(time, end)
    let style: TimeZone.NameStyle =
      zone.isDaylightSavingTime(for: time) ? .shortDaylightSaving : .shortStandard
    // English has the name CEST in Germany but not in the United States.
    let locale = Locale(identifier: country.map { "en_\($0)" } ?? "en")
    let known = zone.localizedName(for: style, locale: locale)
    // A name such as GMT+3 gives today's offset, not the offset at the time.
    name = known.flatMap { $0.hasPrefix("GMT") ? nil : $0 } ?? Self.name(seconds)
  }

  /// The offset from UTC, as `GMT+5:45`.
  private static func name(_ seconds: Int) -> String {
    let minutes = seconds.magnitude / 60
    if minutes == 0 { return "GMT" }
    let rest = minutes % 60 == 0 ? "" : ":" + DecimalText.padded(minutes % 60, digits: 2)
    return "GMT\(seconds < 0 ? "-" : "+")\(minutes / 60)\(rest)"
  }
}
