import FaketrackSupport
import Foundation
import Geodesy

extension OutputFormat {
  /// The sentences RMC and GGA of NMEA 0183, a fix every second, as a receiver sends them.
  package static let nmea = OutputFormat(
    "nmea", showsPhotos: false, distanceFilter: 0, interval: 1
  ) { _ in NMEARenderer() }
}

private struct NMEARenderer: VisitRenderer {
  private static let knotsPerMeterPerSecond = 3_600.0 / 1_852

  func append(_ visit: Visit, to text: inout TextBuffer) {
    let fix = visit.fix
    let moment = fix.time.flatMap(Moment.init)
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
      text.append(",1,08,1.0,")
      if let elevation = fix.elevation { text.append(elevation, places: 1) }
      text.append(",M,,M,,")
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
