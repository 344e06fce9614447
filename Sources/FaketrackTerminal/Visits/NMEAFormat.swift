import FaketrackFeatures
import Foundation
import Geodesy

/// `nmea`: the sentences RMC and GGA of NMEA 0183 for each fix, as a receiver sends them.
package struct NMEAFormat: VisitFormatting {
  private static let knotsPerMeterPerSecond = 3_600.0 / 1_852

  package init() {}

  package func text(for visit: Visit) -> String {
    let fix = visit.fix
    let (date, time) = Self.dateAndTime(of: fix)
    let latitude = Self.angle(fix.coordinate.latitude, degreeDigits: 2, hemispheres: "NS")
    let longitude = Self.angle(fix.coordinate.longitude, degreeDigits: 3, hemispheres: "EW")
    let knots = fix.speed.map {
      Quantity.fixed($0 * Self.knotsPerMeterPerSecond, decimals: 2)
    }
    let course = fix.course.map {
      Quantity.fixed(Quantity.course($0, decimals: 1), decimals: 1)
    }
    let elevation = fix.elevation.map { Quantity.fixed($0, decimals: 1) }
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
    return digits(whole, degreeDigits) + digits(minute, 2) + "." + digits(fraction, 5)
      + "," + hemisphere
  }

  private static func dateAndTime(of fix: Fix) -> (date: String, time: String) {
    guard let time = fix.time else { return ("", "") }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let centiseconds = (time.timeIntervalSince1970 * 100).rounded()
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: Date(timeIntervalSince1970: (centiseconds / 100).rounded(.down)))
    let fraction = Int(centiseconds - (centiseconds / 100).rounded(.down) * 100)
    func two(_ number: Int?) -> String { digits((number ?? 0) % 100, 2) }
    return (
      two(parts.day) + two(parts.month) + two(parts.year),
      two(parts.hour) + two(parts.minute) + two(parts.second) + "." + digits(fraction, 2)
    )
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
