import Foundation

/// Options for replaying a track. By default it is replayed as a whole, once, at the recorded times,
/// with a perfect signal.
public struct ReplayOptions: Hashable, Sendable {
  /// The fixes of a replay between those recorded.
  ///
  /// They are on the geodesic between two fixes of a segment, with time and elevation in
  /// proportion, and ``/Geodesy/Fix/isInterpolated``. Gaps between segments stay gaps, and so do
  /// legs with times of more than 5 km or 6 hours.
  public struct Interpolation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case automatic
      case off
      case interval(Duration)
      case spacing(Double)
    }

    package let kind: Kind

    /// The recorded fixes, and a fix every filter distance between two that are farther apart.
    /// Waypoints, and everything with a filter of less than 1 m, are replayed as recorded.
    public static let automatic = Self(kind: .automatic)
    /// The recorded fixes only.
    public static let off = Self(kind: .off)
    /// Fixes at multiples of an interval of track time, at least a millisecond, instead of the
    /// recorded ones.
    public static func interval(_ duration: Duration) -> Self {
      Self(kind: .interval(duration))
    }
    /// Fixes at multiples of a distance in meters along the track, at least 1, instead of the
    /// recorded ones. The distance filter still applies.
    public static func spacing(_ number: Double) -> Self {
      Self(kind: .spacing(number))
    }
  }

  /// A part of the track without a signal, both ends included.
  public struct Outage: Hashable, Sendable {
    /// The position at which the signal is lost.
    public var start: ReplayPosition
    /// The position at which the signal returns.
    public var end: ReplayPosition

    /// Creates an outage between two positions; it has no effect if the end is before the start.
    public init(from start: ReplayPosition, to end: ReplayPosition) {
      self.start = start
      self.end = end
    }
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
  /// The position at which the replay begins, included.
  public var start: ReplayPosition
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
  /// The radius in meters that holds about 68 % of the position errors, reported as the horizontal
  /// accuracy of the fixes; 0 leaves them as recorded. The error is correlated over about half a
  /// minute, and the same for the same ``seed``. A value that is negative or not finite counts as 0.
  public var noise: Double {
    didSet { noise = Self.valid(noise: noise) }
  }
  /// The seed of the noise.
  public var seed: UInt64
  /// The parts of the track without a signal.
  public var outages: [Outage]
  /// Whether each fix that is not received reports the loss or the missing permission, rather than the
  /// first one.
  package var repeatsLoss = false

  /// Creates options; those that are left out replay the track as recorded.
  public init(
    walkingSpeed: Double = 1.3, interpolation: Interpolation = .automatic,
    maximumPause: Duration? = nil, startTime: Date? = nil, start: ReplayPosition = .start,
    end: ReplayPosition = .end, isReversed: Bool = false, laps: Int = 1, noise: Double = 0,
    seed: UInt64 = 0, outages: [Outage] = []
  ) {
    self.walkingSpeed = Self.valid(walkingSpeed: walkingSpeed)
    self.interpolation = interpolation
    self.maximumPause = maximumPause
    self.startTime = startTime
    self.start = start
    self.end = end
    self.isReversed = isReversed
    self.laps = max(1, laps)
    self.noise = Self.valid(noise: noise)
    self.seed = seed
    self.outages = outages
  }

  private static func valid(walkingSpeed: Double) -> Double {
    walkingSpeed > 0 && walkingSpeed.isFinite ? max(walkingSpeed, 0.001) : 1.3
  }

  private static func valid(noise: Double) -> Double {
    noise > 0 && noise.isFinite ? noise : 0
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

  /// A multiple of the recorded pace, which must be above 0 and finite.
  public static func times(_ multiple: Double) -> Self {
    guard let speed = Self(multiple: multiple) else {
      preconditionFailure("The speed of a replay is above 0 and finite: \(multiple) is not.")
    }
    return speed
  }

  /// Creates a multiple of the recorded pace from input; `nil` unless it is above 0 and finite.
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
  /// The speed, which changes from here on, without a jump; a paused replay stays paused.
  var speed: ReplaySpeed { get nonmutating set }
  /// The track time that has been reached; `nil` while no replay is running.
  var elapsed: Duration? { get }
}
