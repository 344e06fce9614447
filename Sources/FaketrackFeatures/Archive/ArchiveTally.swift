import Locations
import PhotoSearch

/// What came of one of many tracks.
package struct TrackOutcome: Sendable {
  package var totals: TrackTotals
  /// Why it is not whole.
  package var failure: Failure?
  /// Photo searches, whether they reached a service or not.
  package var searches: Int
  package var unusableTimes: UnusableTimes

  package init(
    _ totals: TrackTotals, failure: Failure? = nil, searches: Int = 0,
    unusableTimes: UnusableTimes = UnusableTimes()
  ) {
    self.totals = totals
    self.failure = failure
    self.searches = searches
    self.unusableTimes = unusableTimes
  }

  /// A track that failed before it began.
  package init(_ failure: Failure) {
    self.init(TrackTotals(locations: 0, photos: 0, length: 0, skipped: 0), failure: failure)
  }

  package var end: TrackEnd { failure.map { .failed($0.message) } ?? .whole(totals) }
}

/// What has come of many tracks so far.
package struct ArchiveTally: Sendable {
  /// Tracks that have ended, those that failed among them.
  package private(set) var tracks = 0
  package private(set) var failed = 0
  /// The sums over all tracks.
  package private(set) var totals = TrackTotals(locations: 0, photos: 0, length: 0, skipped: 0)
  package private(set) var searches = 0
  package private(set) var unusableTimes = UnusableTimes()
  private var failureKinds: Set<Failure.Kind> = []

  package init() {}

  package mutating func add(_ outcome: TrackOutcome) {
    tracks += 1
    if let failure = outcome.failure {
      failed += 1
      failureKinds.insert(failure.kind)
    }
    totals.locations += outcome.totals.locations
    totals.photos += outcome.totals.photos
    totals.length += outcome.totals.length
    totals.skipped += outcome.totals.skipped
    searches += outcome.searches
    unusableTimes.missing += outcome.unusableTimes.missing
    unusableTimes.repeated += outcome.unusableTimes.repeated
    unusableTimes.backward += outcome.unusableTimes.backward
    unusableTimes.jumps += outcome.unusableTimes.jumps
  }

  /// What kind of failure the whole is, if it is one: a service or the permission if that is all that
  /// was missing, else an input that cannot be used.
  package var failureKind: Failure.Kind? {
    switch failureKinds {
    case []: nil
    case [.serviceUnavailable]: .serviceUnavailable
    case [.permissionDenied]: .permissionDenied
    default: .unusableInput
    }
  }
}
