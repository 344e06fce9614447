import FaketrackServices
import FaketrackSupport

/// Answers requests as a test says, and records them with the time of its clock.
package final class ScriptedFetcher: HTTPFetching {
  package struct Entry: Sendable {
    package let request: HTTPRequest
    /// The clock's reading when the request came.
    package let time: Duration
  }

  private struct State {
    var entries: [Entry] = []
    var underWay = 0
    var peak = 0
  }

  private let state = Locked(State())
  private let clock: AnyClock
  private let answer: @Sendable (HTTPRequest, Int) async throws -> HTTPResponse

  /// - Parameters:
  ///   - clock: what the times of requests are read from.
  ///   - answer: receives the request and its number, counted from 0.
  package init(
    clock: any Clock<Duration> = ContinuousClock(),
    answer: @escaping @Sendable (HTTPRequest, Int) async throws -> HTTPResponse
  ) {
    self.clock = AnyClock(clock)
    self.answer = answer
  }

  /// Gives the answers in order, the last one again and again.
  package convenience init(
    clock: any Clock<Duration> = ContinuousClock(), answers: [Result<HTTPResponse, HTTPFailure>]
  ) {
    self.init(clock: clock) { _, number in
      try answers[min(number, answers.count - 1)].get()
    }
  }

  package var entries: [Entry] { state.withLock { $0.entries } }
  package var requests: [HTTPRequest] { entries.map(\.request) }
  package var times: [Duration] { entries.map(\.time) }
  /// The most requests that were under way at once.
  package var peak: Int { state.withLock { $0.peak } }

  package func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
    let entry = Entry(request: request, time: clock.now)
    let number = state.withLock { state in
      state.entries.append(entry)
      state.underWay += 1
      state.peak = max(state.peak, state.underWay)
      return state.entries.count - 1
    }
    defer { state.withLock { $0.underWay -= 1 } }
    return try await answer(request, number)
  }
}

extension HTTPResponse {
  /// An answer with text as its body.
  package static func text(
    _ body: String, status: Int = 200, headers: [String: String] = [:]
  ) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: .init(body.utf8))
  }
}
