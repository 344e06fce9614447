import Cities
import FaketrackFeatures
import FaketrackServices
import Foundation
import GPX
import Geodesy
import Locations
import Synchronization

@testable import FaketrackWeb
@testable import PhotoSearch

/// Favorites in memory.
actor KeptFavorites: FavoritesStoring {
  private var ids: Set<Int> = []

  func favorites() -> Set<Int> { ids }

  func addFavorites(_ new: Set<Int>) -> Set<Int> {
    defer { ids.formUnion(new) }
    return new.subtracting(ids)
  }

  func removeFavorites(_ old: Set<Int>) -> Set<Int> {
    defer { ids.subtract(old) }
    return old.intersection(ids)
  }
}

/// An encyclopedia that says one thing of every city, or fails.
struct OneSummary: CitySummarizing {
  struct Failure: Error {}

  var text: String?

  func summary(of city: City) async throws -> CitySummary? {
    guard let text else { throw Failure() }
    return CitySummary(title: city.name, extract: text)
  }
}

/// A feed with a given content.
struct OneFeed: FeedLoading {
  var json: String

  func feed() async throws -> Data { Data(json.utf8) }
}

/// Photos with texts of one's choice, a new one each time.
struct TitledPhotos: PhotoSearching {
  var identity: String { "titled" }
  var maximumRadius: Double { 32_000 }
  var title: String
  var owner: String
  var page: String

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    guard let url = URL(string: "https://photos.example/image.jpg") else {
      return PhotoPage(photos: [], isLast: true)
    }
    let photo = Photo(
      id: "\(query.center)", title: title, owner: owner, url: url, page: URL(string: page),
      coordinate: query.center)
    return PhotoPage(photos: [photo], isLast: true)
  }
}

enum Walks {
  /// A straight walk to the east with a point every 50 metres, as GPX.
  static func gpx(kilometers: Double) -> String {
    let points = (0...Int(kilometers * 20)).map { number in
      "<trkpt lat=\"52.4\" lon=\"\(13 + Double(number) * 50 / 67_900)\"><ele>\(30 + number % 7)</ele>"
        + "</trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }

  static func track(kilometers: Double, name: String = "walk.gpx") -> WebTrack {
    WebTrack(name: name, input: .bytes(Array(gpx(kilometers: kilometers).utf8), name: name))
  }

  /// A photo of a walk, with its place in the stream as its name.
  static func visit(_ number: Int, hasPhoto: Bool = true) throws -> Visit {
    let place = try Coordinate(latitude: 52, longitude: 13 + Double(number) / 1_000)
    var visit = Visit(index: number, fix: Fix(place, distance: Double(number) * 100))
    if hasPhoto, let url = URL(string: "https://photos.example/\(number).jpg") {
      visit.photo = Photo(id: "\(number)", title: "Photo \(number)", owner: "Somebody", url: url)
    }
    return visit
  }
}

/// What a session walks with in tests: the real provider on a clock of its own, sample photos.
final class WalkWorkshop: Sendable {
  struct Weak: Sendable {
    weak var provider: (any PaceControlling & AnyObject)?
  }

  struct CannotWalk: Error {}

  private let plans = Mutex<[WalkPlan]>([])
  private let providers = Mutex<[Weak]>([])
  private let photos: PhotoSource?
  private let authorization: [AuthorizationChange]
  /// Whether the clock stands still, so that a walk stays where it is.
  private let isHeld: Bool
  private let fails: Bool

  init(
    photos: PhotoSource? = WalkWorkshop.samples, authorization: [AuthorizationChange] = [],
    isHeld: Bool = false, fails: Bool = false
  ) {
    self.photos = photos
    self.authorization = authorization
    self.isHeld = isHeld
    self.fails = fails
  }

  static var samples: PhotoSource? {
    try? PhotoSource.make(
      PhotoSourceSettings(.sample, sampleBase: SamplePhotos.base), in: ServiceEnvironment())
  }

  /// A source of photos with texts of one's choice.
  static func titled(_ title: String, owner: String, page: String) -> PhotoSource {
    PhotoSource(
      kind: .commons, mayFallBack: false,
      search: TitledPhotos(title: title, owner: owner, page: page), meter: SearchMeter())
  }

  /// What was asked for.
  var made: [WalkPlan] { plans.withLock { $0 } }

  /// The providers that still live.
  var living: Int { providers.withLock { $0.filter { $0.provider != nil }.count } }

  var makeWalk: WalkMaking {
    { [self] plan in
      plans.withLock { $0.append(plan) }
      if fails { throw CannotWalk() }
      return isHeld
        ? try parts(plan, on: VirtualClock()) : try parts(plan, on: ContinuousClock())
    }
  }

  private func parts<C: Clock>(
    _ plan: WalkPlan, on clock: C
  ) throws -> TrackingViewModel.Parts where C.Duration == Duration {
    let fixes = try GPXDocument(reading: plan.track.input).fixes
    let provider = ReplayLocationProvider(
      fixes, distanceFilter: 100, speed: plan.speed, clock: clock,
      authorization: plan.permission.map { [.initially($0)] } ?? authorization,
      itinerary: Itinerary(start: plan.start.map(ReplayPosition.meters)))
    providers.withLock { $0.append(Weak(provider: provider)) }
    return TrackingViewModel.Parts(
      locations: provider, pace: provider, photos: photos,
      cities: CityNamer(try CityIndex.builtIn(), within: 100_000), endsWhenDenied: true)
  }
}

extension WalkSession {
  /// Returns once the condition holds, which is looked at whenever something has changed.
  func wait(until condition: (WalkSession) -> Bool) async {
    for await _ in signals.signals() where condition(self) { return }
  }

  static func make(
    _ workshop: WalkWorkshop, kilometers: Double = 2, speed: ReplaySpeed = .max
  ) -> WalkSession {
    let library = TrackLibrary([Walks.track(kilometers: kilometers)])
    return WalkSession(library: library, speed: speed, makeWalk: workshop.makeWalk)
  }
}
