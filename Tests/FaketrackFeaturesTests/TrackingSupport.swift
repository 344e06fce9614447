import FaketrackServices
import Foundation
import Geodesy
import Locations
import Synchronization

@testable import FaketrackFeatures
@testable import PhotoSearch

/// A source that answers as a test says, and keeps count.
final class ScriptedSearch: PhotoSearching {
  private struct State {
    var begun = 0
    var underWay = 0
    var peak = 0
    var waiters:
      [(isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  let identity = "scripted"
  let maximumRadius = 10_000.0
  private let state = Mutex(State())
  private let answer: @Sendable (ScriptedSearch, PhotoQuery, Int) async throws -> PhotoPage

  /// - Parameter answer: gets this source, the query and its number, counted from 0.
  init(
    answer: @escaping @Sendable (ScriptedSearch, PhotoQuery, Int) async throws -> PhotoPage = {
      _, query, _ in .around(query)
    }
  ) {
    self.answer = answer
  }

  var begun: Int { state.withLock(\.begun) }
  var peak: Int { state.withLock(\.peak) }

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    let number = update { state in
      state.begun += 1
      state.underWay += 1
      state.peak = max(state.peak, state.underWay)
      return state.begun - 1
    }
    defer { update { $0.underWay -= 1 } }
    return try await answer(self, query, number)
  }

  /// Returns when so many searches have begun.
  func hasBegun(_ count: Int) async {
    await wait { $0.begun >= count }
  }

  /// Returns when no search is under way.
  func isIdle() async {
    await wait { $0.underWay == 0 }
  }

  private func wait(_ isMet: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      update { $0.waiters.append((isMet, continuation)) }
    }
  }

  @discardableResult
  private func update<Value: Sendable>(_ change: @Sendable (inout State) -> Value) -> Value {
    let (value, woken) = state.withLock { state in
      let value = change(&state)
      let snapshot = state
      let woken = state.waiters.filter { $0.isMet(snapshot) }.map(\.continuation)
      state.waiters.removeAll { $0.isMet(snapshot) }
      return (value, woken)
    }
    for continuation in woken { continuation.resume() }
    return value
  }
}

extension PhotoSource {
  static func scripted(_ search: ScriptedSearch) -> PhotoSource {
    PhotoSource(kind: .sample, mayFallBack: false, search: search, meter: SearchMeter())
  }
}

extension PhotoPage {
  /// Five photos in the middle of a search's place, named by it.
  static func around(_ query: PhotoQuery) -> PhotoPage {
    let place = "\(query.center.latitude),\(query.center.longitude)"
    return PhotoPage(
      photos: (0..<5).map { .plain("\(place)#\($0)", at: query.center) }, isLast: true)
  }
}

extension Photo {
  static func plain(_ id: String, at coordinate: Coordinate? = nil) -> Photo {
    Photo(
      id: id, title: "Photo", owner: "Owner", url: URL(fileURLWithPath: "/photo"),
      coordinate: coordinate)
  }
}

extension Coordinate {
  /// A position that the test knows to be valid.
  init(unchecked latitude: Double, _ longitude: Double) {
    do {
      try self.init(latitude: latitude, longitude: longitude)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// Ways that are walked in tests.
enum TrackingWalk {
  /// So many fixes on a meridian, each a kilometre and a trifle from the one before, so that each
  /// has a place of its own to search.
  static func kilometers(_ count: Int) -> [Fix] {
    let start = Coordinate(unchecked: 52, 13)
    return (0..<count).map { number in
      Fix(start.destination(distance: Double(number) * 1_000.001, bearing: 0))
    }
  }

  /// Which of the fixes of ``kilometers(_:)`` a search is for.
  static func number(of query: PhotoQuery) -> Int {
    let start = Coordinate(unchecked: 52, 13)
    return Int((start.distance(to: query.center) / 1_000).rounded())
  }

  static func provider(
    _ fixes: [Fix], speed: ReplaySpeed = .max, authorization: [AuthorizationChange] = []
  ) -> ReplayLocationProvider<VirtualClock> {
    ReplayLocationProvider(
      fixes, distanceFilter: 1_000, speed: speed, clock: VirtualClock(),
      authorization: authorization)
  }
}

/// Fixes that are counted when they are asked for.
final class CountedLocations: LocationProviding {
  private let fixes: [Fix]
  private let count = Atomic(0)

  init(_ fixes: [Fix]) {
    self.fixes = fixes
  }

  /// How many updates were asked for.
  var asked: Int { count.load(ordering: .relaxed) }

  func updates() -> LocationUpdates {
    LocationUpdates { [self] in
      var rest = fixes[...]
      return { _ in
        self.count.wrappingAdd(1, ordering: .relaxed)
        return rest.popFirst().map { .fix($0) }
      }
    }
  }
}

/// Writes down how the pace was changed.
final class RecordingPace: PaceControlling {
  private let log = Mutex<[String]>([])

  var changes: [String] { log.withLock { $0 } }

  func pause() { log.withLock { $0.append("pause") } }

  func resume() { log.withLock { $0.append("resume") } }

  func setSpeed(_ speed: ReplaySpeed) { log.withLock { $0.append("\(speed)") } }
}
