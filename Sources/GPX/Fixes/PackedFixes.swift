import Foundation
import Geodesy

/// Fixes that take 40 bytes each if they have no more than a position, a time and an elevation.
struct PackedFixes: Sendable {
  private struct Packed {
    var coordinate: Coordinate
    /// Seconds since the beginning of 2001; NaN if unknown, as is the elevation.
    var time: Double
    var elevation: Double
    var origin: FixOrigin
  }

  /// The fixes if one of them has more.
  private var whole: [Fix] = []
  private var packed: [Packed] = []
  private let segment: Int

  init(_ fixes: ArraySlice<Fix>) {
    segment = fixes.first?.segment ?? 0
    packed = fixes.map { fix in
      Packed(
        coordinate: fix.coordinate, time: fix.time?.timeIntervalSinceReferenceDate ?? .nan,
        elevation: fix.elevation ?? .nan, origin: fix.origin)
    }
    if !zip(packed, fixes).allSatisfy({ unpacked($0) == $1 }) {
      (whole, packed) = (Array(fixes), [])
    }
  }

  var fixes: [Fix] { packed.isEmpty ? whole : packed.map(unpacked) }

  /// The known times, in seconds since the beginning of 2001.
  var times: [Double] {
    packed.isEmpty
      ? whole.compactMap { $0.time?.timeIntervalSinceReferenceDate }
      : packed.map(\.time).filter { !$0.isNaN }
  }

  private func unpacked(_ packed: Packed) -> Fix {
    var fix = Fix(
      packed.coordinate,
      time: packed.time.isNaN ? nil : Date(timeIntervalSinceReferenceDate: packed.time),
      elevation: packed.elevation.isNaN ? nil : packed.elevation, segment: segment)
    fix.origin = packed.origin
    return fix
  }
}
