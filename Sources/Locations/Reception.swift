/// How well the simulated receiver hears its satellites.
public struct Reception: Hashable, Sendable {
  /// A part of the walk without a signal, both ends included.
  public struct Outage: Hashable, Sendable {
    /// Where the signal is lost.
    public var start: ReplayPosition
    /// From where on it is back.
    public var end: ReplayPosition

    /// Creates an outage between two places; an end that lies before the start makes none.
    public init(from start: ReplayPosition, to end: ReplayPosition) {
      self.start = start
      self.end = end
    }
  }

  /// Metres within which about 68 % of the fixes lie of the true position, which is also the
  /// horizontal accuracy they report; 0 leaves positions and accuracies as recorded.
  ///
  /// The error drifts as a receiver's does: it is correlated over about half a minute.
  public var noise: Double
  /// Where the signal is lost.
  public var outages: [Outage]
  /// Makes the noise reproducible: the same seed and track give the same errors on every platform.
  public var seed: UInt64

  /// Creates a reception; by default it is perfect.
  public init(noise: Double = 0, outages: [Outage] = [], seed: UInt64 = 0) {
    self.noise = noise
    self.outages = outages
    self.seed = seed
  }
}
