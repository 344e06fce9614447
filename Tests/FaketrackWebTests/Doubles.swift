import Cities
import FaketrackSupport
import Foundation
import GPX
import Geodesy
import Locations
import PhotoSearch
import WorldCities

@testable import FaketrackFeatures
@testable import FaketrackWeb

/// A gate that tasks wait at until it is opened, and that counts their arrivals.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  init(isOpen: Bool = false) {
    state.withLock { $0.isOpen = isOpen }
  }

  /// Passes the gate once it is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let (isOpen, watchers) = state.withLock { state in
        state.arrivals += 1
        if !state.isOpen { state.waiting.append(continuation) }
        let arrivals = state.arrivals
        let met = state.watchers.filter { $0.count <= arrivals }.map(\.continuation)
        state.watchers.removeAll { $0.count <= arrivals }
        return (state.isOpen, met)
      }
      if isOpen { continuation.resume() }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Returns when so many tasks have come.
  func hasArrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.arrivals >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// An encyclopedia with the same text for every city, which may fail or wait at a gate.
final class StubSummaries: CitySummarizing {
  static let failure = Failure(message: "the encyclopedia is away", hint: "Try again later.")

  private let text: String?
  private let finds: Bool
  private let gate: Gate
  private let asked = Locked<[Int]>([])

  /// - Parameters:
  ///   - text: the text for every city; `nil` to fail.
  ///   - finds: whether there is an article.
  init(_ text: String? = "A town.", finds: Bool = true, gate: Gate = Gate(isOpen: true)) {
    self.text = text
    self.finds = finds
    self.gate = gate
  }

  /// The cities it was asked about, in order.
  var cities: [Int] { asked.withLock { $0 } }

  func summary(of city: City) async throws -> CitySummary? {
    asked.withLock { $0.append(city.id) }
    await gate.pass()
    guard let text else { throw Self.failure }
    guard finds else { return nil }
    return CitySummary(
      title: city.name, description: "a place", extract: text,
      url: URL(string: "https://en.wikipedia.org/wiki/X"))
  }
}

/// A feed with a given content, behind a gate.
final class StubFeed: FeedLoading {
  private let json: String
  private let gate: Gate
  private let count = Locked(0)
  private let refreshCount = Locked(0)

  init(_ json: String, gate: Gate = Gate(isOpen: true)) {
    self.json = json
    self.gate = gate
  }

  /// The number of loads of the feed.
  var loads: Int { count.withLock { $0 } }

  /// The number of loads that bypass caches.
  var refreshes: Int { refreshCount.withLock { $0 } }

  func feed(isRefresh: Bool) async throws -> Data {
    count.withLock { $0 += 1 }
    if isRefresh { refreshCount.withLock { $0 += 1 } }
    await gate.pass()
    return Data(json.utf8)
  }
}

/// Photos with given texts, another one for each place.
struct StubPhotos: PhotoSearching {
  var identity: String { "stub" }
  var maximumRadius: Double { 32_000 }
  var title = "A photo"
  var owner = "Somebody"
  var page = "https://photos.example/page"

  func photos(for query: PhotoQuery) async throws -> PhotoPage {
    guard let url = URL(string: "https://photos.example/image.jpg") else {
      return PhotoPage(photos: [], isLast: true)
    }
    let photo = Photo(
      id: "\(query.center)", title: title, owner: owner, imageURL: url, pageURL: URL(string: page),
      coordinate: query.center)
    return PhotoPage(photos: [photo], isLast: true)
  }
}

/// Makes walks for tests: the real provider on a virtual clock, with sample photos.
final class TestWalks: Sendable {
  struct CannotWalk: Error {}

  private let requests = Locked<[TrackingRequest]>([])
  private let search: any PhotoSearching
  private let authorization: [AuthorizationChange]
  private let fails: Bool

  init(
    photos: any PhotoSearching = SamplePhotoSearch(base: SamplePhotos.base),
    authorization: [AuthorizationChange] = [], fails: Bool = false
  ) {
    search = photos
    self.authorization = authorization
    self.fails = fails
  }

  /// The walks that were asked for, in order.
  var made: [TrackingRequest] { requests.withLock { $0 } }

  /// A walk on a clock that never advances, so only a walk at full speed makes progress.
  func walk(for request: TrackingRequest) throws -> Walk {
    requests.withLock { $0.append(request) }
    if fails { throw CannotWalk() }
    var fixes: [Fix] = []
    try request.track.fixes().read { event in
      guard case .fixes(let batch, _) = event else { return }
      fixes += batch
    }
    let provider = ReplayLocationProvider(
      fixes, distanceFilter: 100, speed: request.speed, clock: VirtualClock(),
      authorization: request.answer.map { [.change(to: $0, at: .start)] } ?? authorization,
      options: ReplayOptions(start: request.start.map(ReplayPosition.meters) ?? .start))
    return Walk(
      locations: provider, pace: provider, photos: PhotoPicker(search),
      cities: CityNames(NearestCityCursor(CityIndex.world, within: 100_000)), endsWhenDenied: true,
      endsWhenAsking: true)
  }
}

enum Walks {
  /// A straight walk to the east with a point every 50 meters, as GPX.
  static func gpx(kilometers: Double) -> String {
    let points = (0...Int(kilometers * 20)).map { number in
      "<trkpt lat=\"52.4\" lon=\"\(13 + Double(number) * 50 / 67_900)\"><ele>\(30 + number % 7)</ele>"
        + "</trkpt>"
    }
    return "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
  }

  static func track(kilometers: Double = 1, name: String = "walk.gpx") -> Track {
    track(gpx: gpx(kilometers: kilometers), name: name)
  }

  static func track(gpx: String, name: String) -> Track {
    Track(.bytes(Array(gpx.utf8), name: name))
  }

  static func shape(_ gpx: String) throws -> TrackShape {
    try TrackShape(reading: Track(.bytes(Array(gpx.utf8), name: nil)))
  }

  /// A location of a walk; its photo has its number.
  static func visit(_ number: Int, hasPhoto: Bool = true, error: String? = nil) throws -> Visit {
    let place = try Coordinate(latitude: 52, longitude: 13 + Double(number) / 1_000)
    var visit = Visit(
      index: number, fix: Fix(place, distance: Double(number) * 100), error: error)
    if hasPhoto, let url = URL(string: "https://photos.example/\(number).jpg") {
      visit.photo = Photo(
        id: "\(number)", title: "Photo \(number)", owner: "Somebody", imageURL: url)
    }
    return visit
  }

  /// A walk that is under way, with so many photos.
  static func state(photos count: Int = 0, track: Int = 1) throws -> TrackingState {
    var state = TrackingState(track: track)
    state.apply(.reset(track: track))
    state.apply(.started(at: 0))
    if count > 0 { try add(1...count, to: &state) }
    return state
  }

  static func add(_ numbers: ClosedRange<Int>, to state: inout TrackingState) throws {
    for number in numbers {
      let visit = try visit(number)
      state.apply(.updated([.location(visit.fix)]))
      state.apply(.visited([visit]))
    }
  }
}

/// A file that is being written while it is read.
final class OpenFile: Sendable {
  private let pipe = Pipe()

  /// The track that is in it.
  func track(name: String) -> Track {
    Track(.descriptor(pipe.fileHandleForReading.fileDescriptor, name: name))
  }

  /// Writes all of it.
  func finish(_ text: String) throws {
    try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try pipe.fileHandleForWriting.close()
  }
}

extension TrackingViewModel {
  /// Returns once the state is as wanted.
  func wait(until isWanted: (TrackingState) -> Bool) async {
    for await state in states() where isWanted(state) { return }
  }

  /// Walks the chosen track to its end.
  func walk() async {
    await send(.start(track: nil))
    await wait { !$0.isUnderWay }
  }
}

extension TrackingState.Phase {
  var isFailed: Bool { if case .failed = self { true } else { false } }
}
