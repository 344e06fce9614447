#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport

/// Fetches over the network: on Linux with libcurl, elsewhere with Foundation's `URLSession`.
///
/// Bodies are decompressed; cookies and caches are off. Linux honors the usual proxy variables, Apple
/// platforms their system setting. The limits of a request hold whatever the server sends.
public final class NetworkFetcher: HTTPFetching {
  private let transport: Transport
  private let clock: AnyClock

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - idleTimeout: The longest time without any data, in whole seconds.
  ///   - clock: The clock that measures ``HTTPRequest/timeLimit``.
  public init(
    idleTimeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
  ) {
    transport = Transport(idleTimeout: idleTimeout)
    self.clock = AnyClock(clock)
  }

  /// Sends the request once, without retrying.
  ///
  /// - Throws: ``HTTPFailure`` if there is no complete response, or `CancellationError`.
  public func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    guard let url = request.url, url.isWebAddress else {
      throw HTTPFailure.unusableAddress(request.redactedURL)
    }
    let transfer = Transfer(request, to: url)
    let deadline = Deadline(request.timeLimit, from: clock.now)
    let timeout = Task { try await end(transfer, at: deadline) }
    defer { timeout.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transfer.begin(continuation)
        transport.start(transfer)
      }
    } onCancel: {
      transfer.end(with: .failure(CancellationError()))
    }
  }

  /// Ends a transfer when it exceeds its time limit.
  private func end(_ transfer: Transfer, at deadline: Deadline) async throws {
    var deadline = deadline
    while true {
      try await clock.sleep(until: deadline.checkpoint)
      if let failure = deadline.failure(after: transfer.receivedBytes) {
        return transfer.end(with: failure)
      }
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
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
    var body = Data()
    var redirects = 0
    var isOver = false
    var onEnd: (@Sendable () -> Void)?
  }

  private static let maximumRedirects = 5

  let request: HTTPRequest
  /// The first address, before redirects.
  let url: URL
  private let state = Locked(State())

  init(_ request: HTTPRequest, to url: URL) {
    self.request = request
    self.url = url
  }

  /// Whether the outcome is known, so that further data is ignored.
  var isOver: Bool { state.withLock(\.isOver) }

  /// The size of the body so far, after decompression.
  var receivedBytes: Int { state.withLock(\.body.count) }

  /// Sets the continuation to resume with the outcome; if the task is already canceled, resumes it now.
  func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
    let isOver = state.withLock { state in
      if !state.isOver { state.continuation = continuation }
      return state.isOver
    }
    if isOver { continuation.resume(throwing: CancellationError()) }
  }

  /// Sets an action to run when the transfer is over; if it already is, runs the action now.
  func onEnd(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.onEnd = action }
      return state.isOver
    }
    if isOver { action() }
  }

  /// Ends the transfer; has no effect if it is already over.
  func end(with result: Result<HTTPResponse, any Error>) {
    let (continuation, onEnd) = state.withLock { state in
      defer { state = State(isOver: true) }
      return (state.continuation, state.onEnd)
    }
    continuation?.resume(with: result)
    onEnd?()
  }

  /// Ends the transfer with a complete response.
  func end(status: Int, headers: [String: String]) {
    let body = state.withLock(\.body)
    end(with: .success(HTTPResponse(status: status, headers: headers, body: body)))
  }

  func end(with failure: HTTPFailure) {
    end(with: .failure(failure))
  }

  /// Appends to the body; ends the transfer if the body is now too large.
  func receive(_ bytes: some Collection<UInt8>) {
    let fits = state.withLock { state in
      guard !state.isOver, state.body.count + bytes.count <= request.maximumBodySize else {
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
    let address = request.redacted(target.withoutUser.withoutQuery.absoluteString)
    end(with: .redirected(status: status, to: address, refusal))
    return false
  }
}

extension HTTPRequest.Redirects {
  /// The reason to refuse a redirect, or `nil` if it is allowed.
  func refusal(from origin: URL, to target: URL) -> HTTPFailure.Refusal? {
    guard target.isWebAddress else { return .notHTTP }
    if origin.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http" {
      return .notEncrypted
    }
    let isSameHost = origin.host?.lowercased() == target.host?.lowercased()
    return self == .anyHost || isSameHost ? nil : .otherHost
  }
}
