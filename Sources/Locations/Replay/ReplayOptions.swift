/// Which part of a track is replayed, and how. By default it is all of the track, once, as recorded.
public struct ReplayOptions: Hashable, Sendable {
  /// The shortest interval between interpolated fixes.
  private static let shortestInterval = Duration.milliseconds(1)
  private static let usualWalkingSpeed = 1.3
  private static let slowestWalkingSpeed = 0.001

  /// The speed in meters per second where the recorded times cannot be used.
  ///
  /// It is at least 0.001, a millimeter a second; smaller values above 0 count as that. A value that
  /// is not positive and finite is replaced by 1.3, the pace of a pedestrian.
  public var walkingSpeed: Double {
    didSet { walkingSpeed = Self.valid(walkingSpeed: walkingSpeed) }
  }
  /// The track time between fixes that are interpolated along the geodesic, at multiples of the
  /// interval since the start of the track. `nil` replays the recorded fixes.
  ///
  /// Less than a millisecond counts as a millisecond. Gaps between segments stay gaps. An
  /// interpolated fix has a time where the recorded times around it are known and at most six hours
  /// apart.
  public var interval: Duration? {
    didSet { interval = Self.valid(interval: interval) }
  }
  /// Where on the track the replay begins, the position included; `nil` is its start. The way up to
  /// there takes no time.
  public var start: ReplayPosition?
  /// Where on the track the replay ends, the position included.
  public var end: ReplayPosition
  /// Whether the track is replayed in reverse.
  ///
  /// Positions then count from the end of the recording. Durations stay as recorded, and the times
  /// still ascend from the first recorded time to the last. All fixes are held in memory.
  public var isReversed: Bool
  /// How many times the track is replayed, each time from its beginning; less than 1 counts as 1.
  ///
  /// A lap begins a second after the previous one has ended. Distances keep counting, and the times
  /// of each lap are shifted to follow those of the previous one.
  public var laps: Int {
    didSet { laps = max(1, laps) }
  }

  /// Creates options; those that are left out replay the track as it was recorded.
  public init(
    walkingSpeed: Double = 1.3, interval: Duration? = nil, start: ReplayPosition? = nil,
    end: ReplayPosition = .end, isReversed: Bool = false, laps: Int = 1
  ) {
    self.walkingSpeed = Self.valid(walkingSpeed: walkingSpeed)
    self.interval = Self.valid(interval: interval)
    self.start = start
    self.end = end
    self.isReversed = isReversed
    self.laps = max(1, laps)
  }

  private static func valid(walkingSpeed: Double) -> Double {
    walkingSpeed > 0 && walkingSpeed.isFinite
      ? max(walkingSpeed, slowestWalkingSpeed) : usualWalkingSpeed
  }

  private static func valid(interval: Duration?) -> Duration? {
    interval.map { max($0, shortestInterval) }
  }
}

/// How fast track time passes on the clock of a replay.
public struct ReplaySpeed: Hashable, Sendable {
  /// The multiple of the recorded pace, above 0 and finite; `nil` at maximum speed.
  public let multiple: Double?

  /// Nothing is waited for.
  public static let max = ReplaySpeed(validMultiple: nil)
  /// The recorded pace: the replay takes as long as the track did.
  public static let realTime = ReplaySpeed(validMultiple: 1)

  /// Creates the speed that is this multiple of the recorded pace; `nil` unless the multiple is
  /// above 0 and finite.
  public init?(multiple: Double) {
    guard multiple > 0, multiple.isFinite else { return nil }
    self.init(validMultiple: multiple)
  }

  private init(validMultiple: Double?) {
    multiple = validMultiple
  }
}

/// A replay that can be paused and whose speed can be changed, from any task and at any time.
public protocol PaceControlling: Sendable {
  /// Holds the replay where it is.
  func pause()
  /// Lets a paused replay go on.
  func resume()
  /// Changes the speed from here on, without a jump; a paused replay stays paused.
  func setSpeed(_ speed: ReplaySpeed)
  /// The track time that has been reached; `nil` where nothing is being replayed.
  var elapsed: Duration? { get }
}
