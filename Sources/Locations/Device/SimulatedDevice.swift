import Foundation
import Geodesy

/// An update and its place, in 128 bytes, because a longer copy takes another path.
struct ReplayEvent: Sendable {
  var update: LocationUpdate
  var progress: TrackProgress
  /// Since the reference date; NaN is unknown.
  private var seconds: Double

  init(update: LocationUpdate, progress: TrackProgress, time: Date? = nil) {
    self.update = update
    self.progress = progress
    seconds = time?.timeIntervalSinceReferenceDate ?? .nan
  }

  /// The time of an update without a fix, if known.
  var time: Date? {
    get { seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds) }
    set { seconds = newValue?.timeIntervalSinceReferenceDate ?? .nan }
  }
}

/// A device that moves along a track, with noise, outages, distance filter and a script: fixes in,
/// updates out, each with its place.
struct SimulatedDevice {
  private var motion = MotionEstimator()
  private var noise: SensorNoise?
  private(set) var filter: DistanceFilter
  private(set) var permission = Permission()
  private var script: DeviceScript
  /// The number of steps before the one from which on the device reports anything.
  private let silentSteps: Int
  private let keepsLast: Bool
  private var area = ApproximateArea()
  private let outages: [ReplayOptions.Outage]
  private let repeatsLoss: Bool
  private var hasSignal = true
  /// The track time in seconds until which a step has taken the signal.
  private var lossEnd: Double?
  /// The place on the track from which a step has moved the device, and where it has put it.
  private var move: (from: Coordinate, to: Coordinate)?
  /// The number that is added to the segments of the track since the device was put elsewhere.
  private var segmentShift = 0
  private var progress: TrackProgress?
  /// The last fix of the track, for the place of a step.
  private var last: TrackFix?
  /// The time of the last fix of the track.
  private var time: Date?
  private var events: [ReplayEvent] = []

  /// - Parameter silentSteps: the number of steps whose updates, and those before, are left out.
  init(
    distanceFilter: Double, options: ReplayOptions = ReplayOptions(),
    script: [DeviceStep] = [], silentSteps: Int = 0
  ) {
    filter = DistanceFilter(minimumDistance: distanceFilter)
    self.script = DeviceScript(script)
    self.silentSteps = silentSteps
    keepsLast = silentSteps > 0 || script.contains(where: \.isPlaced)
    outages = options.outages
    repeatsLoss = options.repeatsLoss
    noise = options.noise > 0 ? SensorNoise(accuracy: options.noise, seed: options.seed) : nil
    while let step = self.script.nextAtStart() { setPermission(step.change) }
    events = [ReplayEvent(update: permission.update, progress: TrackProgress())]
  }

  /// Removes and returns the updates since the last call, in order; at first the authorization.
  mutating func takeEvents() -> [ReplayEvent] {
    defer { events = [] }
    return script.played < silentSteps ? [] : events
  }

  mutating func receive(_ placed: TrackFix) {
    motion.record(placed)
    let place = placed.progress
    if let progress, !outages.isEmpty, !repeatsLoss {
      for loss in outages.beginnings(from: progress, to: place) {
        play(upTo: loss, before: placed)
        if isAuthorized { loseSignal(at: loss, before: placed) }
      }
    }
    play(upTo: place, before: placed)
    (progress, time) = (place, placed.fix.time)
    if keepsLast { last = placed }
    report(placed, before: placed)
  }

  /// Reports a fix as far as permission, signal and filter let it.
  private mutating func report(_ placed: TrackFix, before next: TrackFix) {
    let place = placed.progress
    guard isAuthorized else {
      if repeatsLoss {
        report(ReplayEvent(update: permission.update, progress: place), before: next)
      }
      return
    }
    if let lossEnd, place.elapsed < lossEnd { return loseSignal(at: place, before: next) }
    if !outages.isEmpty, outages.contain(place) { return loseSignal(at: place, before: next) }
    // The first fix after an outage passes the distance filter.
    if !hasSignal { filter.reset() }
    hasSignal = true
    var received = placed
    if segmentShift > 0 { received.fix.segment += segmentShift }
    if let move {
      let start = move.from
      received.fix.coordinate = move.to.destination(
        distance: start.distance(to: placed.fix.coordinate),
        bearing: start.bearing(to: placed.fix.coordinate))
    }
    noise?.disturb(&received)
    let isReduced = permission.isReduced
    if isReduced, !area.blur(&received) { return }
    guard filter.admit(received.fix.coordinate) else { return }
    if !isReduced {
      if received.fix.speed == nil, motion.hasRecordedPace { received.fix.speed = motion.speed }
      if received.fix.course == nil { received.fix.course = motion.course }
    }
    events.append(
      ReplayEvent(
        update: LocationUpdate(location: received.fix, accuracyLimited: isReduced),
        progress: place))
  }

  /// Ends the track at a place.
  mutating func finish(at place: TrackProgress) {
    while let step = script.nextAtEnd() {
      play(step, at: place, before: nil)
    }
  }

  private var isAuthorized: Bool { permission.status.isAuthorized }

  private mutating func play(upTo place: TrackProgress, before next: TrackFix) {
    while let (step, place) = script.next(upTo: place) { play(step, at: place, before: next) }
  }

  /// - Parameter next: the next fix; `nil` at the end of the track.
  private mutating func play(
    _ step: DeviceStep, at place: TrackProgress, before next: TrackFix?
  ) {
    if script.played == silentSteps { events = [] }
    let last = permission
    setPermission(step.change)
    if permission != last {
      report(ReplayEvent(update: permission.update, progress: place), before: next)
      // The first fix that is allowed then passes the distance filter.
      if permission.allowsOtherFixes(than: last) {
        filter.reset()
        area = ApproximateArea()
      }
    }
    switch step.change {
    case .signalLost(let time):
      let end = time.map { place.elapsed + $0.seconds } ?? .infinity
      lossEnd = max(lossEnd ?? end, end)
      if let next, isAuthorized { loseSignal(at: place, before: next) }
      return
    case .signalReturns: lossEnd = nil
    case .moved(let target):
      move = fix(at: place, before: next).flatMap { fix in target.map { (fix.fix.coordinate, $0) } }
      segmentShift += 1
      filter.reset()
    case .put(let segment):
      events = [ReplayEvent(update: permission.update, progress: place)]
      segmentShift = max(0, segment + 1 - ((next ?? self.last)?.fix.segment ?? 0))
      hasSignal = true
      filter.reset()
    case .status, .accuracy, .stopped: break
    }
    // A device that was told to change says at once where it is.
    if step.place != nil, let fix = fix(at: place, before: next) { report(fix, before: fix) }
  }

  private mutating func setPermission(_ change: DeviceStep.Change) {
    switch change {
    case .status(let status): permission.status = status
    case .accuracy(let accuracy): permission.accuracy = accuracy
    case .signalLost, .signalReturns, .moved, .stopped, .put: break
    }
  }

  /// The fix at the place of a step.
  private func fix(at place: TrackProgress, before next: TrackFix?) -> TrackFix? {
    guard var fix = last ?? next else { return nil }
    if let last, let next, last.fix.segment == next.fix.segment,
      let fraction = place.elapsed.fraction(from: last.progress.elapsed, to: next.progress.elapsed)
    {
      fix.fix = last.fix.interpolated(to: next.fix, fraction: fraction)
    } else {
      fix.fix.time?.addTimeInterval(place.elapsed - fix.progress.elapsed)
    }
    fix.progress = place
    (fix.fix.distance, fix.fix.elapsedSeconds) = (place.walked, place.elapsed)
    return fix
  }

  private mutating func loseSignal(at place: TrackProgress, before next: TrackFix) {
    if hasSignal || repeatsLoss {
      report(ReplayEvent(update: .unavailable, progress: place), before: next)
    }
    hasSignal = false
  }

  /// Reports an event between the last fix and the next one, which there is none of at the end.
  private mutating func report(_ event: ReplayEvent, before next: TrackFix?) {
    var event = event
    event.time =
      next.map { next in
        next.fix.time.map {
          max($0 - (next.progress.elapsed - event.progress.elapsed), time ?? .distantPast)
        }
      } ?? time
    events.append(event)
  }
}

extension [ReplayOptions.Outage] {
  func contain(_ place: TrackProgress) -> Bool {
    contains { $0.start.isReached(at: place) && $0.end.includes(place) }
  }

  func beginnings(from place: TrackProgress, to next: TrackProgress) -> [TrackProgress] {
    compactMap { outage -> (fraction: Double, place: TrackProgress)? in
      guard !outage.start.isReached(at: place),
        let fraction = outage.start.fraction(from: place, to: next)
      else { return nil }
      let beginning = place.interpolated(to: next, fraction: fraction)
      return outage.end.includes(beginning) ? (fraction, beginning) : nil
    }
    .sorted { $0.fraction < $1.fraction }.map(\.place)
  }
}

/// Estimates speed and course from the last few seconds of a track, for fixes without them.
struct MotionEstimator {
  private struct Sample {
    let coordinate: Coordinate
    let progress: TrackProgress
    let time: Date?
    let clock: Int?
    let waits: Int
  }

  /// The seconds of track that an estimate uses, if the fixes are that close together.
  static let window = 5.0
  /// Shorter movements in meters have no direction: they may be the noise of a receiver at rest.
  static let smallestMovement = 1.0

  private var samples: [Sample] = []
  /// The index of the sample that estimates start from.
  private var start = 0
  private var latest: Coordinate?
  /// The latest time; `nil` before the first of a segment.
  private var latestTime: Date?
  private var clock: Int?
  /// The number of fixes with a time before the latest one, and whether the last fix is one, or has
  /// a time out of line.
  private var waits = 0
  private var isWaiting = false
  private var piece = (lap: 0, segment: 0)

  mutating func record(_ placed: TrackFix) {
    let piece = (placed.lap, placed.fix.segment)
    if piece != self.piece {
      self.piece = piece
      samples.removeAll(keepingCapacity: true)
      start = 0
      latestTime = nil
    }
    latest = placed.fix.coordinate
    // The next good time tells the pace since the last good one.
    isWaiting = placed.fix.time == nil && placed.fix.origin.verdict == .outOfLine
    if isWaiting { return }
    let elapsed = placed.progress.elapsed
    if placed.clock != clock { (clock, latestTime) = (placed.clock, nil) }
    let step = latestTime.flatMap { placed.fix.time?.timeIntervalSince($0) } ?? 1
    isWaiting = step < 0
    if isWaiting { waits += 1 }
    // Recorders that write whole seconds repeat a time: only the first fix at it tells the pace.
    let isRepeated = step <= 0
    if !isRepeated { latestTime = placed.fix.time ?? latestTime }
    if isRepeated, let last = samples.last, elapsed - last.progress.elapsed <= 1 { return }
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
      coordinate: placed.fix.coordinate, progress: placed.progress,
      time: isRepeated ? nil : placed.fix.time, clock: placed.clock, waits: waits)
    // Of several fixes at one track time, the window can only start at the last. Dropping the
    // others bounds the memory when the track time does not advance.
    if samples.count > start + 1, samples[samples.count - 1].progress.elapsed == elapsed {
      samples[samples.count - 1] = sample
    } else {
      samples.append(sample)
    }
  }

  private var ends: (first: Sample, last: Sample)? {
    samples.last.map { (samples[start], $0) }
  }

  /// The speed over the window in meters per second; `nil` at the start of a segment.
  var speed: Double? {
    guard let (first, last) = ends.map({ ($0.first.progress, $0.last.progress) }) else {
      return nil
    }
    let seconds = recordedSeconds ?? last.elapsed - first.elapsed
    return seconds > 0 ? (last.walked - first.walked) / seconds : nil
  }

  /// Whether the times over the window are recorded. Otherwise ``speed`` is only the walking speed
  /// that was assumed, or the speed of a shortened pause.
  var hasRecordedPace: Bool { recordedSeconds != nil }

  private var recordedSeconds: Double? {
    guard let (first, last) = ends, let clock = first.clock, clock == last.clock,
      first.waits == last.waits, !isWaiting,
      let seconds = first.time.flatMap({ last.time?.timeIntervalSince($0) }), seconds > 0
    else { return nil }
    return seconds
  }

  /// The course over the window in degrees from true north; `nil` without a movement.
  var course: Double? {
    guard let (first, _) = ends, let latest,
      first.coordinate.distance(to: latest) >= Self.smallestMovement
    else { return nil }
    return first.coordinate.bearing(to: latest)
  }
}
