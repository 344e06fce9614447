/// How many fixes of a track had a time that could not set the pace.
///
/// The way to such a fix is walked at ``Itinerary/walkingSpeed``, except that up to twenty fixes in a
/// row with one time are taken to lie within one second, as recorders of whole seconds write them.
public struct TimeFaults: Hashable, Sendable {
  /// Fixes without a time.
  public var missing: Int
  /// Fixes with the time of the one before.
  public var repeated: Int
  /// Fixes with a time before that of the one before.
  public var backward: Int
  /// Fixes more than six hours after the one before.
  public var jumps: Int

  public init(missing: Int = 0, repeated: Int = 0, backward: Int = 0, jumps: Int = 0) {
    self.missing = missing
    self.repeated = repeated
    self.backward = backward
    self.jumps = jumps
  }

  /// Whether every time could be used.
  public var isEmpty: Bool { self == TimeFaults() }
}
