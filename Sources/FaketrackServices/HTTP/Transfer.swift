#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import FaketrackSupport

/// A request under way, and what has arrived of its response so far.
final class Transfer: Sendable {
  private struct State {
    var continuation: CheckedContinuation<HTTPResponse, any Error>?
    var body = Data()
    var redirections = 0
    var isOver = false
    var onEnd: (@Sendable () -> Void)?
  }

  let request: HTTPRequest
  /// Where the request is sent to begin with.
  let url: URL
  private let state = Locked(State())

  init(_ request: HTTPRequest, to url: URL) {
    self.request = request
    self.url = url
  }

  /// Whether there is an outcome, so that whatever still comes is of no use.
  var isOver: Bool { state.withLock(\.isOver) }

  /// How much of the body has arrived.
  var receivedBytes: Int { state.withLock(\.body.count) }

  /// Takes the continuation that waits for the outcome; resumes it at once if the task was canceled
  /// before.
  func begin(_ continuation: CheckedContinuation<HTTPResponse, any Error>) {
    let isOver = state.withLock { state in
      if !state.isOver { state.continuation = continuation }
      return state.isOver
    }
    if isOver { continuation.resume(throwing: CancellationError()) }
  }

  /// Has something done when the transfer is over; at once if it is.
  func onEnd(_ work: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.onEnd = work }
      return state.isOver
    }
    if isOver { work() }
  }

  /// Hands over the outcome; does nothing if there is one already.
  func end(with result: Result<HTTPResponse, any Error>) {
    let (continuation, onEnd) = state.withLock { state in
      defer { state = State(isOver: true) }
      return (state.continuation, state.onEnd)
    }
    continuation?.resume(with: result)
    onEnd?()
  }

  /// Hands over the whole response.
  func end(status: Int, headers: [String: String]) {
    let body = state.withLock(\.body)
    end(with: .success(HTTPResponse(status: status, headers: headers, body: body)))
  }

  func end(with failure: HTTPFailure) {
    end(with: .failure(failure))
  }

  /// Adds a piece of the body, and ends the transfer if that makes it too large.
  func receive(_ piece: some Collection<UInt8>) {
    let fits = state.withLock { state in
      guard !state.isOver, state.body.count + piece.count <= request.maximumBodySize else {
        return false
      }
      state.body.append(contentsOf: piece)
      return true
    }
    if !fits { end(with: .tooLarge(limit: request.maximumBodySize)) }
  }

  /// Whether a redirect is followed; ends the transfer if that is not allowed.
  func follows(redirectTo target: URL, status: Int) -> Bool {
    let redirections = state.withLock { state in
      state.redirections += 1
      return state.redirections
    }
    let refusal =
      redirections > Self.maximumRedirections
      ? .tooMany : request.redirects.refusal(from: url, to: target)
    guard let refusal else { return !isOver }
    let address = request.redacted(target.withoutUser.withoutQuery.absoluteString)
    end(with: .redirected(status: status, to: address, refusal))
    return false
  }

  private static let maximumRedirections = 5
}
