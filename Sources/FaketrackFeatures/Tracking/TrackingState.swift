import Cities
import Foundation
import Geodesy
import Locations
import PhotoSearch

/// The state of the walk for all screens.
package struct TrackingState: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    case idle
    case running
    case paused
    /// Permission is missing; the walk continues once it is granted.
    case blocked
    case finished
    case stopped
    case failed(Failure)
  }

  package struct Look: Hashable, Sendable {
    /// Meters along the track.
    package let distance: Double
    /// `nil` until the track has been read.
    let place: TrackShape.Place?
  }

  /// The number of the walk; a new one begins without photos.
  package var walk = 0
  /// The number of commands that are done, or that a later one has overtaken.
  package var command = 0
  package var track: Int?
  /// The track in the catalog; `nil` once it has been dropped.
  package var entry: TrackCatalog.Entry?
  package var speed: ReplaySpeed
  /// The meters between two locations; `nil` as the walk was set up.
  package var distanceFilter: Double?
  /// The name of the photo source; `nil` as the walk was set up.
  package var photoSource: String?
  /// The minimum population of a city; `nil` if cities are omitted.
  package var minimumPopulation: Int?
  /// The target of a jump in progress, in meters along the track.
  package var destination: Double?
  package var phase: Phase = .idle
  /// The permission, once the provider has reported it or the user has decided.
  package var authorization: AuthorizationStatus?
  /// The user's decision about the permission; later walks keep it.
  package var answer: AuthorizationStatus?
  package var isAvailable = true
  package var fix: Fix?
  package var city: NearbyCity?
  /// The current position, also between two locations; `nil` if unknown.
  package var walker: TrackShape.Place?
  /// The position that was chosen since the arrival: looking at it is not walking.
  package private(set) var look: Look?
  /// The walked parts in meters: earlier ones in track order, the current one last.
  package var legs: [ClosedRange<Double>] = []
  /// Meters along the track at which the totals begin; `nil` for a part of the track until its
  /// first location.
  package var origin: Double? = 0
  /// New locations since the walk began or jumped.
  package var locations = 0
  /// Delivered locations: those whose photo search is done.
  package var searched = 0
  package var found = 0
  /// Locations whose search failed permanently, or whose photo could not be downloaded.
  package var failures = 0
  /// Locations whose photo was found but could not be downloaded.
  package var failedDownloads = 0
  /// The reason of the newest failure.
  package var failure: String?
  /// The reason of the first failure of the walk.
  package var firstFailure: String?
  /// Meters along the track at which the latest series of failed searches began.
  package var failingSince: Double?
  /// The newest delivered location, without its photo.
  package var lastVisit: Visit?
  package var photos = PhotoLog()
  package private(set) var history: PagedList<Visit>
  /// The index of each photo in the history.
  private var photoPositions: PagedList<Int>
  /// Call counts of the photo services; known once the walk has ended.
  package var searches: PhotoCounts?

  /// The maximum number of legs kept; the shortest ones are dropped.
  static let legLimit = 64
  private let initialPermission: AuthorizationStatus
  private let initialSpeed: ReplaySpeed
  package private(set) var searchesPhotos: Bool
  package let clocks: Clocks
  private let memory: Int
  /// Whether another walk replaces this one as soon as it ends, so that the stop is not shown.
  package var isBeingReplaced = false

  /// - Parameter memory: the number of visits to keep with their photos, besides the newest.
  package init(
    track: Int? = nil, speed: ReplaySpeed = .realTime,
    permission: AuthorizationStatus = .notDetermined, searchesPhotos: Bool = true,
    clocks: Clocks = .local, memory: Int = 0
  ) {
    self.track = track
    self.speed = speed
    initialSpeed = speed
    initialPermission = permission
    self.searchesPhotos = searchesPhotos
    self.clocks = clocks
    self.memory = memory
    history = PagedList(limit: memory)
    photoPositions = PagedList(limit: memory)
  }

  package var shape: TrackShape? { entry?.shape.value }

  /// Whether a receiver supplies the track: it ends at the walker, and its speed cannot be changed.
  package var isLive: Bool { entry?.isLive ?? false }

  /// The permission of the walk, or the initial permission of the next walk. With a receiver,
  /// `authorization` only says whether a receiver is connected, so it does not count.
  package var permission: AuthorizationStatus {
    answer ?? (isLive ? nil : authorization) ?? initialPermission
  }

  /// The position of the walker, or the position that is looked at, in meters along the track.
  package var distance: Double { look?.distance ?? max(locatedDistance, walker?.distance ?? 0) }

  /// Whether the position is before the end of a walk that has arrived.
  package var looksBack: Bool {
    look.map { $0.distance < (shape?.length ?? .infinity) - 1 } ?? false
  }

  /// Meters from the start of the replayed part to the walker.
  package var partDistance: Double { origin.map { distance - $0 } ?? 0 }

  /// Meters of the track that were walked, without counting overlaps twice.
  package var walkedDistance: Double {
    walkedParts.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  /// The totals of the walked parts, overlaps counted once; `nil` until the track has been read.
  package var walkedTotals: TrackShape.Totals? {
    shape.map { $0.totals(of: walkedParts) }
  }

  /// The walked parts in meters, in order and without overlaps.
  var walkedParts: [ClosedRange<Double>] { Self.union(of: legs) }

  private var locatedDistance: Double { fix?.distance ?? legs.last?.lowerBound ?? 0 }

  /// The place that is looked at, or the walker's, unless the newest location is farther along the track.
  private var placeBeyondFix: TrackShape.Place? {
    look?.place ?? walker.flatMap { $0.distance >= (fix?.distance ?? 0) ? $0 : nil }
  }

  package var position: Coordinate? { placeBeyondFix?.coordinate ?? fix?.coordinate }

  /// Degrees from true north; `nil` if unknown or when standing still.
  package var course: Double? {
    if let placeBeyondFix { return placeBeyondFix.course }
    return fix?.course
  }

  package var elevation: Double? { placeBeyondFix?.elevation ?? fix?.elevation }

  package var time: Date? { placeBeyondFix?.time ?? fix?.time }

  /// Meters along the track up to which all locations have been delivered.
  package var deliveredDistance: Double {
    if searched == locations { return locatedDistance }
    // Before the first visit of a leg, the last visit belongs to the leg before.
    return (searched > 0 ? lastVisit?.fix.distance : legs.last?.lowerBound) ?? 0
  }

  package var citiesPassed: [City] {
    var ids: Set<Int> = []
    return history.elements.compactMap { $0.city?.close?.city }
      .filter { ids.insert($0.id).inserted }
  }

  /// The card of the photo that was found nearest to the position along the track; `nil` without one
  /// within 500 m, or 1 % of a long track.
  package var currentCard: PhotoLog.Card? {
    let here = distance
    func away(_ pin: PhotoLog.Pin) -> Double { abs(pin.distance - here) }
    let nearest = photos.pins.min { away($0) < away($1) }
    guard let nearest, away(nearest) <= max(500, 0.01 * (shape?.length ?? 0)) else { return nil }
    return card(nearest.number)
  }

  /// The card of a photo by its number, from 1; `nil` if it is no longer kept.
  package func card(_ number: Int) -> PhotoLog.Card? {
    if let first = photos.cards.first?.number, (first...photos.count).contains(number) {
      return photos.cards[number - first]
    }
    guard number > 0, let position = photoPositions[number - 1] else { return nil }
    return history[position].map { PhotoLog.Card(number: number, visit: $0) }
  }

  /// The most cards that may be shown together, up to this photo, oldest first.
  package func cards(upTo number: Int) -> [PhotoLog.Card] {
    let last = min(number, photos.count)
    guard last > 0 else { return [] }
    return (max(1, last - PhotoLog.cardLimit + 1)...last).compactMap(card)
  }

  package var isUnderWay: Bool { phase == .running || phase == .paused || phase == .blocked }

  /// Whether the walk has begun and not arrived, so that starting another one would discard it.
  package var isUnfinished: Bool { (isUnderWay || phase == .stopped) && walkedDistance > 0 }

  package var canResume: Bool {
    switch phase {
    case .paused, .stopped: true
    case .idle: distance > 0
    // A receiver does not go back, so its walk continues.
    case .failed: isLive && distance > 0
    case .finished: looksBack
    case .running, .blocked: false
    }
  }

  package var lacksPermission: Bool { authorization.map { !$0.isAuthorized } ?? false }

  package var isRefused: Bool { authorization?.isRefusal ?? false }
}

extension AuthorizationStatus {
  var isRefusal: Bool { self == .denied || self == .restricted }
}

package enum TrackingEvent: Sendable {
  /// Another walk is about to begin, without the photos of the previous one.
  case reset(track: Int)
  /// The walk begins or continues at this many meters along the track.
  case started(at: Double, TrackShape.Place? = nil, city: NearbyCity? = nil)
  /// The walk is at this many meters along the track and stays there; one that has arrived only looks there.
  case placed(at: Double, TrackShape.Place?, city: NearbyCity? = nil)
  /// An update of the provider, and the city nearest to its newest location.
  case updated([LocationUpdate], city: NearbyCity? = nil)
  case moved(to: TrackShape.Place)
  case visited([Visit])
  case speedChanged(ReplaySpeed)
  /// Photos are searched in a source with this name, or nowhere.
  case sourceChanged(String)
  case paused
  case resumed
  case answered(AuthorizationStatus)
  case blocked(PhotoCounts?)
  case finished(PhotoCounts?)
  case stopped(PhotoCounts?)
  case failed(Failure, PhotoCounts?)
}

extension TrackingState {
  package mutating func apply(_ event: TrackingEvent) {
    switch event {
    case .reset(let track):
      let isSame = track == self.track
      self = settings(walk: walk + 1)
      self.track = track
      guard !isSame else { return }
      entry = nil
      // Full speed was meant for the walk before.
      if speed == .max { speed = initialSpeed }
    case .started(let distance, let place, let city):
      start(at: distance, place, city)
      phase = .running
    case .placed(let distance, let place, let city) where phase == .finished:
      look = Look(distance: distance, place: place)
      self.city = place == nil ? self.city : city
      destination = nil
    case .placed(let distance, let place, let city):
      let before = self
      start(at: distance, place, city)
      phase = [.idle, .paused, .blocked].contains(before.phase) ? before.phase : .stopped
      authorization = before.authorization
      isAvailable = before.isAvailable
    case .updated(let updates, let city):
      let before = locations
      for update in updates { apply(update) }
      if locations > before { self.city = city }
      // A receiver may be farther than its newest location.
      if let walker = entry?.walker { apply(.moved(to: walker)) }
    case .moved(let place):
      // The walker is not shown moving without a signal or the permission.
      guard phase == .running || phase == .finished, isAvailable, !lacksPermission,
        fix != nil, place.distance >= distance
      else { return }
      walker = place
      extendLeg(to: place.distance)
    case .visited(let visits):
      // By index, because a visit is large and iterating would copy each.
      for index in visits.indices { apply(visits[index]) }
      lastVisit = visits.last ?? lastVisit
      lastVisit?.photo = nil
    case .speedChanged(let speed):
      self.speed = speed
    case .sourceChanged(let name):
      photoSource = name
      searchesPhotos = name != PhotoSourceChoice.none.rawValue
    case .paused:
      if phase == .running { phase = .paused }
    case .resumed:
      if phase == .paused { phase = .running }
    case .answered(let status):
      authorization = status
      answer = status
    case .blocked(let counts):
      end(.blocked, counts)
    case .finished(let counts):
      end(.finished, counts)
    case .stopped(let counts):
      end(isBeingReplaced ? phase : .stopped, counts)
    case .failed(let failure, let counts):
      end(.failed(failure), counts)
    }
  }

  private func settings(walk: Int) -> TrackingState {
    var state = TrackingState(
      track: track, speed: initialSpeed, permission: initialPermission,
      searchesPhotos: searchesPhotos, clocks: clocks, memory: memory)
    state.speed = speed
    state.walk = walk
    state.command = command
    state.entry = entry
    state.minimumPopulation = minimumPopulation
    (state.distanceFilter, state.photoSource) = (distanceFilter, photoSource)
    state.answer = answer
    return state
  }

  private mutating func start(
    at distance: Double, _ place: TrackShape.Place?, _ city: NearbyCity?
  ) {
    let before = self
    self = settings(walk: walk)
    photos = before.photos
    history = before.history
    photoPositions = before.photoPositions
    lastVisit = before.lastVisit
    walker = place
    self.city = place == nil ? before.city : city
    legs = Self.longest(Self.union(of: before.legs)) + [distance...distance]
  }

  private static func longest(_ parts: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    var parts = parts
    func length(_ index: Int) -> Double { parts[index].upperBound - parts[index].lowerBound }
    while parts.count >= legLimit, let shortest = parts.indices.min(by: { length($0) < length($1) })
    {
      parts.remove(at: shortest)
    }
    return parts
  }

  /// The parts in order, with overlapping ones merged and empty ones removed.
  private static func union(of parts: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
    var union: [ClosedRange<Double>] = []
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound })
    where part.upperBound > part.lowerBound {
      if let last = union.last, last.upperBound >= part.lowerBound {
        union[union.count - 1] = last.lowerBound...max(last.upperBound, part.upperBound)
      } else {
        union.append(part)
      }
    }
    return union
  }

  private mutating func apply(_ update: LocationUpdate) {
    if let status = update.authorization { authorization = status }
    if update.locationUnavailable { isAvailable = false }
    if let fix = update.location {
      isAvailable = true
      locations += 1
      self.fix = fix
      origin = origin ?? fix.distance
      if let distance = fix.distance { extendLeg(to: distance) }
    }
  }

  /// Noise never moves a walker back along the track.
  private mutating func extendLeg(to distance: Double) {
    guard let leg = legs.last, distance > leg.upperBound else { return }
    legs[legs.count - 1] = leg.lowerBound...distance
  }

  private mutating func apply(_ visit: Visit) {
    if visit.placement?.isFurther != true { searched += 1 }
    guard !repeatsLastVisit(visit) else { return }
    if visit.photo != nil { found += 1 }
    if let error = visit.error {
      failures += 1
      if visit.photo != nil { failedDownloads += 1 }
      failure = error
      firstFailure = firstFailure ?? error
      failingSince = failingSince ?? visit.fix.distance
    } else {
      failingSince = nil
    }
    photos.record(visit)
    if visit.photo != nil { photoPositions.append(history.count) }
    history.append(visit)
  }

  /// Whether a visit is the first after an interruption, at the location of the last one before it.
  private func repeatsLastVisit(_ visit: Visit) -> Bool {
    guard !isLive, searched == 1, let lastVisit, lastVisit.error == nil else { return false }
    return visit.fix.distance == lastVisit.fix.distance
  }

  private mutating func end(_ phase: Phase, _ counts: PhotoCounts?) {
    self.phase = phase
    if !isBeingReplaced || !isUnderWay { destination = nil }
    isBeingReplaced = false
    searches = counts
  }
}

/// The photos of a walk in bounded memory: the newest in full, and the map positions of many more.
package struct PhotoLog: Hashable, Sendable {
  package struct Card: Hashable, Sendable {
    /// The number, starting at 1.
    package var number: Int
    package var visit: Visit
  }

  package struct Pin: Hashable, Sendable {
    package var number: Int
    package var coordinate: Coordinate
    /// Meters along the track of the location that it was found for.
    package var distance: Double
    /// The image.
    package var url: URL
  }

  /// Flickr's terms allow no more than 30 photos on a page.
  package static let cardLimit = 30
  package static let pinLimit = 20_000

  /// The cards, oldest first; each has a pin too.
  package private(set) var cards: [Card] = []
  package private(set) var pins: [Pin] = []
  package private(set) var count = 0

  package mutating func record(_ visit: Visit) {
    guard let photo = visit.photo else { return }
    count += 1
    cards.append(Card(number: count, visit: visit))
    if cards.count > Self.cardLimit { cards.removeFirst() }
    pins.append(
      Pin(
        number: count, coordinate: photo.coordinate ?? visit.fix.coordinate,
        distance: visit.fix.distance ?? 0, url: photo.imageURL))
    // Removes many at a time, since each removal moves all remaining elements.
    if pins.count > Self.pinLimit + Self.pinLimit / 8 {
      pins.removeFirst(pins.count - Self.pinLimit)
    }
  }

  /// The photos after the one with this number; `nil` if some of them are no longer kept.
  package func after(_ number: Int) -> PhotoLog? {
    guard (0...count).contains(number), count - number <= pins.count else { return nil }
    var later = self
    later.pins = Array(pins.suffix(count - number))
    later.cards = Array(cards.suffix(count - number))
    return later
  }
}
