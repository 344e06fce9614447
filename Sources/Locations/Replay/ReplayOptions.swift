/// Options for replaying a track. By default it is replayed as a whole, once, as recorded.
public struct ReplayOptions: Hashable, Sendable {
  /// The speed in meters per second for parts without usable times, at least 0.001.
  ///
  /// Smaller values above 0 count as 0.001. A value that is not positive and finite is replaced by
  /// 1.3, the pace of a pedestrian.
  public var walkingSpeed: Double {
    didSet { walkingSpeed = Self.valid(walkingSpeed: walkingSpeed) }
  }
  /// The track time between fixes that are interpolated along the geodesic, at multiples of the
  /// interval since the start of the track. `nil` replays the recorded fixes.
  ///
  /// Less than a millisecond counts as a millisecond. Gaps between segments stay gaps. An
  /// interpolated fix has a time if the recorded times around it are known and at most six hours
  /// apart.
  public var interval: Duration? {
    didSet { interval = Self.valid(interval: interval) }
  }
  /// The position on the track at which the replay begins, included; `nil` is its start. Everything
  /// before it is skipped.
  public var start: ReplayPosition?
  /// The position on the track at which the replay ends, included.
  public var end: ReplayPosition
  /// Whether the track is replayed in reverse.
  ///
  /// Positions then count from the end of the recording. Durations stay as recorded, and the times
  /// still ascend from the first recorded time to the last. All fixes are held in memory.
  public var isReversed: Bool
  /// The number of times the track is replayed, each time from its beginning; less than 1 counts as
  /// 1.
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
    walkingSpeed > 0 && walkingSpeed.isFinite ? max(walkingSpeed, 0.001) : 1.3
  }

  private static func valid(interval: Duration?) -> Duration? {
    interval.map { max($0, .milliseconds(1)) }
  }
}
