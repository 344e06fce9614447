/// The rate at which track time passes on the clock of a replay.
public struct ReplaySpeed: Hashable, Sendable {
  /// The multiple of the recorded pace, above 0 and finite; `nil` at maximum speed.
  public let multiple: Double?

  /// Replays without waiting.
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
  /// Pauses the replay where it is.
  func pause()
  /// Resumes a paused replay.
  func resume()
  /// Changes the speed from here on, without a jump; a paused replay stays paused.
  func setSpeed(_ speed: ReplaySpeed)
  /// The track time that has been reached; `nil` while no replay is running.
  var elapsed: Duration? { get }
}
