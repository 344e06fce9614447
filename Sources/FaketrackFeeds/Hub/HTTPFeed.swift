import FaketrackServices
import Foundation
import Geodesy

extension FeedTarget {
  /// A target that records the walk by a request for each position.
  ///
  /// - Parameter request: makes the request from the address of the target.
  static func http(
    _ prefix: String, _ summary: String,
    request: @escaping @Sendable (_ url: URL, _ fix: Fix) throws -> ServiceRequest
  ) -> FeedTarget {
    FeedTarget(prefix, "URL", summary) { address in
      guard let url = URL(string: address), ["http", "https"].contains(url.scheme),
        url.host?.isEmpty == false
      else { return nil }
      return { context in HTTPFeed(url, in: context, request: request) }
    }
  }
}

/// Sends each position in a request, and keeps those that could not be sent.
private final class HTTPFeed: FeedConnection {
  /// The pause after "too many requests", unless the server names a longer one.
  private static let pause = Duration.seconds(1)

  let keepsPositions = true
  let tellsTime = true
  private let url: URL
  private let context: FeedContext
  private let request: @Sendable (URL, Fix) throws -> ServiceRequest

  init(
    _ url: URL, in context: FeedContext,
    request: @escaping @Sendable (URL, Fix) throws -> ServiceRequest
  ) {
    self.url = url
    self.context = context
    self.request = request
  }

  /// Checks that a server is there. Its answer to a request without a position does not matter, unless
  /// the server turns out to speak TLS.
  func open() async throws {
    try await context.connect(to: url, hint: "Begin the address with https://.") {
      let status = try await context.fetch(ServiceRequest(url)).status
      if status == 400, await context.speaksTLS(url) { throw FeedError.unreachable("HTTP 400") }
    }
  }

  func send(_ signal: FeedSignal) async throws -> FeedReceipt {
    switch signal {
    case .position(let fix):
      while true {
        let answer = try await context.fetch(request(url, fix))
        switch answer.status {
        case 200..<300: return .confirmed
        case 429: try await pause(asIn: answer)
        case 500...: throw FeedError.unreachable("answers HTTP \(answer.status)")
        default: return .refused("HTTP \(answer.status); does the server know the device?")
        }
      }
    case .unavailable: return .refused("cannot record a lost signal")
    case .denied: return .refused("cannot record a missing permission")
    }
  }

  private func pause(asIn answer: ServiceResponse) async throws {
    let pause = max(RetryAfter.delay(in: answer, now: Date()) ?? .zero, Self.pause)
    do {
      try await Task.sleep(for: pause)
    } catch {
      throw FeedError.unreachable("answers HTTP \(answer.status)")
    }
  }
}
