import FaketrackSupport
import Foundation

/// Fetches over the network: on Linux with libcurl, elsewhere with Foundation's `URLSession`.
///
/// Bodies are decompressed; cookies and caches are off. Linux honors the usual proxy variables, Apple
/// platforms their system setting. The limits of a request hold whatever the server sends.
public final class NetworkFetcher: HTTPFetching {
  /// The library that fetches, with its version where it has one, such as `libcurl/8.5.0 OpenSSL/3.0.13`.
  package static var library: String { Transport.library }

  private let transport: Transport
  private let clock: AnyClock

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - idleTimeout: the longest time without any data, in whole seconds.
  ///   - clock: the clock that measures ``ServiceRequest/timeout``.
  public init(
    idleTimeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
  ) {
    transport = Transport(idleTimeout: idleTimeout)
    self.clock = AnyClock(clock)
  }

  /// Sends the request once, without retrying.
  ///
  /// - Throws: ``HTTPFailure`` if there is no complete response, or `CancellationError`.
  public func fetch(_ request: ServiceRequest) async throws -> ServiceResponse {
    try Task.checkCancellation()
    guard let url = request.url, url.isWebAddress else {
      throw HTTPFailure.unusableAddress(request.redactedURL)
    }
    let transfer = Transfer(request, to: url)
    let timer = Task { [start = clock.now] in
      let failure = try await request.timeout(from: start, on: clock) { transfer.receivedBytes }
      transfer.end(with: failure)
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transfer.onEnd { continuation.resume(with: $0) }
        transport.start(transfer)
      }
    } onCancel: {
      transfer.end(with: .failure(CancellationError()))
    }
  }
}

extension NetworkFetcher: CustomReflectable {
  /// Empty, because requests in progress contain keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A request in progress and the part of its response body that has arrived.
final class Transfer: Sendable {
  private struct State {
    var body = Data()
    var redirects = 0
    var outcome: Result<ServiceResponse, any Error>?
    var onEnd: [@Sendable (Result<ServiceResponse, any Error>) -> Void] = []
  }

  private static let maximumRedirects = 5

  let request: ServiceRequest
  /// The address before redirects.
  let url: URL
  private let state = Locked(State())

  init(_ request: ServiceRequest, to url: URL) {
    self.request = request
    self.url = url
  }

  /// Whether the outcome is known, so that further data is ignored.
  var isOver: Bool { state.withLock { $0.outcome != nil } }

  var receivedBytes: Int { state.withLock(\.body.count) }

  /// Runs an action when the transfer is over, or now if it already is.
  func onEnd(_ action: @escaping @Sendable (Result<ServiceResponse, any Error>) -> Void) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.onEnd.append(action) }
      return state.outcome
    }
    if let outcome { action(outcome) }
  }

  /// Ends the transfer; has no effect if it is already over.
  func end(with result: Result<ServiceResponse, any Error>) {
    let actions = state.withLock { state in
      defer { state = State(outcome: state.outcome ?? result) }
      return state.onEnd
    }
    for action in actions { action(result) }
  }

  func end(status: Int, headers: [String: String]) {
    let body = state.withLock(\.body)
    end(with: .success(ServiceResponse(status: status, headers: headers, body: body)))
  }

  func end(with failure: HTTPFailure) {
    end(with: .failure(failure))
  }

  /// Appends to the body; ends the transfer if the body is now too large.
  func receive(_ bytes: some Collection<UInt8>) {
    let fits = state.withLock { state in
      guard state.outcome == nil, state.body.count + bytes.count <= request.maximumBodySize else {
        return false
      }
      state.body.append(contentsOf: bytes)
      return true
    }
    if !fits { end(with: .tooLarge(limit: request.maximumBodySize)) }
  }

  /// Whether to follow a redirect; if it is not allowed, ends the transfer.
  func follows(redirectTo target: URL, status: Int) -> Bool {
    let redirects = state.withLock { state in
      state.redirects += 1
      return state.redirects
    }
    let refusal =
      redirects > Self.maximumRedirects
      ? .tooMany : request.redirects.refusal(from: url, to: target)
    guard let refusal else { return !isOver }
    let address = target.withoutUser.absoluteString.prefix { $0 != "?" && $0 != "#" }
    end(with: .redirected(status: status, to: request.redacted(String(address)), refusal))
    return false
  }
}

extension ServiceRequest {
  /// Waits until the response is overdue or too slow, and returns that failure.
  func timeout(
    from start: Duration, on clock: AnyClock, receivedBytes: @Sendable () -> Int
  ) async throws -> HTTPFailure {
    let end = start + timeout
    var checkpoint = start + Self.speedInterval
    var received = 0
    while minimumSpeed > 0, checkpoint < end {
      try await clock.sleep(until: checkpoint)
      let count = receivedBytes()
      guard count - received >= minimumSpeed else {
        return .tooSlow(bytes: minimumSpeed, interval: Self.speedInterval)
      }
      received = count
      checkpoint += Self.speedInterval
    }
    try await clock.sleep(until: end)
    return .overdue(limit: timeout)
  }
}

extension ServiceRequest.Redirects {
  func refusal(from origin: URL, to target: URL) -> HTTPFailure.Refusal? {
    guard target.isWebAddress else { return .notHTTP }
    if origin.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http" {
      return .notEncrypted
    }
    let isSameHost = origin.host?.lowercased() == target.host?.lowercased()
    return self == .anyHost || isSameHost ? nil : .otherHost
  }
}
