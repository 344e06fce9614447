import Geodesy

/// An expectation of a walk.
public struct WalkExpectation: Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case enters(Area)
    case leaves(Area)
    case avoids(Area)
    case stays(Area, Duration)
    case passes([Area])
    case matches([Fix], tolerance: Double, times: TimeTolerance)
    case corridor([Fix], width: Double)
    case maximumSpeed(Double)
    case maximumGap(meters: Double)
    case maximumPause(Duration)
  }

  /// The time by which a location may be earlier or later than expected.
  public enum TimeTolerance: Hashable, Sendable {
    /// A second, and what the tolerance in meters takes at the speed there.
    case automatic
    /// A fixed time.
    case within(Duration)
    /// Times are not compared.
    case off
  }

  package let kind: Kind

  /// The walk enters a region, or begins in it.
  public static func enters(_ region: CircularRegion) -> Self { .enters(Area(region)) }
  /// The walk enters an area, or begins in it.
  public static func enters(_ area: Area) -> Self { Self(kind: .enters(area)) }
  /// The walk leaves a region that it was in.
  public static func leaves(_ region: CircularRegion) -> Self { .leaves(Area(region)) }
  /// The walk leaves an area that it was in.
  public static func leaves(_ area: Area) -> Self { Self(kind: .leaves(area)) }
  /// The walk is never in an area.
  public static func avoids(_ area: Area) -> Self { Self(kind: .avoids(area)) }
  /// The walk is in an area for at least a track time without leaving it.
  public static func stays(in area: Area, for duration: Duration) -> Self {
    Self(kind: .stays(area, duration))
  }
  /// The walk enters areas one after the other, each of them after it has entered the one before.
  public static func passes(_ areas: [Area]) -> Self { Self(kind: .passes(areas)) }

  /// The walk is a recording of these locations: its line passes each of them in their order within `tolerance`
  /// meters, from the first to the last, and no location of it is farther from them than `tolerance` and half the
  /// way between two of them. It may end where its next location would be beyond the last one. Times are compared
  /// from the first location on, where both have one.
  public static func matches(
    _ fixes: [Fix], tolerance: Double, times: TimeTolerance = .automatic
  ) -> Self {
    Self(kind: .matches(fixes, tolerance: tolerance, times: times))
  }
  /// No location of the walk is farther than `width` meters from the line along these fixes.
  public static func corridor(along fixes: [Fix], width: Double) -> Self {
    Self(kind: .corridor(fixes, width: width))
  }

  /// No two locations in a row take more than this speed, in meters per second.
  public static func maximumSpeed(_ speed: Double) -> Self { Self(kind: .maximumSpeed(speed)) }
  /// No two locations in a row are farther apart than this, in meters.
  public static func maximumGap(_ meters: Double) -> Self {
    Self(kind: .maximumGap(meters: meters))
  }
  /// No two locations in a row are farther apart than this in recorded time, or else in track time.
  public static func maximumPause(_ duration: Duration) -> Self {
    Self(kind: .maximumPause(duration))
  }

  /// The expectation, for the messages of tests.
  public var description: String { "\(kind)" }
}

/// The outcome of an expectation of a walk.
public struct WalkOutcome: Hashable, Sendable {
  /// A difference between a walk and an expectation.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
      case noLocation
      case notReached(nearest: Double)
      case notLeft
      case outOfOrder
      case tooLate(after: Duration?)
      case notAvoided
      case tooShort(Duration?)
      case notPassed(number: Int, nearest: Double?)
      case elsewhere(number: Int, meters: Double)
      case atAnotherTime(number: Int, after: Duration, expected: Duration)
      case tooFew(Int)
      case tooMany
      case outside(meters: Double)
      case tooFast(Double)
      case tooFar(meters: Double)
      case tooLong(Duration)
    }

    package let kind: Kind

    /// There was no location.
    public static let noLocation = Self(kind: .noLocation)
    /// The walk came no nearer to the area than this many meters.
    public static func notReached(nearest: Double) -> Self {
      Self(kind: .notReached(nearest: nearest))
    }
    /// The walk stayed in the area.
    public static let notLeft = Self(kind: .notLeft)
    /// The walk entered or left the area, but not after what should come first.
    public static let outOfOrder = Self(kind: .outOfOrder)
    /// The walk entered or left the area this time after the first location; `nil` if unknown.
    public static func tooLate(after time: Duration?) -> Self { Self(kind: .tooLate(after: time)) }
    /// The walk was in the area.
    public static let notAvoided = Self(kind: .notAvoided)
    /// The longest time in the area; `nil` if unknown.
    public static func tooShort(_ time: Duration?) -> Self { Self(kind: .tooShort(time)) }
    /// The walk did not enter an area, counted from 1, after the ones before it; the meters of its nearest
    /// location since then, if there was one.
    public static func notPassed(number: Int, nearest: Double?) -> Self {
      Self(kind: .notPassed(number: number, nearest: nearest))
    }
    /// The walk does not pass an expected location, counted from 1, and came no nearer to it than this many meters.
    public static func elsewhere(number: Int, meters: Double) -> Self {
      Self(kind: .elsewhere(number: number, meters: meters))
    }
    /// The walk passes an expected location, counted from 1, this time after the first one, and not when it
    /// should.
    public static func atAnotherTime(number: Int, after time: Duration, expected: Duration) -> Self
    {
      Self(kind: .atAnotherTime(number: number, after: time, expected: expected))
    }
    /// The walk ended after it had passed this many locations.
    public static func tooFew(_ number: Int) -> Self { Self(kind: .tooFew(number)) }
    /// The walk went on after the last of the locations.
    public static let tooMany = Self(kind: .tooMany)
    /// The location is this many meters away from the line.
    public static func outside(meters: Double) -> Self { Self(kind: .outside(meters: meters)) }
    /// The walk reaches the location at this speed, in meters per second.
    public static func tooFast(_ speed: Double) -> Self { Self(kind: .tooFast(speed)) }
    /// The location is this many meters from the one before.
    public static func tooFar(meters: Double) -> Self { Self(kind: .tooFar(meters: meters)) }
    /// The location comes this time after the one before.
    public static func tooLong(_ time: Duration) -> Self { Self(kind: .tooLong(time)) }

    /// The difference, for the messages of tests.
    public var description: String { "\(kind)" }
  }

  /// The expectation.
  public let expectation: WalkExpectation
  /// The location that decided it, or came nearest to it; `nil` without one.
  public let location: Fix?
  /// Whether ``location`` is the first one of the walk.
  public let isAtStart: Bool
  /// The difference; `nil` if the walk met the expectation.
  public let difference: Difference?
}
