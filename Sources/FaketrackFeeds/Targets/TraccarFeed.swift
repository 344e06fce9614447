import FaketrackServices
import Foundation
import Geodesy
import Locations

extension FeedTarget {
  static let traccar = FeedTarget(
    "traccar:", "URL",
    """
    Records the walk in Traccar by its OsmAnd protocol, on port 5055. The
    device is faketrack, or another ?id= in the URL.
    """
  ) { address in
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme),
      url.host?.isEmpty == false
    else { return nil }
    return { context in TraccarFeed(url, in: context) }
  }
}

/// Sends each position in a request, and keeps those that could not be sent.
///
/// Source: https://www.traccar.org/osmand
private final class TraccarFeed: FeedConnection {
  let keepsPositions = true
  private let url: URL
  private let context: FeedContext

  init(_ url: URL, in context: FeedContext) {
    self.url = url
    self.context = context
  }

  /// Checks that a server is there; its answer to a request without a position does not matter.
  func open() async throws {
    _ = try await context.fetch(HTTPRequest(url))
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    switch signal {
    case .position(let fix): return try await send(fix)
    case .unavailable: return .refused("cannot record a lost signal")
    case .denied: return .refused("cannot record a missing permission")
    }
  }

  private func send(_ fix: Fix) async throws -> FeedReceipt {
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
    let status = try await context.fetch(HTTPRequest(url, query: query)).status
    switch status {
    case 200..<300: return .confirmed
    case 500...: throw FeedError.unreachable("answers HTTP \(status)")
    default: return .refused("HTTP \(status); does the server know the device?")
    }
  }
}
