import FaketrackServices
import Foundation
import Geodesy
import Locations
import Receivers

extension FeedTarget {
  /// Source: https://www.traccar.org/osmand
  static let traccar = FeedTarget.http(
    "traccar:",
    """
    Records the walk in Traccar by its OsmAnd protocol, on port 5055. The
    device is faketrack, or another ?id= in the URL.
    """
  ) { url, fix in
    let hasID =
      URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
      .contains { $0.name == "id" } ?? false
    let values: [(name: String, value: Double?)] = [
      ("lat", fix.coordinate.latitude), ("lon", fix.coordinate.longitude),
      ("altitude", fix.elevation),
      ("speed", fix.speed.map { $0 * NMEASentences.knotsPerMeterPerSecond }),
      ("bearing", fix.course), ("accuracy", fix.horizontalAccuracy),
    ]
    var query = hasID ? [] : [QueryItem("id", "faketrack")]
    if let time = fix.time {
      query.append(QueryItem("timestamp", "\(Int(time.timeIntervalSince1970.rounded(.down)))"))
    }
    query += values.compactMap { item in item.value.map { QueryItem(item.name, "\($0)") } }
    return ServiceRequest(url, query: query)
  }
}
