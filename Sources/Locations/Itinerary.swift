/// What of a track is walked, and how; by default all of it, once, as it was recorded.
public struct Itinerary: Hashable, Sendable {
  /// Metres per second where the track has no usable times, above zero.
  public var walkingSpeed: Double
  /// Track time between fixes that are interpolated along the geodesic, at multiples of it since
  /// the start of the track, above zero; `nil` walks the recorded fixes.
  ///
  /// Gaps between segments stay gaps. An interpolated fix has a time where the times around it are
  /// known and advance by no more than six hours.
  public var interval: Duration?
  /// Where on the track the walk begins, included; `nil` is its start. It is got to without
  /// waiting.
  public var start: ReplayPosition?
  /// Where on the track the walk ends, included.
  public var end: ReplayPosition
  /// Whether the track is walked backwards.
  ///
  /// Positions then count from the end of the recording, durations stay as recorded and times
  /// still ascend, from the first to the last. All fixes are held in memory.
  public var isReversed: Bool
  /// How often it is walked, each time from its beginning, at least 1.
  ///
  /// A lap begins a second after the one before has ended. Distances go on counting, and so do
  /// times: they are moved so that those of each lap follow those of the one before.
  public var laps: Int

  /// Creates an itinerary.
  public init(
    walkingSpeed: Double = 1.3, interval: Duration? = nil, start: ReplayPosition? = nil,
    end: ReplayPosition = .end, isReversed: Bool = false, laps: Int = 1
  ) {
    self.walkingSpeed = walkingSpeed
    self.interval = interval
    self.start = start
    self.end = end
    self.isReversed = isReversed
    self.laps = laps
  }

  var isValid: Bool {
    walkingSpeed > 0 && walkingSpeed.isFinite && interval.map { $0 > .zero } ?? true && laps >= 1
  }
}
