/// Whatever answers an HTTP request: the network, a recording, a service made up in process.
package protocol HTTPFetching: Sendable {
  /// Fetches once, without trying again.
  ///
  /// Every status is an answer, not an error.
  ///
  /// - Throws: ``HTTPFailure`` when there is no whole answer, `CancellationError` when the task
  ///   was cancelled.
  func fetch(_ request: HTTPRequest) async throws -> HTTPResponse
}

/// Why a request has no answer.
package enum HTTPFailure: Error, Hashable, Sendable {
  /// No connection, no name, no secure channel, or a connection that broke; what happened.
  case unreachable(String)
  /// Nothing came in time.
  case timedOut
  /// The answer is longer than ``HTTPRequest/maximumBodySize`` bytes.
  case tooLarge(limit: Int)
  /// The request leads nowhere: what is wrong with its address.
  case unusableAddress(String)
}
