import FaketrackFeatures
import FaketrackSupport
import Foundation
import Geodesy

extension OutputFormat {
  /// The sentences RMC and GGA of NMEA 0183, a fix every second, as a receiver sends them.
  package static let nmea = OutputFormat(
    "nmea", showsPhotos: false, distanceFilter: 0, interval: 1
  ) { _ in NMEARenderer() }
}

struct NMEARenderer: VisitRenderer {
  private static let knotsPerMeterPerSecond = 3_600.0 / 1_852

  func text(for visit: Visit) -> String {
    let fix = visit.fix
    let (date, time) = Self.dateAndTime(of: fix)
    let latitude = Self.angle(fix.coordinate.latitude, degreeDigits: 2, hemispheres: "NS")
    let longitude = Self.angle(fix.coordinate.longitude, degreeDigits: 3, hemispheres: "EW")
    let knots = fix.speed.map {
      DecimalText.fixed($0 * Self.knotsPerMeterPerSecond, places: 2)
    }
    let course = fix.course.map {
      DecimalText.fixed(Quantity.course($0, places: 1), places: 1)
    }
    let elevation = fix.elevation.map { DecimalText.fixed($0, places: 1) }
    let recommended = [
      "GPRMC", time, "A", latitude, longitude, knots ?? "", course ?? "", date, "", "", "A",
    ]
    let fixData = [
      "GPGGA", time, latitude, longitude, "1", "08", "1.0", elevation ?? "", "M", "", "M", "", "",
    ]
    return [recommended, fixData].map(Self.sentence).joined()
  }

  /// The fields with their checksum: the exclusive or of all bytes between $ and *.
  static func sentence(_ fields: [String]) -> String {
    let body = fields.joined(separator: ",")
    let checksum = body.utf8.reduce(0, ^)
    let digits = String(checksum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  /// Degrees as `ddmm.mmmmm,N`: whole degrees, minutes to about 2 cm, hemisphere.
  static func angle(_ degrees: Double, degreeDigits: Int, hemispheres: String) -> String {
    let hundredThousandths = Int((abs(degrees) * 60 * 100_000).rounded())
    let (whole, minutes) = hundredThousandths.quotientAndRemainder(dividingBy: 60 * 100_000)
    let (minute, fraction) = minutes.quotientAndRemainder(dividingBy: 100_000)
    let hemisphere = degrees < 0 ? hemispheres.suffix(1) : hemispheres.prefix(1)
    return DecimalText.padded(whole, digits: degreeDigits) + DecimalText.padded(minute, digits: 2)
      + "." + DecimalText.padded(fraction, digits: 5) + "," + hemisphere
  }

  /// The date as `ddmmyy` and the time of day in UTC as `hhmmss.ss`; empty without a time.
  private static func dateAndTime(of fix: Fix) -> (date: String, time: String) {
    guard let time = fix.time,
      let centiseconds = Int(exactly: (time.timeIntervalSinceReferenceDate * 100).rounded())
    else { return ("", "") }
    func two(_ number: Int) -> String { DecimalText.padded(number % 100, digits: 2) }
    let (seconds, fraction) = centiseconds.flooredQuotientAndRemainder(100)
    let (days, second) = seconds.flooredQuotientAndRemainder(86_400)
    let date = CivilDate(daysSinceReferenceDate: days)
    return (
      two(date.day) + two(date.month) + two(date.year),
      two(second / 3_600) + two(second / 60 % 60) + two(second % 60) + "." + two(fraction)
    )
  }
}
