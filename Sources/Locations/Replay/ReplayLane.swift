import FaketrackSupport
import Foundation

/// A device on its way along a track, with the updates that have been read, and those that each
/// listener has not taken yet.
struct ReplayLane {
  enum End {
    case finished(at: TrackProgress)
    case failed(any Error)
  }

  struct Wait {
    /// The place that is waited for; `nil` while the track is read.
    let place: TrackProgress?
    /// The actor that iterates.
    let actor: (any Actor)?
    /// Ends with the wait, which canceling it ends early.
    let sleep: Task<Void, any Error>
  }

  /// Updates that were read together.
  struct Batch {
    let number: Int
    let events: [ReplayEvent]
  }

  private struct Listener {
    let id: Int
    /// The updates that others have taken before it.
    var inbox: [ReplayEvent]
    var wait: Wait?
  }

  /// The number of updates by which a listener may be behind others that get them all.
  private static let inboxSize = 512

  private var source: FixSource
  private let options: ReplayOptions
  private let distanceFilter: Double
  /// The script that was known before the replay.
  private let plan: [DeviceStep]
  /// The script with what the device was told since it started.
  private var script: [DeviceStep]
  private var start: ReplayPosition
  /// Whether a listener that is behind still gets every update.
  private let isLossless: Bool
  private let isSteered: Bool
  private(set) var time: ReplayTime?
  private(set) var producer: ReplayProducer?
  /// Counts the starts, so that what is read for an earlier one is dropped.
  private(set) var starts = 0
  var end: End?
  var read: Task<Void, Never>?
  /// The place of the first fix.
  private(set) var first: TrackProgress?
  /// The place up to which the track is read again.
  private var changePlace: TrackProgress?
  /// The updates that were read last, and their number, which changes with them.
  private(set) var events: [ReplayEvent] = []
  private(set) var batch = 0
  private var position = 0
  /// The number of updates of the batch that count in what the device knows.
  private var remembered = 0
  /// The only listener, if it is up to date and does not wait.
  private var leader: Int?
  private var listeners: [Listener] = []
  /// The permission now, the last fix, and the loss of signal after it.
  private var known: (authorization: ReplayEvent?, fix: ReplayEvent?, loss: ReplayEvent?)
  /// Whether the device has gone on without listeners.
  private var wasLeft = false

  init(
    _ source: FixSource, options: ReplayOptions, distanceFilter: Double, script: [DeviceStep],
    isLossless: Bool, isSteered: Bool
  ) {
    self.source = source
    self.options = options
    start = options.start
    self.distanceFilter = distanceFilter
    (plan, self.script) = (script, script)
    self.isLossless = isLossless
    self.isSteered = isSteered
  }

  // MARK: Start

  /// Puts the device at a position.
  mutating func seek(to position: ReplayPosition, reading: Duration) {
    self.start = position == .start ? options.start : position
    if time != nil { start(reading: reading) }
  }

  private mutating func start(reading: Duration) {
    remember()
    (known.fix, known.loss) = (nil, nil)
    var device = SimulatedDevice(
      distanceFilter: distanceFilter, options: options, script: script)
    events = device.takeEvents()
    // A permission that has been told is not told again.
    if events.first?.update == known.authorization?.update {
      events.removeFirst()
    } else {
      known.authorization = nil
    }
    time = ReplayTime(reading: reading, isThere: isSteered)
    (first, changePlace) = (nil, nil)
    wasLeft = false
    for index in listeners.indices { listeners[index].inbox = [] }
    play(device)
  }

  /// Lets a device play the track from its start.
  private mutating func play(_ device: sending SimulatedDevice) {
    read?.cancel()
    (position, remembered, end, read) = (0, 0, nil, nil)
    batch += 1
    starts += 1
    producer = makeProducer(device)
    findLeader()
  }

  private func makeProducer(_ device: sending SimulatedDevice) -> ReplayProducer {
    var options = options
    options.start = start
    return ReplayProducer(
      source, options: options, device: device, recordsPlaces: isLossless || isSteered)
  }

  // MARK: Changes

  /// Tells the device to change at a place that it has come to. It plays its track again, silently up to
  /// there, so that what follows is as if the change had been in its script.
  mutating func change(_ changes: [DeviceStep.Change], at place: TrackProgress) {
    remember()
    events = Array(events[position...].prefix { $0.progress.elapsed <= place.elapsed })
    time?.reach(place)
    play(changes, at: place)
  }

  /// - Parameter silentCount: the number of changes that are not reported.
  private mutating func play(
    _ changes: [DeviceStep.Change], at place: TrackProgress, silentCount: Int = 0
  ) {
    let index = DeviceScript(script).played(at: place, from: first ?? place)
    script.insert(contentsOf: changes.map { DeviceStep($0, at: place) }, at: index)
    changePlace = place
    play(
      SimulatedDevice(
        distanceFilter: distanceFilter, options: options, script: script,
        silentSteps: index + silentCount + 1))
  }

  /// Stops the device at a place that it has come to, which it reports unless it just did, has no signal or
  /// permission, or has a distance filter.
  mutating func stop(at place: TrackProgress, reading: Duration) {
    arrive(at: place, reading: reading)
    let last = position > 0 ? events[position - 1] : known.loss ?? known.fix
    let isReported = last.map { last in
      last.update.location == nil || abs(last.progress.elapsed - place.elapsed) < 1e-3
    }
    if distanceFilter > 0 || isReported == true { return }
    change([.stopped], at: place)
  }

  /// Lets the time count from a place that the device has come to.
  mutating func arrive(at place: TrackProgress, reading: Duration) {
    time?.stop(at: place, reading: reading)
  }

  /// Puts the device at a place of its track, or of another one, as if its script had brought it there.
  /// It keeps a permission, an accuracy and a loss of signal that it was changed to, unless the track is
  /// another one.
  mutating func put(at place: TrackProgress, on source: FixSource? = nil, reading: Duration) {
    remember()
    var kept: [DeviceStep.Change] = []
    if let source {
      (self.source, start, first) = (source, .start, nil)
    } else {
      kept = keptChanges
    }
    script = plan
    let segment = known.fix?.update.location?.segment ?? -1
    (known.fix, known.loss, events, wasLeft) = (nil, nil, [], false)
    for index in listeners.indices { listeners[index].inbox = [] }
    time?.put(at: place, reading: reading)
    play(kept + [.put(afterSegment: segment)], at: place, silentCount: kept.count)
  }

  /// The newest of each kind of change that lasts.
  private var keptChanges: [DeviceStep.Change] {
    var kept: (status: DeviceStep.Change?, accuracy: DeviceStep.Change?, loss: DeviceStep.Change?)
    for step in script where step.place != nil {
      switch step.change {
      case .status: kept.status = step.change
      case .accuracy: kept.accuracy = step.change
      case .signalLost(for: nil): kept.loss = step.change
      case .signalReturns: kept.loss = nil
      case .signalLost, .moved, .stopped, .put: break
      }
    }
    return [kept.status, kept.accuracy, kept.loss].compactMap(\.self)
  }

  /// Reads the places of a track, this one or another.
  func makeScout(on source: FixSource? = nil) -> ReplayProducer {
    var lane = self
    if let source { (lane.source, lane.start) = (source, .start) }
    return lane.makeProducer(SimulatedDevice(distanceFilter: 0))
  }

  // MARK: Listeners

  var listenerCount: Int { listeners.count }
  var waits: [Wait] { listeners.compactMap(\.wait) }

  /// Whether each listener waits for a place.
  var isWaiting: Bool { listeners.allSatisfy { $0.wait?.place != nil } }

  /// Adds a listener, which first gets what the device knows.
  mutating func add(_ id: Int, reading: Duration) {
    if time == nil { start(reading: reading) }
    listeners.append(Listener(id: id, inbox: news()))
    findLeader()
  }

  /// The updates that a new listener gets first.
  private mutating func news() -> [ReplayEvent] {
    remember()
    let isAllowed = known.authorization?.update.authorization?.isAuthorized ?? false
    return [known.authorization, isAllowed ? known.fix : nil, isAllowed ? known.loss : nil]
      .compactMap(\.self)
  }

  /// Removes a listener.
  ///
  /// - Parameter goesOn: whether the device goes on without listeners.
  mutating func remove(_ id: Int, goesOn: Bool) {
    listeners.removeAll { $0.id == id }
    wasLeft = listeners.isEmpty && goesOn
    findLeader()
  }

  mutating func setWait(_ wait: Wait, for id: Int) {
    guard let index = index(of: id) else { return }
    listeners[index].wait = wait
    findLeader()
    if let place = wait.place { time?.ask(for: place) }
  }

  /// Removes and returns the waits, whose listeners are about to go on.
  mutating func endWaits() -> [Wait] {
    let ended = waits
    for index in listeners.indices { listeners[index].wait = nil }
    findLeader()
    return ended
  }

  private mutating func findLeader() {
    leader = nil
    guard listeners.count == 1, let listener = listeners.first, listener.inbox.isEmpty,
      listener.wait == nil, !wasLeft
    else { return }
    leader = listener.id
  }

  private func index(of id: Int) -> Int? {
    listeners.count == 1 && listeners[0].id == id ? 0 : listeners.firstIndex { $0.id == id }
  }

  // MARK: Updates

  /// The place of the next update, or of the end of the track after the last update; `nil` until that
  /// place has been read.
  var nextPlace: TrackProgress? {
    if position < events.count { return events[position].progress }
    guard case .finished(let place) = end else { return nil }
    return place
  }

  /// Whether all updates have been taken, and the device is at the end.
  mutating func hasEnded(_ pace: ReplayPace, reading: () -> Duration) -> Bool {
    if case .failed = end { return position == events.count }
    return hasFinished(pace, reading: reading)
  }

  /// Whether the device has come to the end of the track without an error.
  mutating func hasFinished(_ pace: ReplayPace, reading: () -> Duration) -> Bool {
    guard isAtEnd, !pace.staysAtEnd, case .finished(let place) = end else { return false }
    return hasReached(place, pace, reading: reading)
  }

  /// Whether all updates have been taken.
  var isAtEnd: Bool { position == events.count && end != nil }

  /// Whether a listener has so many updates to take that the others wait for it.
  func isHeldBack(_ pace: ReplayPace) -> Bool {
    isLossless(pace) && listeners.contains { $0.inbox.count >= Self.inboxSize }
  }

  private func isLossless(_ pace: ReplayPace) -> Bool {
    isLossless || pace.speed.multiple == nil
  }

  /// Takes the next update for the only listener, if the update is due and in a batch, and returns the
  /// index of the update.
  mutating func takeIndex(
    for id: Int, batch: Int, _ pace: ReplayPace, reading: () -> Duration
  ) -> Int? {
    guard isAhead(id, in: batch),
      hasReached(events[position].progress, pace, reading: reading)
    else { return nil }
    defer { position += 1 }
    return position
  }

  /// Whether the next update is one of a batch, for the only listener.
  func isAhead(_ id: Int, in batch: Int) -> Bool {
    leader == id && batch == self.batch && position < events.count
  }

  /// Removes and returns the next update for a listener, if it is due.
  mutating func take(
    for id: Int, _ pace: ReplayPace, reading: () -> Duration
  ) -> ReplayEvent? {
    guard let index = index(of: id) else { return nil }
    defer { findLeader() }
    listeners[index].wait = nil
    if wasLeft {
      if !catchUp(pace, reading: reading()) { return nil }
      listeners[index].inbox = news()
    }
    if !listeners[index].inbox.isEmpty { return listeners[index].inbox.removeFirst() }
    guard position < events.count, hasReached(events[position].progress, pace, reading: reading)
    else { return nil }
    if listeners.count > 1 {
      if isHeldBack(pace) { return nil }
      for other in listeners.indices where other != index { deliver(to: other, pace) }
    }
    defer { position += 1 }
    return events[position]
  }

  /// Whether the device is at a place, to which its time then may go on.
  mutating func hasReached(
    _ place: TrackProgress, _ pace: ReplayPace, reading: () -> Duration
  ) -> Bool {
    guard let deadline = time?.deadline(at: place, pace),
      pace.speed.multiple == nil || deadline <= reading()
    else { return false }
    time?.ask(for: place)
    return true
  }

  /// Passes over what was due while there was no listener, and returns whether that is all.
  private mutating func catchUp(_ pace: ReplayPace, reading: Duration) -> Bool {
    while position < events.count {
      guard hasReached(events[position].progress, pace, reading: { reading }) else {
        wasLeft = false
        return true
      }
      position += 1
    }
    if end != nil { wasLeft = false }
    return !wasLeft
  }

  /// Puts the next update into an inbox. On a real clock a listener that is behind gets the newest
  /// fix and all changes of the permission, as from a device.
  private mutating func deliver(to index: Int, _ pace: ReplayPace) {
    let event = events[position]
    listeners[index].wait = nil
    if !isLossless(pace), event.update.authorization == nil {
      let isFix = event.update.location != nil
      listeners[index].inbox.removeAll {
        $0.update.authorization == nil && (isFix || $0.update.locationUnavailable)
      }
    }
    listeners[index].inbox.append(event)
  }

  /// Notes what the device knows after the updates that were taken.
  private mutating func remember() {
    let taken = remembered..<position
    if let index = taken.last(where: { events[$0].update.authorization != nil }) {
      known.authorization = events[index]
    }
    let fix = taken.last { events[$0].update.location != nil }
    if let fix { (known.fix, known.loss) = (events[fix], nil) }
    let later = (fix ?? remembered)..<position
    if let index = later.last(where: { events[$0].update.locationUnavailable }) {
      known.loss = events[index]
    }
    remembered = position
  }

  // MARK: Reading

  /// Adds updates that have been read after all before were taken.
  mutating func add(_ events: [ReplayEvent], start: TrackProgress?, reading: Duration) {
    remember()
    if let start, first == nil {
      first = start
      if changePlace == nil { time?.start(at: start, reading: reading) }
    }
    (self.events, position, remembered) = (events, 0, 0)
    batch += 1
  }

  mutating func extendPath(by places: [TrackProgress], _ pace: ReplayPace, reading: Duration) {
    if places.isEmpty { return }
    var places = places
    if let changePlace { places.removeAll { $0.elapsed <= changePlace.elapsed } }
    // Of a replay that is late, the place counts at which it is, or will be held.
    let reached = progress(pace, reading: reading)?.elapsed ?? -.infinity
    time?.extendPath(by: places, from: reached)
  }

  // MARK: Time

  mutating func keepTime(_ pace: ReplayPace, reading: Duration) {
    let bar = bar(pace, reading: reading)
    time?.keep(pace, reading: reading)
    if let bar { time?.stop(at: bar, reading: reading) }
  }

  /// The place at which the pace holds the device; `nil` if the device is not there.
  private func bar(_ pace: ReplayPace, reading: Duration) -> TrackProgress? {
    guard let elapsed = time?.elapsed(pace, reading: reading) else { return nil }
    return [pace.stop, pace.turn].compactMap { $0.flatMap(place(of:)) }
      .filter { $0.elapsed < elapsed }.min { $0.elapsed < $1.elapsed }
  }

  mutating func deadline(at place: TrackProgress, _ pace: ReplayPace) -> Duration? {
    isAtEnd && pace.staysAtEnd ? nil : time?.deadline(at: place, pace)
  }

  /// The place of a position on the way to the next update, or the end of the track.
  func place(of position: ReplayPosition) -> TrackProgress? {
    nextPlace.flatMap { next in
      time?.place(of: position, before: next) ?? (isAtEnd ? next : nil)
    }
  }

  /// Whether every listener waits for a place beyond a position, or for the end.
  func isHeld(at position: ReplayPosition) -> Bool {
    listeners.isEmpty
      || isWaiting && (isAtEnd || nextPlace.map { !position.includes($0) } ?? false)
  }

  /// The track time that has been reached; `nil` without listeners, or before the first fix.
  func elapsed(_ pace: ReplayPace, reading: Duration) -> Double? {
    listeners.isEmpty ? nil : time?.elapsed(pace, reading: reading)
  }

  /// The place that has been reached.
  func progress(_ pace: ReplayPace, reading: Duration) -> TrackProgress? {
    bar(pace, reading: reading) ?? time?.progress(before: nextPlace, pace, reading: reading)
  }
}
