import FaketrackServices
import Foundation
import Geodesy

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
    return { context in TraccarFeed(url, fetcher: context.fetcher) }
  }
}

/// Sends each position in a request, and keeps those that could not be sent.
///
/// Source: https://www.traccar.org/osmand
private final class TraccarFeed: FeedConnection {
  private static let knotsPerMeterPerSecond = 3_600.0 / 1_852
  private static let timeout = Duration.seconds(5)

  let keepsPositions = true
  private let url: URL
  private let fetcher: any HTTPFetching

  init(_ url: URL, fetcher: any HTTPFetching) {
    self.url = url
    self.fetcher = fetcher
  }

  /// Checks that a server is there; its answer to a request without a position does not matter.
  func open() async throws {
    _ = try await fetch(HTTPRequest(url))
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
      ("altitude", fix.elevation), ("speed", fix.speed.map { $0 * Self.knotsPerMeterPerSecond }),
      ("bearing", fix.course), ("accuracy", fix.horizontalAccuracy),
    ]
    var query = hasID ? [] : [QueryItem("id", "faketrack")]
    if let time = fix.time {
      query.append(QueryItem("timestamp", "\(Int(time.timeIntervalSince1970.rounded(.down)))"))
    }
    query += values.compactMap { item in item.value.map { QueryItem(item.name, "\($0)") } }
    let status = try await fetch(HTTPRequest(url, query: query)).status
    switch status {
    case 200..<300: return .confirmed
    case 500...: throw FeedError.unreachable("answers HTTP \(status)")
    default: return .refused("HTTP \(status); does the server know the device?")
    }
  }

  private func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    request.timeout = Self.timeout
    do {
      return try await fetcher.fetch(request)
    } catch HTTPFailure.unreachable(let reason) {
      throw FeedError.unreachable(reason)
    } catch HTTPFailure.untrusted {
      throw FeedError.rejected(
        "its certificate is not trusted", hint: "Use the name that is in its certificate.")
    } catch is HTTPFailure {
      throw FeedError.timedOut
    }
  }
}
