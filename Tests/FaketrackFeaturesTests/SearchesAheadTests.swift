import FaketrackServices
import FaketrackTestSupport
import Foundation
import Geodesy
import Locations
import PhotoSearch
import Synchronization
import Testing

@testable import FaketrackFeatures

/// How long a walk takes whose searches take a while.
@Suite(.timeLimit(.minutes(1))) @MainActor struct SearchesAheadTests {
  /// A service whose answers take 100 ms of a clock.
  private final class SlowService: HTTPFetching {
    private struct State {
      var started = 0
      var underWay = 0
      var peak = 0
      var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let clock: VirtualClock
    private let state = Mutex(State())

    init(clock: VirtualClock) {
      self.clock = clock
    }

    var peak: Int { state.withLock(\.peak) }
    var started: Int { state.withLock(\.started) }

    func fetch(_ request: HTTPRequest) async throws -> HTTPResponse {
      let end = clock.now.advanced(by: .milliseconds(100))
      let met = state.withLock { state in
        state.started += 1
        state.underWay += 1
        state.peak = max(state.peak, state.underWay)
        let met = state.waiters.filter { $0.count <= state.started }
        state.waiters.removeAll { $0.count <= state.started }
        return met
      }
      for waiter in met { waiter.continuation.resume() }
      defer { state.withLock { $0.underWay -= 1 } }
      try await clock.sleep(until: end)
      let id = "\(request.value(for: "lat") ?? "")\(request.value(for: "lon") ?? "")"
        .filter(\.isNumber)
      return .text(
        """
        {"photos":{"page":1,"pages":1,"photo":[{"id":"\(id)","owner":"1@N06","secret":"5ec",
        "server":"4843","title":""}]},"stat":"ok"}
        """)
    }

    /// Returns when so many searches have begun.
    func waitForStart(of count: Int) async {
      await withCheckedContinuation { continuation in
        let isMet = state.withLock { state in
          if state.started < count { state.waiters.append((count, continuation)) }
          return state.started >= count
        }
        if isMet { continuation.resume() }
      }
    }
  }

  /// Locations so far apart that each is a place of its own.
  private static func walk(_ count: Int) throws -> [Fix] {
    let start = try Coordinate(latitude: 52.4, longitude: 13.06)
    return (0..<count).map { Fix(start.destination(distance: Double($0) * 2_000, bearing: 80)) }
  }

  @Test(arguments: [(1, 10), (2, 5), (4, 3), (5, 2), (10, 1)])
  func tenSearchesOfATenthOfASecondTakeAsLongAsTheyMust(concurrency: Int, rounds: Int) async throws
  {
    let clock = VirtualClock()
    let service = SlowService(clock: clock)
    let source = try PhotoSource.make(
      PhotoSourceSettings(.flickr, flickrKey: "key", concurrency: concurrency),
      in: ServiceEnvironment(fetcher: service, clock: clock))
    let model = TrackingViewModel(
      TrackingViewModel.Parts(
        locations: ReplayLocationProvider(
          try Self.walk(10), speed: .max, clock: VirtualClock()),
        photos: source, concurrency: concurrency))
    let running = Task { try await model.run() }
    for round in 1...rounds {
      await service.waitForStart(of: min(10, round * concurrency))
      clock.advance(by: .milliseconds(100))
    }
    try await running.value
    #expect(clock.now.offset == .milliseconds(100 * rounds))
    #expect(service.started == 10)
    #expect(service.peak == concurrency)
    #expect(model.state.photos == 10)
  }
}
