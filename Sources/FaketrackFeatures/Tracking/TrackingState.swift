import Cities
import Foundation
import Geodesy
import Locations
import PhotoSearch

/// Everything that the screens show of the walk.
package struct TrackingState: Equatable, Sendable {
  package enum Phase: Equatable, Sendable {
    /// No walk has been started.
    case idle
    case running
    case paused
    /// There is no permission; the walk continues once it is granted.
    case blocked
    /// The end of the track was reached.
    case finished
    /// The user stopped it.
    case stopped
    /// The walk could not begin, or broke off.
    case failed(Failure)
  }

  /// The number of the walk; a new one begins without photos.
  package var walk = 0
  /// The track that is walked, or will be; `nil` where there is none.
  package var track: Int?
  package var speed: ReplaySpeed
  package var phase: Phase = .idle
  /// The permission, once the provider has reported it or the user has answered.
  package var authorization: AuthorizationStatus?
  /// Whether there is a signal.
  package var isAvailable = true
  /// The newest location.
  package var fix: Fix?
  /// The nearest city to the newest location; `nil` where none is near enough.
  package var city: NearbyCity?
  /// Where the walker is, on the way from one location to the next as well; `nil` where that is not
  /// known.
  package var walker: TrackShape.Place?
  /// The parts of the track that were walked, in meters, the newest last.
  package var legs: [ClosedRange<Double>] = []
  /// New locations since the walk began or moved to another place.
  package var locations = 0
  /// Locations that have been delivered: those whose photo search is done.
  package var searched = 0
  /// Locations with a photo.
  package var found = 0
  /// Locations whose search failed for good, or whose photo could not be downloaded.
  package var failures = 0
  /// Locations whose photo was found and could not be downloaded.
  package var failedDownloads = 0
  /// The newest reason of a failure.
  package var failure: String?
  /// Meters along the track at which the latest series of failed searches began.
  package var failingSince: Double?
  /// The newest location that was delivered, without its photo.
  package var lastVisit: Visit?
  package var photos = PhotoLog()
  /// What was asked of the photo services; known once the walk has ended.
  package var searches: PhotoCounts?

  /// The most legs that are remembered.
  static let legLimit = 64

  package init(track: Int? = nil, speed: ReplaySpeed = .realTime) {
    self.track = track
    self.speed = speed
  }

  /// Meters along the track.
  package var distance: Double { max(locatedDistance, walker?.distance ?? 0) }

  /// Meters along the track up to the newest location.
  private var locatedDistance: Double { fix?.distance ?? legs.last?.lowerBound ?? 0 }

  /// Where the walker is, unless the newest location lies farther along the track.
  private var placeBeyondFix: TrackShape.Place? {
    walker.flatMap { $0.distance >= (fix?.distance ?? 0) ? $0 : nil }
  }

  /// The position of the walker, once there has been a location.
  package var position: Coordinate? { placeBeyondFix?.coordinate ?? fix?.coordinate }

  /// Degrees from true north; `nil` where it is not known or nobody moves.
  package var course: Double? {
    if let placeBeyondFix { return placeBeyondFix.course }
    return fix?.course
  }

  /// Meters above sea level.
  package var elevation: Double? { placeBeyondFix?.elevation ?? fix?.elevation }

  /// The recorded time at the place of the walker.
  package var time: Date? { placeBeyondFix?.time ?? fix?.time }

  /// Meters along the track up to which all locations have been delivered.
  package var deliveredDistance: Double {
    if searched == locations { return locatedDistance }
    // Before the first visit of a leg, the last one is that of the leg before.
    return (searched > 0 ? lastVisit?.fix.distance : legs.last?.lowerBound) ?? 0
  }

  /// Whether there is a walk, even if it is held.
  package var isUnderWay: Bool { phase == .running || phase == .paused || phase == .blocked }

  /// Whether the user has yet to be asked for the permission, or has refused it.
  package var lacksPermission: Bool { authorization.map { !$0.isAuthorized } ?? false }

  /// Whether no walk gets anywhere until the permission is granted.
  package var isRefused: Bool { authorization?.isRefusal ?? false }
}

extension AuthorizationStatus {
  /// Whether the user or the device has said no.
  var isRefusal: Bool { self == .denied || self == .restricted }
}

/// What happens on a walk.
package enum TrackingEvent: Sendable {
  /// Another walk is about to begin, without the photos of the previous one.
  case reset(track: Int)
  /// The walk begins or continues at this many meters along the track.
  case started(at: Double)
  /// What the provider reported, and the nearest city to the newest location in it.
  case updated([LocationUpdate], city: NearbyCity? = nil)
  /// The walker has come to a place.
  case moved(to: TrackShape.Place)
  /// Visits that have been delivered.
  case visited([Visit])
  case speedChanged(ReplaySpeed)
  case paused
  case resumed
  /// The user has answered whether the location may be used.
  case answered(AuthorizationStatus)
  /// The walk waits for the permission.
  case blocked(PhotoCounts?)
  case finished(PhotoCounts?)
  case stopped(PhotoCounts?)
  case failed(Failure, PhotoCounts?)
}

extension TrackingState {
  /// Applies an event.
  package mutating func apply(_ event: TrackingEvent) {
    switch event {
    case .reset(let track):
      let walk = walk + 1
      self = TrackingState(track: track, speed: speed)
      self.walk = walk
    case .started(let distance):
      start(at: distance)
    case .updated(let updates, let city):
      let before = locations
      for update in updates { apply(update) }
      if locations > before { self.city = city }
    case .moved(let place):
      move(to: place)
    case .visited(let visits):
      // By index, because a visit is large and iterating would copy each.
      for index in visits.indices { apply(visits[index]) }
      lastVisit = visits.last ?? lastVisit
      lastVisit?.photo = nil
    case .speedChanged(let speed):
      self.speed = speed
    case .paused:
      if phase == .running { phase = .paused }
    case .resumed:
      if phase == .paused { phase = .running }
    case .answered(let status):
      authorization = status
    case .blocked(let counts):
      end(.blocked, counts)
    case .finished(let counts):
      end(.finished, counts)
    case .stopped(let counts):
      end(.stopped, counts)
    case .failed(let failure, let counts):
      end(.failed(failure), counts)
    }
  }

  private mutating func start(at distance: Double) {
    let before = self
    self = TrackingState(track: before.track, speed: before.speed)
    walk = before.walk
    photos = before.photos
    lastVisit = before.lastVisit
    city = before.city
    legs = before.legs.suffix(Self.legLimit - 1) + [distance...distance]
    phase = .running
  }

  private mutating func apply(_ update: LocationUpdate) {
    switch update {
    case .authorization(let status):
      authorization = status
    case .unavailable:
      isAvailable = false
    case .fix(let fix):
      isAvailable = true
      locations += 1
      self.fix = fix
      if let distance = fix.distance { extendLeg(to: distance) }
    }
  }

  /// Nobody is seen to move without a signal or the permission.
  private mutating func move(to place: TrackShape.Place) {
    guard phase == .running || phase == .finished, isAvailable, !lacksPermission,
      fix != nil, place.distance >= distance
    else { return }
    walker = place
    extendLeg(to: place.distance)
  }

  /// Noise never moves a walker back along the track.
  private mutating func extendLeg(to distance: Double) {
    guard let leg = legs.last, distance > leg.upperBound else { return }
    legs[legs.count - 1] = leg.lowerBound...distance
  }

  private mutating func apply(_ visit: Visit) {
    searched += 1
    if visit.photo != nil { found += 1 }
    if let error = visit.error {
      failures += 1
      if visit.photo != nil { failedDownloads += 1 }
      failure = error
      failingSince = failingSince ?? visit.fix.distance
    } else {
      failingSince = nil
    }
    photos.record(visit)
  }

  private mutating func end(_ phase: Phase, _ counts: PhotoCounts?) {
    self.phase = phase
    searches = counts
  }
}

/// The photos of a walk in bounded memory: the newest in full, and the positions of many more.
package struct PhotoLog: Hashable, Sendable {
  package struct Card: Hashable, Sendable {
    /// The number of the photo on this walk, from 1.
    package var number: Int
    package var visit: Visit

    package init(number: Int, visit: Visit) {
      self.number = number
      self.visit = visit
    }
  }

  package struct Pin: Hashable, Sendable {
    package var number: Int
    package var coordinate: Coordinate
    /// Meters along the track.
    package var distance: Double?
  }

  /// What came after a photo, the oldest first; every card also has a pin.
  package struct Additions: Hashable, Sendable {
    package var pins: [Pin]
    package var cards: [Card]

    package init(pins: [Pin], cards: [Card]) {
      self.pins = pins
      self.cards = cards
    }
  }

  /// Flickr's terms allow no more than 30 photos on a page.
  package static let cardLimit = 30
  package static let pinLimit = 2_000

  package private(set) var cards: [Card] = []
  package private(set) var pins: [Pin] = []
  /// The photos so far.
  package private(set) var count = 0

  package init() {}

  /// Records a visit; one without a photo changes nothing.
  package mutating func record(_ visit: Visit) {
    guard let photo = visit.photo else { return }
    count += 1
    cards.append(Card(number: count, visit: visit))
    if cards.count > Self.cardLimit { cards.removeFirst() }
    pins.append(
      Pin(
        number: count, coordinate: photo.coordinate ?? visit.fix.coordinate,
        distance: visit.fix.distance))
    // Removes many at a time, since each removal moves all the others.
    if pins.count > Self.pinLimit + Self.pinLimit / 8 {
      pins.removeFirst(pins.count - Self.pinLimit)
    }
  }

  /// What came after the photo with this number; `nil` if part of it is no longer known.
  package func additions(after number: Int) -> Additions? {
    guard (0...count).contains(number), count - number <= pins.count else { return nil }
    return Additions(
      pins: Array(pins.suffix(count - number)),
      cards: Array(cards.suffix(min(count - number, cards.count))))
  }
}
