import FaketrackSupport
import Foundation
import Geodesy
import Locations

/// Writes the sentences of NMEA 0183 that a receiver sends for each fix: RMC, VTG, GSA and GGA,
/// GST if the accuracy is known, and GSV with satellites that are made up. Unknown values are empty
/// fields.
///
/// GGA comes last, because gpsd takes the last sentence with a time as the end of a fix.
package struct NMEASentences: Sendable {
  package static let knotsPerMeterPerSecond = 3_600.0 / 1_852
  /// The error in meters of a range to a satellite, by which the dilution of precision multiplies.
  private static let rangeError = 5.0

  /// The newest time so far; readers take an earlier one for the next day.
  private var newest: Date?
  /// Whether the satellites are named, with their directions.
  private let hasSatellites: Bool

  package init(hasSatellites: Bool = false) {
    self.hasSatellites = hasSatellites
  }

  private mutating func moment(_ time: Date?) -> Moment? {
    if let time, time > newest ?? .distantPast { newest = time }
    return newest.flatMap(Moment.init)
  }

  /// Appends the sentences of a receiver without a position.
  package mutating func appendLoss(at time: Date?, to text: inout TextBuffer) {
    let moment = moment(time)
    text.appendSentence { text in
      text.append("GPRMC,")
      moment?.appendTime(to: &text)
      text.append(",V,,,,,,,")
      moment?.appendDate(to: &text)
      text.append(",,,N")
    }
    text.appendSentence { $0.append("GPVTG,,T,,M,,N,,K,N") }
    text.appendSentence { $0.append("GPGSA,A,1,,,,,,,,,,,,,,,") }
    if hasSatellites { text.appendSentence { $0.append("GPGSV,1,1,00") } }
    text.appendSentence { text in
      text.append("GPGGA,")
      moment?.appendTime(to: &text)
      text.append(",,,,,0,00,,,M,,M,,")
    }
  }

  /// Appends the sentences of a fix.
  package mutating func append(_ fix: Fix, to text: inout TextBuffer) {
    let fix = fix.limitedToReceivers
    let moment = moment(fix.time)
    let knots = fix.speed.map { $0 * Self.knotsPerMeterPerSecond }
    let course = fix.course.map { $0.roundedCourse(places: 1) }
    let accuracy = fix.horizontalAccuracy
    let dilution = accuracy.map { min(max($0 / Self.rangeError, 0.5), 99.9) }
    text.appendSentence { text in
      text.append("GPRMC,")
      moment?.appendTime(to: &text)
      text.append(",A,")
      text.append(fix.coordinate)
      text.append(",")
      text.append(knots, places: 2)
      text.append(",")
      text.append(course, places: 1)
      text.append(",")
      moment?.appendDate(to: &text)
      text.append(",,,A")
    }
    text.appendSentence { text in
      text.append("GPVTG,")
      text.append(course, places: 1)
      text.append(",T,,M,")
      text.append(knots, places: 2)
      text.append(",N,")
      text.append(fix.speed.map { $0 * 3.6 }, places: 2)
      text.append(",K,A")
    }
    let satellites = Self.satellites(of: fix, accuracy: accuracy)
    text.appendSentence { text in
      text.append(fix.elevation == nil ? "GPGSA,A,2" : "GPGSA,A,3")
      if hasSatellites {
        for number in 0..<12 {
          text.append(",")
          if number < satellites { text.append(UInt64(number + 1), digits: 2) }
        }
        text.append(",,")
      } else {
        text.append(",,,,,,,,,,,,,,")
      }
      text.append(dilution, places: 1)
      text.append(",")
    }
    if hasSatellites { Self.appendSatellites(satellites, to: &text) }
    if let accuracy { appendErrors(accuracy, at: moment, to: &text) }
    text.appendSentence { text in
      text.append("GPGGA,")
      moment?.appendTime(to: &text)
      text.append(",")
      text.append(fix.coordinate)
      text.append(",1,")
      text.append(UInt64(satellites), digits: 2)
      text.append(",")
      text.append(dilution, places: 1)
      text.append(",")
      text.append(fix.elevation, places: 1)
      text.append(",M,,M,,")
    }
  }

  /// Appends the satellites in view, all of which are in use: number, elevation and azimuth in degrees,
  /// and the strength of the signal in decibels.
  private static func appendSatellites(_ count: Int, to text: inout TextBuffer) {
    let sentences = (count + 3) / 4
    for sentence in 0..<sentences {
      text.appendSentence { text in
        text.append(contentsOf: "GPGSV,\(sentences),\(sentence + 1),")
        text.append(UInt64(count), digits: 2)
        for number in 4 * sentence..<min(count, 4 * sentence + 4) {
          for (value, digits) in [
            (number + 1, 2), (15 + number * 29 % 70, 2), (number * 137 % 360, 3),
            (30 + number * 7 % 18, 2),
          ] {
            text.append(",")
            text.append(UInt64(value), digits: digits)
          }
        }
      }
    }
  }

  /// Appends the standard errors of latitude and longitude.
  private func appendErrors(_ accuracy: Double, at moment: Moment?, to text: inout TextBuffer) {
    let sigma = min(accuracy / SensorNoise.radiusOf68Percent, 99_999)
    text.appendSentence { text in
      text.append("GPGST,")
      moment?.appendTime(to: &text)
      text.append(",,,,,")
      text.append(sigma, places: 2)
      text.append(",")
      text.append(sigma, places: 2)
      text.append(",")
    }
  }

  /// The satellites in use: 12, and one fewer for each 4 m of accuracy, but as many as a fix takes.
  /// gpsd ignores fixes with fewer or an empty number.
  package static func satellites(of fix: Fix, accuracy: Double?) -> Int {
    guard fix.elevation != nil else { return 3 }
    return accuracy.map { Swift.max(4, 12 - Int(min($0, 100) / 4)) } ?? 4
  }
}

extension TextBuffer {
  /// Appends a sentence: its fields between $ and *, then their checksum, the exclusive or of all
  /// their bytes.
  package mutating func appendSentence(_ fields: (inout TextBuffer) -> Void) {
    append("$")
    let start = count
    fields(&self)
    let checksum = withBytes(from: start) { $0.reduce(0, ^) }
    append("*")
    append(hexDigit: checksum >> 4)
    append(hexDigit: checksum & 0xF)
    append("\r\n")
  }

  private mutating func append(hexDigit digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
  }

  /// Appends a number, or nothing if it is unknown.
  fileprivate mutating func append(_ number: Double?, places: Int) {
    if let number { append(number, places: places) }
  }

  fileprivate mutating func append(_ coordinate: Coordinate) {
    append(angle: coordinate.latitude, degreeDigits: 2)
    append(coordinate.latitude < 0 ? ",S," : ",N,")
    append(angle: coordinate.longitude, degreeDigits: 3)
    append(coordinate.longitude < 0 ? ",W" : ",E")
  }

  /// Appends the magnitude of an angle as `ddmm.mmmmm`: whole degrees, minutes to about 2 cm.
  private mutating func append(angle degrees: Double, degreeDigits: Int) {
    // No more than 180 · 60 · 100,000.
    let hundredThousandths = UInt64((abs(degrees) * 60 * 100_000).rounded())
    let (whole, minutes) = hundredThousandths.quotientAndRemainder(dividingBy: 60 * 100_000)
    append(whole, digits: degreeDigits)
    append(minutes / 100_000, digits: 2)
    append(".")
    append(minutes % 100_000, digits: 5)
  }
}

/// A moment in UTC to the hundredth of a second.
private struct Moment {
  private let date: CivilDate
  private let second: Int
  private let hundredths: Int

  /// `nil` for a time that is too far away for its hundredths of a second to be counted.
  init?(_ time: Date) {
    guard let hundredths = Int(exactly: (time.timeIntervalSinceReferenceDate * 100).rounded())
    else { return nil }
    let (seconds, rest) = hundredths.flooredQuotientAndRemainder(100)
    let (days, second) = seconds.flooredQuotientAndRemainder(86_400)
    date = CivilDate(daysSinceReferenceDate: days)
    self.second = second
    self.hundredths = rest
  }

  /// Appends `hhmmss.ss`.
  func appendTime(to text: inout TextBuffer) {
    for number in [second / 3_600, second / 60 % 60, second % 60] {
      text.append(UInt64(number), digits: 2)
    }
    text.append(".")
    text.append(UInt64(hundredths), digits: 2)
  }

  /// Appends `ddmmyy`.
  func appendDate(to text: inout TextBuffer) {
    for number in [date.day, date.month, date.year % 100] {
      text.append(UInt64(number.magnitude), digits: 2)
    }
  }
}

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
}
