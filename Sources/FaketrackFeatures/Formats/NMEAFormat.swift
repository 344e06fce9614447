import FaketrackSupport
import Foundation
import Geodesy
import Locations

extension OutputFormat {
  /// The sentences RMC and GGA of NMEA 0183, a fix every second, as a receiver sends them; GST if
  /// the accuracy is known. Without a signal, RMC and GGA have no position.
  package static let nmea = OutputFormat(
    "nmea", showsPhotos: false, distanceFilter: 0, interval: 1, repeatsLoss: true
  ) { _ in NMEARenderer() }
}

private struct NMEARenderer: VisitRenderer {
  private static let knotsPerMeterPerSecond = 3_600.0 / 1_852
  /// The newest time so far; readers take an earlier one for the next day.
  private var newest: Date?

  private mutating func moment(_ time: Date?) -> Moment? {
    if let time, time > newest ?? .distantPast { newest = time }
    return newest.flatMap(Moment.init)
  }

  mutating func append(_ event: WalkEvent, to text: inout TextBuffer) {
    guard event.change == .signalLost else { return }
    let moment = moment(event.time)
    text.appendSentence { text in
      text.append("GPRMC,")
      moment?.appendTime(to: &text)
      text.append(",V,,,,,,,")
      moment?.appendDate(to: &text)
      text.append(",,,N")
    }
    text.appendSentence { text in
      text.append("GPGGA,")
      moment?.appendTime(to: &text)
      text.append(",,,,,0,,,,M,,M,,")
    }
  }

  mutating func append(_ visit: Visit, to text: inout TextBuffer) {
    let fix = visit.fix
    let moment = moment(fix.time)
    text.appendSentence { text in
      text.append("GPRMC,")
      moment?.appendTime(to: &text)
      text.append(",A,")
      append(fix.coordinate, to: &text)
      text.append(",")
      if let speed = fix.speed { text.append(speed * Self.knotsPerMeterPerSecond, places: 2) }
      text.append(",")
      if let course = fix.course { text.append(Quantity.course(course, places: 1), places: 1) }
      text.append(",")
      moment?.appendDate(to: &text)
      text.append(",,,A")
    }
    text.appendSentence { text in
      text.append("GPGGA,")
      moment?.appendTime(to: &text)
      text.append(",")
      append(fix.coordinate, to: &text)
      // The fewest satellites that a fix takes: gpsd ignores fixes with fewer or an empty number.
      text.append(fix.elevation == nil ? ",1,03,," : ",1,04,,")
      if let elevation = fix.elevation { text.append(elevation, places: 1) }
      text.append(",M,,M,,")
    }
    guard let accuracy = fix.horizontalAccuracy, accuracy.isFinite else { return }
    // The standard errors of latitude and longitude.
    let sigma = min(accuracy / SignalConditions.radiusOf68Percent, 99_999)
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

  private func append(_ coordinate: Coordinate, to text: inout TextBuffer) {
    text.append(angle: coordinate.latitude, degreeDigits: 2)
    text.append(coordinate.latitude < 0 ? ",S," : ",N,")
    text.append(angle: coordinate.longitude, degreeDigits: 3)
    text.append(coordinate.longitude < 0 ? ",W" : ",E")
  }
}

extension TextBuffer {
  /// Appends a sentence: its fields between $ and *, then their checksum, the exclusive or of all
  /// their bytes.
  mutating func appendSentence(_ fields: (inout TextBuffer) -> Void) {
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

  /// Appends the magnitude of an angle as `ddmm.mmmmm`: whole degrees, minutes to about 2 cm.
  fileprivate mutating func append(angle degrees: Double, degreeDigits: Int) {
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
