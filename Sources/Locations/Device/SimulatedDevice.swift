import Geodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An update and its place on the track.
struct ReplayEvent: Sendable {
  var update: LocationUpdate
  var progress: TrackProgress
}

/// A device that moves along a track: fixes in, updates out, each with its place.
///
/// Noise, outages, the distance filter and the permission are applied here, synchronously, so only
/// delivered updates need a wait.
struct SimulatedDevice {
  private var motion = MotionEstimator()
  private var noise: SensorNoise?
  private var filter: DistanceFilter
  private var permission: PermissionScript
  private let outages: [SignalConditions.Outage]
  private var hasSignal = true
  /// The place of the last fix that was received.
  private var progress: TrackProgress?
  private var events: [ReplayEvent] = []

  init(
    distanceFilter: Double, signal: SignalConditions = SignalConditions(),
    authorization: [AuthorizationChange] = []
  ) {
    filter = DistanceFilter(minimumDistance: distanceFilter)
    permission = PermissionScript(authorization)
    outages = signal.outages
    if signal.noise > 0 {
      noise = SensorNoise(accuracy: signal.noise, seed: signal.seed)
    }
    events.append(
      ReplayEvent(update: .authorization(permission.status), progress: TrackProgress()))
  }

  /// Removes and returns the updates since the last call, in order; at first the authorization.
  mutating func takeEvents() -> [ReplayEvent] {
    defer { events = [] }
    return events
  }

  /// Receives the next fix of the track.
  mutating func receive(_ placed: TrackFix) {
    motion.record(placed)
    for loss in lossesOfSignal(upTo: placed.progress) {
      changePermission(upTo: loss)
      if permission.status.isAuthorized { loseSignal(at: loss) }
    }
    changePermission(upTo: placed.progress)
    progress = placed.progress
    guard permission.status.isAuthorized, isReceived(at: placed.progress) else { return }
    var received = placed
    noise?.disturb(&received)
    deliver(received)
  }

  private mutating func deliver(_ placed: TrackFix) {
    guard filter.admit(placed.fix.coordinate) else { return }
    var fix = placed.fix
    if fix.speed == nil, motion.hasRecordedPace { fix.speed = motion.speed }
    if fix.course == nil { fix.course = motion.course }
    events.append(ReplayEvent(update: .fix(fix), progress: placed.progress))
  }

  private mutating func changePermission(upTo place: TrackProgress) {
    while let change = permission.nextChange(upTo: place) {
      events.append(change.event)
      if change.isGrant { filter.reset() }
    }
  }

  private func lossesOfSignal(upTo next: TrackProgress) -> [TrackProgress] {
    guard let progress, !outages.isEmpty else { return [] }
    return outages.beginnings(from: progress, to: next)
  }

  private mutating func loseSignal(at place: TrackProgress) {
    if hasSignal { events.append(ReplayEvent(update: .unavailable, progress: place)) }
    hasSignal = false
  }

  /// Whether there is a signal at a place. The first fix after an outage passes the distance filter.
  private mutating func isReceived(at place: TrackProgress) -> Bool {
    if outages.contain(place) {
      loseSignal(at: place)
      return false
    }
    if !hasSignal { filter.reset() }
    hasSignal = true
    return true
  }
}

/// Estimates speed and course from the last few seconds of a track, for fixes without them.
struct MotionEstimator {
  private struct Sample {
    let coordinate: Coordinate
    let progress: TrackProgress
    let time: Date?
  }

  /// The seconds of track that an estimate uses, if the fixes are that close together.
  static let window = 5.0
  /// Shorter movements in meters have no direction: they may be the noise of a receiver at rest.
  static let smallestMovement = 1.0

  /// The samples of the window, after ``start`` older ones.
  private var samples: [Sample] = []
  /// The position of the sample that estimates start from.
  private var start = 0
  private var piece = (lap: 0, segment: 0)

  /// Takes the next fix of the track. O(1) on average.
  mutating func record(_ placed: TrackFix) {
    let piece = (placed.lap, placed.fix.segment)
    if piece != self.piece {
      self.piece = piece
      samples.removeAll(keepingCapacity: true)
      start = 0
    }
    let elapsed = placed.progress.elapsed
    while start + 1 < samples.count,
      elapsed - samples[start + 1].progress.elapsed >= Self.window
    {
      start += 1
    }
    if start >= 32, 2 * start >= samples.count {
      samples.removeFirst(start)
      start = 0
    }
    let sample = Sample(
      coordinate: placed.fix.coordinate, progress: placed.progress, time: placed.fix.time)
    // Of several fixes at one track time, the window can only start at the last. Dropping the others
    // bounds the memory for a receiver at rest, whose track time may stand still.
    if samples.count > start + 1, samples[samples.count - 1].progress.elapsed == elapsed {
      samples[samples.count - 1] = sample
    } else {
      samples.append(sample)
    }
  }

  /// The first and the last sample of the window.
  private var ends: (first: Sample, last: Sample)? {
    samples.last.map { (samples[start], $0) }
  }

  /// The speed over the window in meters per second; `nil` at the start of a segment.
  var speed: Double? {
    guard let (first, last) = ends.map({ ($0.first.progress, $0.last.progress) }),
      last.elapsed > first.elapsed
    else { return nil }
    return (last.walked - first.walked) / (last.elapsed - first.elapsed)
  }

  /// Whether the track time over the window is the recorded time, within the second that recorders
  /// round to. Otherwise ``speed`` is only the walking speed that was assumed.
  var hasRecordedPace: Bool {
    guard let (first, last) = ends,
      let recorded = first.time.flatMap({ last.time?.timeIntervalSince($0) })
    else { return false }
    return recorded > 0 && abs(recorded - (last.progress.elapsed - first.progress.elapsed)) <= 1
  }

  /// The course over the window in degrees from true north; `nil` without a movement.
  var course: Double? {
    guard let (first, last) = ends,
      first.coordinate.distance(to: last.coordinate) >= Self.smallestMovement
    else { return nil }
    return first.coordinate.bearing(to: last.coordinate)
  }
}
