import GPX
import Geodesy
import Locations

/// The totals of one or more tracks.
package struct TrackTotals: Hashable, Sendable {
  package var locations: Int
  package var photos: Int
  /// Meters from the start of the replayed part to the last location.
  package var length: Double
  /// Points that could not be used.
  package var skipped: Int

  package init(locations: Int = 0, photos: Int = 0, length: Double = 0, skipped: Int = 0) {
    self.locations = locations
    self.photos = photos
    self.length = length
    self.skipped = skipped
  }

  /// - Parameters:
  ///   - state: the walk at its end.
  ///   - skipped: points that could not be used.
  package init(_ state: TrackingState, skipped: Int) {
    self.init(
      locations: state.searched, photos: state.found,
      length: (state.lastVisit?.fix.distance ?? 0) - (state.origin ?? 0), skipped: skipped)
  }
}

/// The photos that are missing because a search or a download failed, for a reason that no failure
/// of a track reports.
package struct PhotoFailures: Hashable, Sendable {
  /// Locations whose search failed permanently.
  package var searches = 0
  /// Photos that were found and could not be downloaded.
  package var downloads = 0
  /// The reason of the first failure.
  package var first: String?

  package init() {}

  package init(_ state: TrackingState) {
    searches = state.failures - state.failedDownloads
    downloads = state.failedDownloads
    first = state.firstFailure
  }

  mutating func add(_ other: PhotoFailures) {
    searches += other.searches
    downloads += other.downloads
    first = first ?? other.first
  }
}

/// The result of one track of a run.
package struct TrackOutcome: Sendable {
  package var totals: TrackTotals
  /// The reason why the track is not whole.
  package var failure: Failure?
  /// Photo searches, including those answered without a call.
  package var searches: Int
  package var failures = PhotoFailures()
  package var unusableTimes: UnusableTimes
  /// Values of the input's points that GPX output leaves out.
  package var omissions: GPXOmissions = []

  package init(
    _ totals: TrackTotals = TrackTotals(), failure: Failure? = nil, searches: Int = 0,
    unusableTimes: UnusableTimes = UnusableTimes()
  ) {
    self.totals = totals
    self.failure = failure
    self.searches = searches
    self.unusableTimes = unusableTimes
  }
}

/// The results of a run so far.
package struct BatchTally: Sendable {
  /// Tracks that have ended, including those that failed.
  package private(set) var tracks = 0
  package private(set) var failed = 0
  package private(set) var totals = TrackTotals()
  package private(set) var searches = 0
  package private(set) var failures = PhotoFailures()
  package private(set) var unusableTimes = UnusableTimes()
  package private(set) var omissions: GPXOmissions = []
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
    failures.add(outcome.failures)
    omissions.formUnion(outcome.omissions)
    unusableTimes += outcome.unusableTimes
  }

  /// The kind of failure of the whole run: a service or the permission if every track failed for
  /// that cause, else an unusable input; `nil` if no track failed.
  package var failureKind: Failure.Kind? {
    switch failureKinds {
    case []: nil
    case _ where failed < tracks: .unusableInput
    case [.serviceUnavailable]: .serviceUnavailable
    case [.permissionDenied]: .permissionDenied
    default: .unusableInput
    }
  }
}
