extension TrackMaker {
  /// The means by which a way is traveled, with a typical pace.
  public enum Means: String, Hashable, Sendable, CaseIterable, Codable {
    /// About 1.4 m/s.
    case walk
    /// About 3 m/s.
    case run
    /// About 5.5 m/s.
    case bike
    /// About 13 m/s near the places, 28 m/s beyond.
    case car
    /// About 22 m/s near the places, 40 m/s beyond.
    case train
    /// About 230 m/s.
    case plane

    /// The maximum speed in meters per second; the pace between bends is at most a fifth below.
    public var maximumSpeed: Double { pace.open * (1 + Pace.variation) }

    /// Values in meters, seconds, and meters per second and square second.
    struct Typical: Sendable {
      /// The speed near the places, and farther from them.
      var town: Double
      var open: Double
      var acceleration: Double
      var braking: Double
      /// The acceleration to the side in bends.
      var lateral: Double
      var pause: ClosedRange<Double>
      /// The length of the shortest curves.
      var curve: Double
      /// The slope of the curves of each length.
      var slope: Double
      /// Whether it pauses at each place between.
      var halts = false
    }

    var pace: Typical {
      switch self {
      case .walk:
        Typical(
          town: 1.4, open: 1.4, acceleration: 0.5, braking: 0.5, lateral: 0.5, pause: 60...240,
          curve: 80, slope: 0.15)
      case .run:
        Typical(
          town: 3, open: 3, acceleration: 0.8, braking: 0.8, lateral: 1.2, pause: 20...90,
          curve: 100, slope: 0.15)
      case .bike:
        Typical(
          town: 5.5, open: 5.5, acceleration: 0.7, braking: 1, lateral: 1.8, pause: 60...300,
          curve: 150, slope: 0.15)
      case .car:
        Typical(
          town: 13, open: 28, acceleration: 1.5, braking: 2, lateral: 2.5, pause: 120...600,
          curve: 300, slope: 0.12)
      case .train:
        Typical(
          town: 22, open: 40, acceleration: 0.4, braking: 0.5, lateral: 0.65, pause: 60...180,
          curve: 2_000, slope: 0.06, halts: true)
      case .plane:
        Typical(
          town: 230, open: 230, acceleration: 1.5, braking: 1.2, lateral: 5, pause: 1_800...3_600,
          curve: 20_000, slope: 0.02, halts: true)
      }
    }
  }
}
