/// What can hold a simulated walk and change its speed, from any task and at any time.
public protocol PaceControlling: Sendable {
  /// Holds the walk where it is.
  func pause()
  /// Lets a paused walk go on.
  func resume()
  /// Changes the speed from here on, without a jump; a paused walk stays paused.
  func setSpeed(_ speed: ReplaySpeed)
}
