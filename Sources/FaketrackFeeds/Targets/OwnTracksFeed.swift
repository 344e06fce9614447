import FaketrackServices
import FaketrackSupport
import Foundation
import Geodesy

extension FeedTarget {
  /// Source: https://owntracks.org/booklet/tech/json/
  static let ownTracks = FeedTarget.http(
    "owntracks:",
    """
    Records the walk in OwnTracks by its HTTP mode. The URL has the user and
    the device: http://127.0.0.1:8083/pub?u=user&d=phone.
    """
  ) { url, fix in
    var request = ServiceRequest(url, headers: ["Content-Type": "application/json"])
    request.body = try JSONEncoder().encode(OwnTracksLocation(fix))
    return request
  }
}

/// Whole numbers, except for the coordinate; unknown values are left out.
private struct OwnTracksLocation: Encodable {
  private enum CodingKeys: String, CodingKey {
    case type = "_type"
    case tid, lat, lon, tst, acc, alt, vel, cog
  }

  let type = "location"
  let tid = "ft"
  let lat: Double
  let lon: Double
  /// Seconds since 1970.
  let tst: Int?
  /// Meters.
  let acc: Int?
  let alt: Int?
  /// Kilometers per hour.
  let vel: Int?
  /// Degrees from true north.
  let cog: Int?

  init(_ fix: Fix) {
    lat = fix.coordinate.latitude
    lon = fix.coordinate.longitude
    tst = Self.whole(fix.time?.timeIntervalSince1970.rounded(.down))
    acc = Self.whole(fix.horizontalAccuracy)
    alt = Self.whole(fix.elevation)
    vel = Self.whole(fix.speed.map { $0 * 3.6 })
    cog = Self.whole(fix.course.map { $0.roundedCourse(places: 0) })
  }

  private static func whole(_ number: Double?) -> Int? {
    number.flatMap { Int(exactly: $0.rounded()) }
  }
}
