import FaketrackSupport

/// Fetches over the network: on Linux with libcurl, elsewhere with Foundation's `URLSession`.
///
/// Bodies are decompressed; cookies and caches are off. On Linux the usual proxy variables are
/// honored; Apple's platforms have a system setting instead. The limits of a request hold whatever
/// the other side sends.
public final class NetworkFetcher: HTTPFetching {
  private let carrier: Carrier
  private let clock: AnyClock

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - idleTimeout: how long to wait while nothing arrives, in whole seconds.
  ///   - clock: the clock that measures ``HTTPRequest/timeLimit``.
  public init(
    idleTimeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
  ) {
    carrier = Carrier(idleTimeout: idleTimeout)
    self.clock = AnyClock(clock)
  }

  public func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    guard let url = request.url, url.isWebAddress else {
      throw HTTPFailure.unusableAddress(request.redactedURL)
    }
    let transfer = Transfer(request, to: url)
    let deadline = Deadline(request.timeLimit, from: clock.now)
    let watch = Task { try await end(transfer, at: deadline) }
    defer { watch.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        transfer.begin(continuation)
        carrier.carry(transfer)
      }
    } onCancel: {
      transfer.end(with: .failure(CancellationError()))
    }
  }

  /// Waits until a transfer has used up its time, and then ends it.
  ///
  /// - Throws: `CancellationError` when the transfer has ended by itself.
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
  /// Empty, because what is under way has addresses with keys.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
