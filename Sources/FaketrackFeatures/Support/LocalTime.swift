import Cities
import FaketrackSupport
import Foundation

/// Whose clocks people read.
package enum Clocks: Hashable, Sendable {
  /// Those of the nearest city; where none is near, UTC.
  case local
  case utc

  /// The time on these clocks near a city; `nil` for one outside of the years 1 to 9999.
  ///
  /// Looks up the rules of the zone each time, which ``LocalTimes`` does not.
  package func time(_ time: Date, near city: City?) -> LocalTime? {
    var times = LocalTimes(self)
    return times.time(time, near: city)
  }
}

/// The date and the time of day where somebody is.
package struct LocalTime: Hashable, Sendable {
  /// The zone as people there call it where English has a name for it, as `CEST` or `GMT+9`.
  package let zone: String
  /// Minutes since the beginning of 2001 on the clocks there.
  private let minutes: Int

  /// - Parameter seconds: how far the clocks there are ahead of UTC.
  fileprivate init?(_ time: Date, aheadBy seconds: Int, zone: String) {
    let local = (time.timeIntervalSinceReferenceDate + Double(seconds)).rounded(.down)
    guard Self.years.contains(local), let minutes = Int(exactly: (local / 60).rounded(.down))
    else { return nil }
    self.minutes = minutes
    self.zone = zone
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

  /// The day, as `2026-05-01`.
  package var date: String {
    let day = CivilDate(
      daysSinceReferenceDate: minutes.flooredQuotientAndRemainder(1_440).quotient)
    return DecimalText.padded(day.year, digits: 4) + "-"
      + DecimalText.padded(day.month, digits: 2) + "-" + DecimalText.padded(day.day, digits: 2)
  }

  /// The time and its zone, as `10:05 CEST`.
  package var text: String { "\(clock) \(zone)" }

  /// A period, as `2026-05-01 10:05 to 12:05 CEST`; the date and the zone stand twice where they
  /// change.
  package static func text(from start: LocalTime, to end: LocalTime) -> String {
    let first = "\(start.date) " + (start.zone == end.zone ? start.clock : start.text)
    return "\(first) to " + (start.date == end.date ? end.text : "\(end.date) \(end.text)")
  }
}

/// Tells many times: a zone is looked up once for as long as its clocks stay the same.
package struct LocalTimes: Sendable {
  /// A zone, as people of a country name it.
  private struct Zone: Hashable {
    let identifier: String
    let country: String?
  }

  private let clocks: Clocks
  private var settings: [Zone: ClockSetting] = [:]

  package init(_ clocks: Clocks) {
    self.clocks = clocks
  }

  /// The time near a city; `nil` for one outside of the years 1 to 9999.
  package mutating func time(_ time: Date, near city: City?) -> LocalTime? {
    guard LocalTime.years.contains(time.timeIntervalSinceReferenceDate) else { return nil }
    guard clocks == .local, let city, let identifier = city.timezone else {
      return LocalTime(time, aheadBy: 0, zone: "UTC")
    }
    let zone = Zone(identifier: identifier, country: city.country)
    if let setting = settings[zone], setting.period.contains(time) {
      return LocalTime(time, aheadBy: setting.seconds, zone: setting.name)
    }
    let setting = ClockSetting(identifier, country: city.country, at: time)
    settings[zone] = setting
    return LocalTime(time, aheadBy: setting.seconds, zone: setting.name)
  }
}

/// What the clocks of a zone show until they are changed.
private struct ClockSetting {
  /// How far they are ahead of UTC.
  let seconds: Int
  let name: String
  let period: Range<Date>

  /// UTC for a zone that the system does not know.
  init(_ identifier: String, country: String?, at time: Date) {
    guard let zone = TimeZone(identifier: identifier) else {
      (seconds, name, period) = (0, "UTC", .distantPast ..< .distantFuture)
      return
    }
    seconds = zone.secondsFromGMT(for: time)
    let end = zone.nextDaylightSavingTimeTransition(after: time) ?? .distantFuture
    period = time..<max(time, end)
    let style: TimeZone.NameStyle =
      zone.isDaylightSavingTime(for: time) ? .shortDaylightSaving : .shortStandard
    // People in Berlin say CEST, those in New York do not.
    let locale = Locale(identifier: country.map { "en_\($0)" } ?? "en")
    let name = zone.localizedName(for: style, locale: locale)
    // A name that only tells the distance from UTC tells that of today.
    self.name = name.flatMap { $0.hasPrefix("GMT") ? nil : $0 } ?? Self.name(seconds)
  }

  /// The distance from UTC, as `GMT+5:45`.
  private static func name(_ seconds: Int) -> String {
    let minutes = seconds.magnitude / 60
    if minutes == 0 { return "GMT" }
    let rest = minutes % 60 == 0 ? "" : ":" + DecimalText.padded(minutes % 60, digits: 2)
    return "GMT\(seconds < 0 ? "-" : "+")\(minutes / 60)\(rest)"
  }
}
