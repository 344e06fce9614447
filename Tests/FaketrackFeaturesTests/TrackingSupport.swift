import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import GPX
import Locations
import PhotoSearch

@testable import FaketrackFeatures

/// A photo source that responds as a test specifies, and counts the searches.
final class ScriptedSearch: PhotoSearching {
  private struct Counts: Hashable {
    var begun = 0
    var underWay = 0
    var peak = 0
  }

  let identity = "scripted"
  let maximumRadius = 10_000.0
  private let counts = StateStore(Counts())
  private let answer: @Sendable (ScriptedSearch, PhotoQuery, Int) async throws -> PhotoPage

  /// - Parameter answer: receives this source, the query and its number, counted from 0.
  init(
    answer: @escaping @Sendable (ScriptedSearch, PhotoQuery, Int) async throws -> PhotoPage = {
      _, query, _ in .around(query)
    }
  ) {
    self.answer = answer
  }

  /// The number of started searches.
  var begun: Int { counts.state.begun }
  /// The maximum number of concurrent searches.
  var peak: Int { counts.state.peak }

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    var number = 0
    counts.update { counts in
      number = counts.begun
      counts.begun += 1
      counts.underWay += 1
      counts.peak = max(counts.peak, counts.underWay)
    }
    defer { counts.update { $0.underWay -= 1 } }
    return try await answer(self, query, number)
  }

  /// Returns when this many searches have started.
  func waitForStart(of count: Int) async {
    await counts.first { $0.begun >= count }
  }

  /// Returns when no search is running.
  func waitUntilIdle() async {
    await counts.first { $0.underWay == 0 }
  }
}

/// Waits until the task is canceled.
func waitForCancellation() async throws {
  // This clock never advances.
  try await VirtualClock().sleep(for: .seconds(1))
}

extension PhotoPage {
  /// Five photos at the center of a search's cell, named after it.
  static func around(_ query: PhotoQuery) -> PhotoPage {
    let place = "\(query.center.latitude),\(query.center.longitude)"
    return PhotoPage(
      photos: (0..<5).map { .plain("\(place)#\($0)", at: query.center) }, isLast: true)
  }
}

extension Photo {
  static func plain(_ id: String, at coordinate: Coordinate? = nil) -> Photo {
    Photo(
      id: id, title: "Photo", owner: "Owner",
      imageURL: URL(literal: "https://photos.example/photo.jpg"),
      coordinate: coordinate)
  }
}

extension Coordinate {
  /// A position known to be valid.
  init(unchecked latitude: Double, _ longitude: Double) {
    do {
      try self.init(latitude: latitude, longitude: longitude)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

/// Tracks for tests.
enum TestTrack {
  /// Fixes on a meridian, each slightly more than a kilometer from the previous one, so that each
  /// is in a separate cell.
  static func kilometers(_ count: Int) -> [Fix] {
    let start = Coordinate(unchecked: 52, 13)
    return (0..<count).map { number in
      Fix(start.destination(distance: Double(number) * 1_000.001, bearing: 0))
    }
  }

  /// The index of the fix of ``kilometers(_:)`` that a search is for.
  static func number(of query: PhotoQuery) -> Int {
    let start = Coordinate(unchecked: 52, 13)
    return Int((start.distance(to: query.center) / 1_000).rounded())
  }

  static func provider(
    _ fixes: [Fix], speed: ReplaySpeed = .max, authorization: [AuthorizationChange] = []
  ) -> ReplayLocationProvider {
    ReplayLocationProvider(
      fixes, distanceFilter: 1_000, speed: speed, clock: VirtualClock(),
      authorization: authorization)
  }

  /// A straight track to the east with a point every 50 meters, as GPX.
  static func gpx(kilometers: Double) -> String {
    let points = (0...Int(kilometers * 20)).map { number in
      let longitude = 13 + Double(number) * 50 / 67_900
      return "<trkpt lat=\"52.4\" lon=\"\(longitude)\"><ele>\(30 + number % 7)</ele></trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }

  /// A GPX file in memory.
  static func file(_ gpx: String, name: String = "walk.gpx") -> Track {
    Track(.bytes(Array(gpx.utf8), name: name))
  }

  /// A visit with a photo numbered like the visit.
  static func visit(_ number: Int, hasPhoto: Bool = true) -> Visit {
    let place = Coordinate(unchecked: 52, 13 + Double(number) / 1_000)
    return Visit(
      index: number, fix: Fix(place, distance: Double(number) * 100),
      photo: hasPhoto ? .plain("\(number)") : nil)
  }
}

/// A provider with scripted updates, which counts the requests for them.
final class ScriptedLocations: LocationProviding {
  private let updatesInOrder: [LocationUpdate]
  private let error: (any Error)?
  /// The number of requested updates.
  let asked = StateStore(0)

  /// - Parameter error: the error to throw after the last update.
  init(_ updates: [LocationUpdate], error: (any Error)? = nil) {
    updatesInOrder = updates
    self.error = error
  }

  convenience init(_ fixes: [Fix]) {
    self.init(fixes.map(LocationUpdate.location))
  }

  func updates() -> LocationUpdates {
    LocationUpdates { [updatesInOrder, error, asked] in
      var rest = updatesInOrder[...]
      return { _ in
        asked.update { $0 += 1 }
        if rest.isEmpty, let error { throw error }
        return rest.popFirst()
      }
    }
  }
}

/// Records changes of the pace.
final class RecordingPace: PaceControlling {
  private let log = Locked<[String]>([])
  private let reached = Locked<Duration?>(nil)

  var changes: [String] { log.withLock { $0 } }

  /// The position that the replay reports.
  var elapsed: Duration? {
    get { reached.withLock(\.self) }
    set { reached.withLock { $0 = newValue } }
  }

  func pause() { log.withLock { $0.append("pause") } }

  func resume() { log.withLock { $0.append("resume") } }

  var speed: ReplaySpeed {
    get { .realTime }
    set { log.withLock { $0.append(newValue.name) } }
  }
}

/// The delivered visits, in order.
final class VisitLog: Sendable {
  private let log = Locked<[Visit]>([])

  var visits: [Visit] { log.withLock { $0 } }

  /// Receives visits, and delivers all of them.
  func append(_ visits: [Visit]) -> Int {
    log.withLock { $0 += visits }
    return visits.count
  }
}

/// Makes the walks of a view model, each a replay on a clock that only the test advances, and
/// records the requests.
final class WalkFactory: Sendable {
  struct CannotWalk: Error {}

  private struct Weak: Sendable {
    weak var provider: ReplayLocationProvider?
  }

  private let log = Locked<[TrackingRequest]>([])
  private let providers = Locked<[Weak]>([])
  private let authorization: [AuthorizationChange]
  private let search: (any PhotoSearching)?
  private let fails: Locked<Bool>

  /// - Parameter fails: whether making a walk fails at first.
  init(
    authorization: [AuthorizationChange] = [], search: (any PhotoSearching)? = ScriptedSearch(),
    fails: Bool = false
  ) {
    self.authorization = authorization
    self.search = search
    self.fails = Locked(fails)
  }

  /// The requests, in order.
  var requests: [TrackingRequest] { log.withLock { $0 } }

  /// The provider of the newest walk, while it exists.
  var newest: ReplayLocationProvider? { providers.withLock { $0.last?.provider } }

  /// The number of walks that still exist.
  var living: Int { providers.withLock { $0.count { $0.provider != nil } } }

  /// Lets making walks succeed from now on.
  func mend() { fails.withLock { $0 = false } }

  @Sendable func make(_ request: TrackingRequest) throws -> Walk {
    log.withLock { $0.append(request) }
    if fails.withLock({ $0 }) { throw CannotWalk() }
    let fixes = try GPXDocument(reading: request.track.input).fixes
    let provider = ReplayLocationProvider(
      fixes, distanceFilter: 100, speed: request.speed, clock: VirtualClock(),
      authorization: request.answer.map { [.change(to: $0, at: .start)] } ?? authorization,
      options: ReplayOptions(start: request.start.map(ReplayPosition.meters) ?? .start))
    providers.withLock { $0.append(Weak(provider: provider)) }
    return Walk(
      locations: provider, pace: provider, photos: search.map { PhotoPicker($0) },
      endsWhenDenied: true, endsWhenAsking: true)
  }

  /// A view model with walks from this factory; by default it has one track of two kilometers.
  @MainActor
  func model(
    _ tracks: [Track] = [TestTrack.file(TestTrack.gpx(kilometers: 2))],
    speed: ReplaySpeed = .max, permission: AuthorizationStatus = .authorizedWhenInUse,
    readsShapes: Bool = false, deliver: @escaping Walk.Deliver = { $0.count }
  ) -> TrackingViewModel {
    TrackingViewModel(
      catalog: TrackCatalog(tracks, readsShapes: readsShapes), speed: speed, permission: permission,
      makeWalk: make, deliver: deliver)
  }
}

extension TrackingViewModel {
  /// Waits for the end of the walk; canceling the task ends it.
  ///
  /// - Throws: the failure of the walk; `CancellationError` if it was stopped.
  func waitForEnd() async throws {
    _ = await running?.task.join()
    switch state.phase {
    case .failed(let failure): throw failure
    case .stopped: throw CancellationError()
    case .idle, .running, .paused, .blocked, .finished: break
    }
  }
}
