import Foundation

/// Options for replaying a track. By default it is replayed as a whole, once, at the recorded times.
public struct ReplayOptions: Hashable, Sendable {
  /// The fixes of a replay between those recorded.
  ///
  /// They are on the geodesic between two fixes of a segment, with time and elevation in
  /// proportion, and ``/Geodesy/Fix/isInterpolated``. Gaps between segments stay gaps, and so do
  /// legs with times of more than 5 km or 6 hours.
  public enum Interpolation: Hashable, Sendable {
    /// The recorded fixes, and a fix every filter distance between two that are farther apart.
    /// Waypoints, and everything with a filter of less than 1 m, are replayed as recorded.
    case automatic
    /// The recorded fixes only.
    case off
    /// Fixes at multiples of an interval of track time, at least a millisecond, instead of the
    /// recorded ones.
    case interval(Duration)
    /// Fixes at multiples of a distance in meters along the track, at least 1, instead of the
    /// recorded ones. The distance filter still applies.
    case spacing(Double)
  }

  /// The speed in meters per second for parts without usable times, at least 0.001. A value that is
  /// not positive and finite is replaced by 1.3, the pace of a pedestrian.
  public var walkingSpeed: Double {
    didSet { walkingSpeed = Self.valid(walkingSpeed: walkingSpeed) }
  }
  /// The fixes between those recorded.
  public var interpolation: Interpolation
  /// The longest pause; `nil` keeps the recorded ones. Longer ones are shortened to it, and later
  /// times are moved back accordingly.
  ///
  /// A pause is a gap between segments, a step slower than 0.3 m/s, or a stop of more than half a
  /// minute within 10 m.
  public var maximumPause: Duration?
  /// The time of the first fix, to which all times are shifted; `nil` keeps the recorded ones. The
  /// times of a track without any count from it.
  public var startTime: Date?
  /// The time of the first fix of a track without times.
  package var untimedStart: Date?
  /// Whether times count with the track time from the first usable one, so that they ascend.
  package var countsTimes = false
  /// Whether the position is repeated on a leg of more than 5 km or 6 hours, in
  /// ``Interpolation/interval(_:)``.
  var repeatsPosition = false
  /// The position at which the replay begins, included; `nil` is the start of the track.
  public var start: ReplayPosition?
  /// The position at which the replay ends, included.
  public var end: ReplayPosition
  /// Whether the track is replayed in reverse, which holds all fixes in memory. Durations stay as
  /// recorded, and the times still ascend from the first recorded time to the last.
  public var isReversed: Bool
  /// The number of times the track is replayed, at least 1. A lap begins a second after the
  /// previous one has ended; distances and segments keep counting, and times are shifted to follow.
  public var laps: Int {
    didSet { laps = max(1, laps) }
  }

  /// Creates options; those that are left out replay the track as recorded.
  public init(
    walkingSpeed: Double = 1.3, interpolation: Interpolation = .automatic,
    maximumPause: Duration? = nil, startTime: Date? = nil, start: ReplayPosition? = nil,
    end: ReplayPosition = .end, isReversed: Bool = false, laps: Int = 1
  ) {
    self.walkingSpeed = Self.valid(walkingSpeed: walkingSpeed)
    self.interpolation = interpolation
    self.maximumPause = maximumPause
    self.startTime = startTime
    self.start = start
    self.end = end
    self.isReversed = isReversed
    self.laps = max(1, laps)
  }

  private static func valid(walkingSpeed: Double) -> Double {
    walkingSpeed > 0 && walkingSpeed.isFinite ? max(walkingSpeed, 0.001) : 1.3
  }
}

/// The rate at which track time passes on the clock of a replay.
public struct ReplaySpeed: Hashable, Sendable {
  /// The multiple of the recorded pace, above 0 and finite; `nil` at maximum speed.
  public let multiple: Double?

  /// Replays without waiting.
  public static let max = ReplaySpeed(validMultiple: nil)
  /// The recorded pace: the replay takes as long as the track did.
  public static let realTime = ReplaySpeed(validMultiple: 1)

  /// Creates a multiple of the recorded pace; `nil` unless it is above 0 and finite.
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
  /// Pauses the replay where it is.
  func pause()
  /// Resumes a paused replay.
  func resume()
  /// Changes the speed from here on, without a jump; a paused replay stays paused.
  func setSpeed(_ speed: ReplaySpeed)
  /// The track time that has been reached; `nil` while no replay is running.
  var elapsed: Duration? { get }
}
