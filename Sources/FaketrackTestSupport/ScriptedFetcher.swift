import FaketrackServices
import FaketrackSupport

/// Answers requests from a test, and records them with their times.
package final class ScriptedFetcher: HTTPFetching {
  package struct Entry: Sendable {
    package let request: ServiceRequest
    /// The clock's reading on arrival.
    package let time: Duration
  }

  private struct State {
    var entries: [Entry] = []
    var underWay = 0
    var peak = 0
  }

  private let state = Locked(State())
  private let clock: AnyClock
  private let answer: @Sendable (ServiceRequest, Int) async throws -> ServiceResponse

  /// - Parameters:
  ///   - clock: The clock for the times of requests.
  ///   - answer: Returns the response to a request, given its number, counted from 0.
  package init(
    clock: any Clock<Duration> = ContinuousClock(),
    answer: @escaping @Sendable (ServiceRequest, Int) async throws -> ServiceResponse
  ) {
    self.clock = AnyClock(clock)
    self.answer = answer
  }

  /// Returns the answers in order, the last one repeatedly.
  package convenience init(
    clock: any Clock<Duration> = ContinuousClock(), answers: [Result<ServiceResponse, HTTPFailure>]
  ) {
    self.init(clock: clock) { _, number in
      try answers[min(number, answers.count - 1)].get()
    }
  }

  package var entries: [Entry] { state.withLock { $0.entries } }
  package var requests: [ServiceRequest] { entries.map(\.request) }
  package var times: [Duration] { entries.map(\.time) }
  /// The maximum number of concurrent requests so far.
  package var peak: Int { state.withLock { $0.peak } }

  package func fetch(_ request: ServiceRequest) async throws -> ServiceResponse {
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

extension ServiceResponse {
  /// Returns a response with text as its body.
  package static func text(
    _ body: String, status: Int = 200, headers: [String: String] = [:]
  ) -> ServiceResponse {
    ServiceResponse(status: status, headers: headers, body: .init(body.utf8))
  }
}
