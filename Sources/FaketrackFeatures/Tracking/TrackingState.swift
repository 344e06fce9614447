import Geodesy
import Locations

/// What is known of a walk under way: all that a screen shows of it.
package struct TrackingState: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// Nothing has been asked for.
    case idle
    case running
    case paused
    /// The end of the walk was reached.
    case finished
    /// Someone stopped it.
    case stopped
    /// The walk broke off; the text says why.
    case failed(String)
  }

  /// The newest visits that are kept, which is also how many photos Flickr lets be shown at once.
  package static let visitsKept = 30

  package var phase: Phase = .idle
  /// The permission, once the provider has told it.
  package var authorization: AuthorizationStatus?
  /// Whether there is a signal.
  package var isAvailable = true
  /// The newest location.
  package var fix: Fix?
  /// The newest visits whose search is done, the oldest first.
  package var visits: [Visit] = []
  /// New locations so far.
  package var locations = 0
  /// Locations whose search is done.
  package var searched = 0
  /// Locations with a photo.
  package var photos = 0
  /// Locations whose search failed for good, or whose photo could not be kept.
  package var failures = 0
  /// The newest reason of a failure.
  package var failure: String?

  package init() {}

  /// Metres walked along the track, as far as the provider tells.
  package var distance: Double { fix?.distance ?? 0 }

  /// Whether the walk goes on.
  package var isUnderWay: Bool { phase == .running || phase == .paused }
}

/// What happens on a walk.
package enum TrackingEvent: Hashable, Sendable {
  case started
  case updated(LocationUpdate)
  case visited(Visit)
  case paused
  case resumed
  case finished
  case stopped
  case failed(String)
}

extension TrackingState {
  /// Takes in what happened.
  package mutating func apply(_ event: TrackingEvent) {
    switch event {
    case .started:
      self = TrackingState()
      phase = .running
    case .updated(.authorization(let status)):
      authorization = status
    case .updated(.unavailable):
      isAvailable = false
    case .updated(.fix(let fix)):
      isAvailable = true
      locations += 1
      self.fix = fix
    case .visited(let visit):
      apply(visit)
    case .paused:
      if phase == .running { phase = .paused }
    case .resumed:
      if phase == .paused { phase = .running }
    case .finished:
      phase = .finished
    case .stopped:
      phase = .stopped
    case .failed(let reason):
      phase = .failed(reason)
    }
  }

  private mutating func apply(_ visit: Visit) {
    searched += 1
    if visit.photo != nil { photos += 1 }
    if let error = visit.error {
      failures += 1
      failure = error
    }
    visits.append(visit)
    if visits.count > Self.visitsKept { visits.removeFirst(visits.count - Self.visitsKept) }
  }
}
