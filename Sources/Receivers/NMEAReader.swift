import FaketrackSupport
import Foundation
import Geodesy

/// Reads the positions in sentences of NMEA 0183.
///
/// Position, time, speed and course come from RMC, the elevation from the last GGA, and the horizontal accuracy
/// from the last GST.
package struct NMEAReader {
  private var elevation: Double?
  private var accuracy: Double?

  package init() {}

  /// The meaning of a sentence.
  package enum Reading: Hashable, Sendable {
    /// The receiver is at a position.
    case fix(Fix)
    /// The receiver has no position.
    case noFix
  }

  /// Reads a sentence; `nil` for one that tells no position, or whose checksum is wrong.
  package mutating func read(_ line: some Collection<UInt8>) -> Reading? {
    guard let fields = Self.fields(of: line), fields[0].count >= 5 else { return nil }
    func number(_ index: Int) -> Double? {
      fields.indices.contains(index) ? Double(fields[index]) : nil
    }
    switch fields[0].suffix(3) {
    case "GGA":
      elevation = number(9)
      return nil
    case "GST":
      // The errors of latitude and longitude.
      accuracy = number(6).flatMap { latitude in number(7).map { hypot(latitude, $0) } }
      return nil
    case "RMC" where fields.count >= 10:
      guard fields[2] == "A",
        let latitude = Self.degrees(fields[3], fields[4], "N", "S"),
        let longitude = Self.degrees(fields[5], fields[6], "E", "W"),
        let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
      else { return .noFix }
      var fix = Fix(coordinate, time: Self.time(fields[1], fields[9]))
      fix.elevation = elevation
      fix.horizontalAccuracy = accuracy
      fix.speed = number(7).map { $0 / NMEASentences.knotsPerMeterPerSecond }
      fix.course = number(8)
      return .fix(fix)
    default: return nil
    }
  }

  /// The fields between `$` and `*`.
  private static func fields(of line: some Collection<UInt8>) -> [Substring]? {
    guard let start = line.firstIndex(of: UInt8(ascii: "$")) else { return nil }
    let text = String(decoding: line[line.index(after: start)...], as: UTF8.self)
    let parts = text.split(separator: "*", maxSplits: 1)
    guard let content = parts.first else { return nil }
    if parts.count > 1, let sum = UInt8(parts[1].prefix(2), radix: 16),
      sum != content.utf8.reduce(0, ^)
    {
      return nil
    }
    return content.split(separator: ",", omittingEmptySubsequences: false)
  }

  /// The degrees of a text such as `5224.0540`: degrees, and minutes with two digits before the point.
  private static func degrees(
    _ text: Substring, _ side: Substring, _ positive: Substring, _ negative: Substring
  ) -> Double? {
    guard let value = Double(text), value >= 0, side == positive || side == negative else {
      return nil
    }
    let degrees = (value / 100).rounded(.down)
    return (degrees + (value - degrees * 100) / 60) * (side == negative ? -1 : 1)
  }

  /// The time of `hhmmss.ss` and `ddmmyy`.
  private static func time(_ time: Substring, _ date: Substring) -> Date? {
    guard let clock = pairs(time.prefix { $0 != "." }), let day = pairs(date),
      let seconds = CivilDate.seconds([2_000 + day[2], day[1], day[0]] + clock)
    else { return nil }
    let fraction = Double("0" + time.dropFirst(6)) ?? 0
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds) + (0..<1 ~= fraction ? fraction : 0))
  }

  /// The numbers of six digits, two by two.
  private static func pairs(_ text: Substring) -> [Int]? {
    let digits = text.utf8.map { Int($0) - 48 }
    guard digits.count == 6, digits.allSatisfy({ 0...9 ~= $0 }) else { return nil }
    return [0, 2, 4].map { digits[$0] * 10 + digits[$0 + 1] }
  }
}
