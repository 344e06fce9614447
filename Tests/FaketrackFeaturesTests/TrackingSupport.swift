import FaketrackServices
import FaketrackSupport
import FaketrackTestSupport
import Foundation
import Geodesy
import GPX
import Locations
import PhotoSearch

@testable import FaketrackFeatures

/// A source of photos that answers as a test says, and counts the searches.
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

  /// - Parameter answer: gets this source, the query and its number, counted from 0.
  init(
    answer: @escaping @Sendable (ScriptedSearch, PhotoQuery, Int) async throws -> PhotoPage = {
      _, query, _ in .around(query)
    }
  ) {
    self.answer = answer
  }

  /// How many searches have begun.
  var begun: Int { counts.state.begun }
  /// The most searches that were under way at once.
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

  /// Returns when so many searches have begun.
  func waitForStart(of count: Int) async {
    await counts.first { $0.begun >= count }
  }

  /// Returns when no search is under way.
  func waitUntilIdle() async {
    await counts.first { $0.underWay == 0 }
  }
}

/// Waits until the task is cancelled.
func waitForCancellation() async throws {
  // Nobody moves this clock.
  try await VirtualClock().sleep(for: .seconds(1))
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
      id: id, title: "Photo", owner: "Owner", url: URL(literal: "https://photos.example/photo.jpg"),
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

/// Tracks that are walked in tests.
enum TestTrack {
  /// So many fixes on a meridian, each a kilometer and a trifle from the one before, so that each
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

  /// A straight track to the east with a point every 50 meters, as GPX.
  static func gpx(kilometers: Double) -> String {
    let points = (0...Int(kilometers * 20)).map { number in
      let longitude = 13 + Double(number) * 50 / 67_900
      return "<trkpt lat=\"52.4\" lon=\"\(longitude)\"><ele>\(30 + number % 7)</ele></trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }

  /// A file that holds GPX, in memory.
  static func file(_ gpx: String, name: String = "walk.gpx") -> TrackFile {
    TrackFile(name: name, input: .bytes(Array(gpx.utf8), name: name))
  }

  /// A visit with a photo that bears the number of the visit.
  static func visit(_ number: Int, hasPhoto: Bool = true) -> Visit {
    let place = Coordinate(unchecked: 52, 13 + Double(number) / 1_000)
    return Visit(
      index: number, fix: Fix(place, distance: Double(number) * 100),
      photo: hasPhoto ? .plain("\(number)") : nil)
  }
}

/// Locations that come as a script says, counted when they are asked for.
final class ScriptedLocations: LocationProviding {
  private let updatesInOrder: [LocationUpdate]
  private let error: (any Error)?
  /// How many updates were asked for.
  let asked = StateStore(0)

  /// - Parameter error: what is thrown after the last update.
  init(_ updates: [LocationUpdate], error: (any Error)? = nil) {
    updatesInOrder = updates
    self.error = error
  }

  convenience init(_ fixes: [Fix]) {
    self.init(fixes.map(LocationUpdate.fix))
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

/// Writes down how the pace was changed.
final class RecordingPace: PaceControlling {
  private let log = Locked<[String]>([])
  private let reached = Locked<Duration?>(nil)

  var changes: [String] { log.withLock { $0 } }

  /// What the replay is said to have come to.
  var elapsed: Duration? {
    get { reached.withLock(\.self) }
    set { reached.withLock { $0 = newValue } }
  }

  func pause() { log.withLock { $0.append("pause") } }

  func resume() { log.withLock { $0.append("resume") } }

  func setSpeed(_ speed: ReplaySpeed) { log.withLock { $0.append(speed.name) } }
}

/// The visits that were handed over, in order.
final class VisitLog: Sendable {
  private let log = Locked<[Visit]>([])

  var visits: [Visit] { log.withLock { $0 } }

  /// Takes visits, all of which it delivers.
  func append(_ visits: [Visit]) -> Int {
    log.withLock { $0 += visits }
    return visits.count
  }
}

/// Makes the walks of a view model, each a replay on a clock that only the test moves, and writes
/// down what was asked for.
final class TrackerFactory: Sendable {
  struct CannotWalk: Error {}

  private struct Weak: Sendable {
    weak var provider: ReplayLocationProvider<VirtualClock>?
  }

  private let log = Locked<[TrackingRequest]>([])
  private let providers = Locked<[Weak]>([])
  private let authorization: [AuthorizationChange]
  private let search: (any PhotoSearching)?
  private let fails: Locked<Bool>

  /// - Parameter fails: whether no walk can be made at first.
  init(
    authorization: [AuthorizationChange] = [], search: (any PhotoSearching)? = ScriptedSearch(),
    fails: Bool = false
  ) {
    self.authorization = authorization
    self.search = search
    self.fails = Locked(fails)
  }

  /// What was asked for, in order.
  var requests: [TrackingRequest] { log.withLock { $0 } }

  /// What the newest walk replays, as long as it lives.
  var newest: ReplayLocationProvider<VirtualClock>? { providers.withLock { $0.last?.provider } }

  /// How many walks hold their locations still.
  var living: Int { providers.withLock { $0.count { $0.provider != nil } } }

  /// Lets walks be made from now on.
  func mend() { fails.withLock { $0 = false } }

  @Sendable func make(_ request: TrackingRequest) throws -> Tracker {
    log.withLock { $0.append(request) }
    if fails.withLock({ $0 }) { throw CannotWalk() }
    let fixes = try GPXDocument(reading: request.track.input).fixes
    let provider = ReplayLocationProvider(
      fixes, distanceFilter: 100, speed: request.speed, clock: VirtualClock(),
      authorization: request.answer.map { [.initially($0)] } ?? authorization,
      options: ReplayOptions(start: request.start.map(ReplayPosition.meters)))
    providers.withLock { $0.append(Weak(provider: provider)) }
    return Tracker(
      locations: provider, pace: provider, photos: search.map { PhotoPicker($0) },
      endsWhenDenied: true, endsWhenAsking: true)
  }

  /// A view model whose walks this factory makes; by default it has one track of two kilometers.
  @MainActor
  func model(
    _ tracks: [TrackFile] = [TestTrack.file(TestTrack.gpx(kilometers: 2))],
    speed: ReplaySpeed = .max, permission: AuthorizationStatus = .authorizedWhenInUse,
    deliver: @escaping Tracker.Deliver = { $0.count }
  ) -> TrackingViewModel {
    TrackingViewModel(
      catalog: TrackCatalog(tracks, readsShapes: false), speed: speed, permission: permission,
      makeTracker: make, deliver: deliver)
  }
}
